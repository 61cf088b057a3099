package io.github.ratelimit.interceptor;

import java.util.function.Function;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.engine.RuleLimiter;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.engine.RuleSource;
import io.github.ratelimit.notation.Notation;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.MergedAnnotation;

/**
 * Compiler of the expressions that settle a call of an annotated method when it ends:
 * those of the rule's properties, else those of the annotation.
 */
final class EndedMethodExpressions {

	private final RuleLimiter limiter;

	private final String location;

	private final MergedAnnotation<RateLimited> annotation;

	private final ExpressionCompiler compiler;

	private final Compilation compilation;

	/**
	 * Create a new compiler.
	 * @param location the annotated method
	 * @param compilation compiles an expression, or reports its mistake
	 */
	EndedMethodExpressions(RuleLimiter limiter, String location, MergedAnnotation<RateLimited> annotation,
			ExpressionCompiler compiler, Compilation compilation) {
		this.limiter = limiter;
		this.location = location;
		this.annotation = annotation;
		this.compiler = compiler;
		this.compilation = compilation;
	}

	/**
	 * Compile the expressions, and let the calls of the rule settle their units by them.
	 * @param registry the registry of the rule
	 * @param source the annotation, for messages
	 * @return {@code null} if there are none
	 * @throws InvalidAttributeException if the rule has no use for them
	 */
	@Nullable EndPolicy compile(RuleRegistry registry, RuleSource source) {
		EndExpression unless = compile("unless", this.limiter.rule().unless(), this.compiler::compileCondition);
		EndExpression settle = compile("settle", this.limiter.rule().settle(), this.compiler::compileUsedUnits);
		if (unless == null && settle == null) {
			return null;
		}
		settle(registry, source);
		return new EndPolicy(this.limiter, unless, settle);
	}

	private void settle(RuleRegistry registry, RuleSource source) {
		RateLimitRule rule = this.limiter.rule();
		String unless = own("unless", rule.unless());
		String settle = own("settle", rule.settle());
		try {
			rule.withSettling(unless, settle);
			registry.settle(rule.name(), unless != null, settle);
		}
		catch (InvalidAttributeException ex) {
			throw ex.at(source.at(ex.attribute()), Notation.ANNOTATION::print);
		}
	}

	/**
	 * Return the expression of the annotation.
	 * @return {@code null} if it has none, or if the properties override it
	 */
	private @Nullable String own(String attribute, @Nullable String override) {
		String text = this.annotation.getString(attribute);
		return (text.isEmpty() || override != null) ? null : text;
	}

	private @Nullable EndExpression compile(String attribute, @Nullable String override,
			Function<String, CallExpression> kind) {
		String text = (override != null) ? override : this.annotation.getString(attribute);
		if (text.isEmpty()) {
			return null;
		}
		String rule = this.limiter.rule().name();
		String where = (override != null) ? "ratelimit.rules." + rule + '.' + attribute + ", used by " + this.location
				: "@RateLimited on " + this.location;
		CallExpression expression = this.compilation.compile(where, attribute, text, kind);
		return new EndExpression(new LocatedExpression(expression, attribute, text, rule, this.location),
				this.compiler.requestReads(text));
	}

	/**
	 * Compilation of an expression at a place.
	 */
	interface Compilation {

		CallExpression compile(String location, String attribute, String text, Function<String, CallExpression> kind);

	}

}
