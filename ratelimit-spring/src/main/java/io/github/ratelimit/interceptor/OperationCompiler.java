package io.github.ratelimit.interceptor;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.RuleLimiter;
import io.github.ratelimit.interceptor.OperationPlace.Written;
import org.jspecify.annotations.Nullable;

/**
 * Compiler of a rule at one place.
 */
final class OperationCompiler {

	private final RuleLimiter limiter;

	private final RateLimitRule rule;

	private final OperationPlace place;

	private final ExpressionBeans beans;

	private boolean mayUsePrincipal;

	OperationCompiler(RuleLimiter limiter, OperationPlace place, ExpressionBeans beans) {
		this.limiter = limiter;
		this.rule = limiter.rule();
		this.place = place;
		this.beans = beans;
	}

	RateLimitOperation compile(@Nullable Fallback fallback) {
		Written key = this.place.written("key", this.rule.key());
		CallExpression compiledKey = (key != null) ? compileKey(key) : PlainKey.NONE;
		LocatedExpression plan = compile("plan", this.rule.plan());
		LocatedExpression priority = compile("priority", this.rule.priority());
		LocatedExpression zone = compile("zone", this.rule.zone());
		CallSelection selection = (plan != null || priority != null || zone != null)
				? new CallSelection(this.limiter, plan, priority, zone) : null;
		return new RateLimitOperation(this.limiter, this.place.location(), (key != null) ? key.text() : "", compiledKey,
				selection, compile("cost", null), compile("condition", null), end(), fallback);
	}

	boolean mayUsePrincipal() {
		return this.mayUsePrincipal;
	}

	private @Nullable EndPolicy end() {
		Written unless = this.place.written("unless", this.rule.unless());
		Written settle = this.place.written("settle", this.rule.settle());
		if (unless == null && settle == null) {
			return null;
		}
		ExpressionCompiler ends = new ExpressionCompiler(this.place.scope().atEnd(), this.beans);
		EndPolicy policy = new EndPolicy(this.limiter, end("unless", unless, ends), end("settle", settle, ends));
		this.place.settles((unless != null) ? unless.own() : null, (settle != null) ? settle.own() : null);
		return policy;
	}

	private EndPolicy.@Nullable Expression end(String attribute, @Nullable Written written, ExpressionCompiler ends) {
		return (written != null)
				? new EndPolicy.Expression(located(attribute, written, ends), ends.requestReads(written.text())) : null;
	}

	private @Nullable LocatedExpression compile(String attribute, @Nullable String ofRule) {
		Written written = this.place.written(attribute, ofRule);
		return (written != null) ? located(attribute, written, calls()) : null;
	}

	/**
	 * Compile a key. A plain one needs no compiler.
	 */
	private CallExpression compileKey(Written key) {
		CallExpression plain = PlainKey.parse(key.text(), this.place.scope());
		this.mayUsePrincipal |= mayUsePrincipal(key);
		return (plain != null) ? plain : calls().compile("key", key, this.rule, this.place);
	}

	private ExpressionCompiler calls() {
		return new ExpressionCompiler(this.place.scope(), this.beans);
	}

	private LocatedExpression located(String attribute, Written written, ExpressionCompiler names) {
		this.mayUsePrincipal |= mayUsePrincipal(written);
		return new LocatedExpression(names.compile(attribute, written, this.rule, this.place), attribute,
				written.text(), this.rule.name(), this.place.location());
	}

	private static boolean mayUsePrincipal(Written written) {
		String text = written.text();
		return text.contains("principal") || text.contains("claim") || text.contains("#root");
	}

}
