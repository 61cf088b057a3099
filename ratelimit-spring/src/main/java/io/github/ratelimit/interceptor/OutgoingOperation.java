package io.github.ratelimit.interceptor;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.RuleLimiter;
import io.github.ratelimit.store.RuleCounts;
import org.jspecify.annotations.Nullable;

/**
 * Rule on outgoing requests, which creates their demands.
 *
 * @param operation the rule at its place
 * @since 0.1.0
 */
public record OutgoingOperation(RateLimitOperation operation) {

	/**
	 * Compile an operation.
	 * @param location the property that defines it
	 * @param key the key expression, or {@code null} for the rule's own key
	 * @param beans resolves {@code @bean} in expressions
	 * @throws InvalidAttributeException if the key, the plan, the priority or the zone is
	 * not an expression, or uses names that an outgoing request does not have
	 */
	public static OutgoingOperation of(RuleLimiter limiter, String location, @Nullable String key,
			ExpressionBeans beans) {
		refuseEnds(limiter, location);
		Map<String, @Nullable String> own = new HashMap<>();
		own.put("key", key);
		return new OutgoingOperation(
				RateLimitOperation.of(limiter, location, PropertyPlace.Requests.OUTGOING, new Scope(), own, beans));
	}

	/**
	 * Refuse rules whose calls have to be followed to their end.
	 */
	private static void refuseEnds(RuleLimiter limiter, String location) {
		RateLimitRule rule = limiter.rule();
		if (limiter.needsEnd() || rule.unless() != null || rule.settle() != null) {
			String what = limiter.needsEnd() ? "algorithm: concurrency" : (rule.unless() != null) ? "unless" : "settle";
			throw new InvalidAttributeException("rule", rule.name(),
					"it has `" + what + "`, but the end of an outgoing request is not followed.", remedy(rule.name()))
				.at(location + ".rule");
		}
	}

	/**
	 * Return the demand of a request.
	 * @return the demand, or {@code null} if the rule is off, or in shadow mode and the
	 * request has no key
	 * @throws io.github.ratelimit.RateLimitKeyException if the request has no key
	 * @throws IllegalStateException if the rule counts running calls since a change at
	 * run time
	 */
	public @Nullable KeyedDemand demand(OutgoingRequest request) {
		try {
			KeyedDemand keyed = this.operation.keyedDemand(Call.of(request));
			if (keyed != null && keyed.demand().needsEnd()) {
				RuleCounts counts = keyed.demand().counts();
				throw counts.endUnnoticed("an outgoing request", remedy(counts.rule().name()));
			}
			return keyed;
		}
		catch (RuntimeException ex) {
			this.operation.limiter().goOnInShadowMode(ex, this.operation.location());
			return null;
		}
	}

	private static String remedy(String rule) {
		return "Put @RateLimited(name = \"" + rule + "\") on the method that sends the request instead.";
	}

	/**
	 * Scope of the expressions of outgoing requests. The request is the target of the
	 * call.
	 */
	private record Scope() implements ExpressionScope {

		private static final Set<String> PROPERTIES = Set.of("host", "path", "method");

		private static final Set<String> METHODS = Set.of("header");

		@Override
		public Set<String> properties() {
			return PROPERTIES;
		}

		@Override
		public Set<String> methods() {
			return METHODS;
		}

		@Override
		public Object root(Call call) {
			return Objects.requireNonNull(call.target());
		}

	}

}
