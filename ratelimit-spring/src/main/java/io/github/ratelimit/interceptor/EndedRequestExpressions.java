package io.github.ratelimit.interceptor;

import java.util.function.Function;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.RuleLimiter;
import org.jspecify.annotations.Nullable;

/**
 * Compiler of the expressions that settle a web request when its response is complete.
 */
final class EndedRequestExpressions {

	private final RuleLimiter limiter;

	private final String location;

	private final ExpressionCompiler compiler;

	/**
	 * Create a new compiler.
	 * @param location the property that applies the rule to requests
	 */
	EndedRequestExpressions(RuleLimiter limiter, String location, @Nullable PathVariables variables,
			ExpressionBeans beans) {
		this.limiter = limiter;
		this.location = location;
		this.compiler = new ExpressionCompiler(new EndedRequestScope(variables), beans);
	}

	/**
	 * Compile the expressions.
	 * @param ownUnless the expression of the requests, {@code null} for that of the rule
	 * @return {@code null} if there are none
	 */
	@Nullable EndPolicy compile(@Nullable String ownUnless) {
		RateLimitRule rule = this.limiter.rule();
		try {
			rule.withSettling(ownUnless, null);
		}
		catch (InvalidAttributeException ex) {
			throw ex.at(this.location + '.' + ex.attribute());
		}
		String unless = (ownUnless != null) ? ownUnless : rule.unless();
		EndExpression refunds = compile("unless", unless, ownUnless != null, this.compiler::compileCondition);
		EndExpression used = compile("settle", rule.settle(), false, this.compiler::compileUsedUnits);
		return (refunds != null || used != null) ? new EndPolicy(this.limiter, refunds, used) : null;
	}

	private @Nullable EndExpression compile(String attribute, @Nullable String text, boolean isOwn,
			Function<String, CallExpression> compile) {
		if (text == null) {
			return null;
		}
		String name = this.limiter.rule().name();
		String where = isOwn ? this.location + '.' + attribute
				: "ratelimit.rules." + name + '.' + attribute + ", used by " + this.location + ",";
		CallExpression expression = RequestOperation.compile(attribute, text, where, this.location, compile);
		return new EndExpression(new LocatedExpression(expression, attribute, text, name, this.location),
				this.compiler.requestReads(text));
	}

}
