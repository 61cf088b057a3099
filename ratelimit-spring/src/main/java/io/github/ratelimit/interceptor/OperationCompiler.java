package io.github.ratelimit.interceptor;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.RuleLimiter;
import io.github.ratelimit.interceptor.OperationPlace.Written;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/** Compiler of a rule at one place. */
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
		LocatedExpression plan = compile("plan", this.rule.plan());
		LocatedExpression priority = compile("priority", this.rule.priority());
		LocatedExpression zone = compile("zone", this.rule.zone());
		RateLimitOperation.CallSelection selection = (plan != null || priority != null || zone != null)
				? new RateLimitOperation.CallSelection(this.limiter, plan, priority, zone) : null;
		return new RateLimitOperation(this.limiter, this.place.location(), (key != null) ? key.text() : "",
				(key != null) ? key(key) : PlainKey.NONE, selection, compile("cost", null), compile("condition", null),
				end(), fallback, this.mayUsePrincipal);
	}

	private @Nullable EndPolicy end() {
		Written unless = this.place.written("unless", this.rule.unless());
		Written settle = this.place.written("settle", this.rule.settle());
		if (unless == null && settle == null) {
			return null;
		}
		ExpressionCompiler ends = new ExpressionCompiler(this.place.scope().atEnd(), this.beans);
		List<CallExpression> reads = new ArrayList<>();
		EndPolicy policy = new EndPolicy(this.limiter, end("unless", unless, ends, reads),
				end("settle", settle, ends, reads), reads);
		this.place.settles((unless != null) ? unless.own() : null, (settle != null) ? settle.own() : null);
		return policy;
	}

	private @Nullable LocatedExpression end(String attribute, @Nullable Written written, ExpressionCompiler ends,
			List<CallExpression> reads) {
		if (written == null) {
			return null;
		}
		LocatedExpression end = located(attribute, written, ends);
		reads.addAll(ends.requestReads(written.text()));
		return end;
	}

	private @Nullable LocatedExpression compile(String attribute, @Nullable String ofRule) {
		Written written = this.place.written(attribute, ofRule);
		return (written != null) ? located(attribute, written, calls()) : null;
	}

	private CallExpression key(Written key) {
		CallExpression plain = PlainKey.parse(key.text(), this.place.scope());
		return (plain != null) ? plain : compile("key", key, calls());
	}

	private ExpressionCompiler calls() {
		return new ExpressionCompiler(this.place.scope(), this.beans);
	}

	private CallExpression compile(String attribute, Written written, ExpressionCompiler names) {
		String text = written.text();
		this.mayUsePrincipal |= text.contains("principal") || text.contains("claim") || text.contains("#root")
				|| text.contains("#this");
		CallExpression compiled = names.compile(attribute, written, this.rule, this.place);
		if (text.contains("claim(")) {
			warnOfMissingClaims(attribute, written);
		}
		return compiled;
	}

	/**
	 * Warn of claims that no user has without Spring Security's OAuth 2. It does not stop
	 * startup, since a {@link CallContextSource} of the application may know them.
	 */
	private static void warnOfMissingClaims(String attribute, Written written) {
		if (!ClassUtils.isPresent("org.springframework.security.oauth2.core.ClaimAccessor",
				OperationCompiler.class.getClassLoader())) {
			System.getLogger(OperationCompiler.class.getName())
				.log(Level.WARNING, written.where() + ": " + attribute + " \"" + written.text()
						+ "\" reads a claim, but no user has claims, because spring-security-oauth2-core is not on the "
						+ "class path. Add spring-boot-starter-oauth2-resource-server or "
						+ "spring-boot-starter-oauth2-client for example.");
		}
	}

	private LocatedExpression located(String attribute, Written written, ExpressionCompiler names) {
		return new LocatedExpression(compile(attribute, written, names), attribute, written.text(), this.rule.name(),
				this.place.location());
	}

}
