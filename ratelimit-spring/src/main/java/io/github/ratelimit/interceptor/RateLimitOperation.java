package io.github.ratelimit.interceptor;

import java.util.LinkedHashMap;
import java.util.Map;

import io.github.ratelimit.Mode;
import io.github.ratelimit.engine.RuleLimiter;
import io.github.ratelimit.store.Demand;
import org.jspecify.annotations.Nullable;

/**
 * Rule on a limited method, which creates the demands of its calls.
 *
 * @param limiter the limiter of the rule
 * @param location the annotated method, for messages
 * @param keyText the key expression as written
 * @param key the key
 * @param plan the plan of a call, {@code null} for the rule's own numbers
 * @param priority the class of a call, {@code null} if the rule has no expression for it
 * @param zone the time zone of a call, {@code null} if no zone of the rule depends on it
 * @param cost how many units a call takes, {@code null} for one
 * @param condition whether a call is limited at all, {@code null} for always
 * @param end the expressions that settle a call when it ends, if any
 * @param fallback the fallback for calls that the rule denies, if any
 */
record RateLimitOperation(RuleLimiter limiter, String location, String keyText, CallExpression key,
		@Nullable PlanExpression plan, @Nullable PriorityExpression priority, @Nullable ZoneExpression zone,
		@Nullable LocatedExpression cost, @Nullable LocatedExpression condition, @Nullable EndPolicy end,
		@Nullable Fallback fallback) {

	/**
	 * Return the expressions that select the numbers of a call, as written.
	 * @return {@code plan} and {@code priority}, those that are set
	 */
	Map<String, String> selections() {
		Map<String, String> texts = new LinkedHashMap<>();
		if (this.plan != null) {
			texts.put("plan", this.plan.expression().text());
		}
		if (this.priority != null) {
			texts.put("priority", this.priority.expression().text());
		}
		return texts;
	}

	/**
	 * Return the key, if a call demands nothing but one unit of a key of its arguments.
	 */
	@Nullable PlainKey plainKey() {
		boolean isAlone = !dependsOnCaller() && this.cost == null && this.condition == null && this.end == null;
		return (isAlone && this.key instanceof PlainKey plain) ? plain : null;
	}

	private boolean dependsOnCaller() {
		return this.plan != null || this.priority != null || this.zone != null;
	}

	/**
	 * Return the demand of a call. In shadow mode, one whose expressions fail has none.
	 * @return the demand, or {@code null} if the call is not limited by it
	 */
	@Nullable Demand demand(Call call) {
		try {
			return isLimited(call) ? demand(call, key(call)) : null;
		}
		catch (RuntimeException ex) {
			this.limiter.goOnInShadowMode(ex, this.location);
			return null;
		}
	}

	/**
	 * Return the demand of a call and its key. It throws what its expressions throw.
	 * @return {@code null} if the call is not limited by it
	 */
	@Nullable KeyedDemand keyedDemand(Call call) {
		if (!isLimited(call)) {
			return null;
		}
		String key = key(call);
		return new KeyedDemand(demand(call, key), key);
	}

	private boolean isLimited(Call call) {
		return this.limiter.rule().mode() != Mode.OFF && (this.condition == null || this.condition.holds(call));
	}

	private Demand demand(Call call, String key) {
		return demand(call, key, (this.cost != null) ? this.cost.units(call) : 1);
	}

	/**
	 * Return the demand of a call under its plan, of its class, and in its time zone. A
	 * key that the rule does not count has none, and the expressions are not evaluated.
	 */
	Demand demand(Call call, String key, long cost) {
		if (!dependsOnCaller() || !this.limiter.isCounted(key)) {
			return this.limiter.demand(key, cost);
		}
		Demand demand = (this.plan != null) ? this.plan.demand(call, key, cost) : this.limiter.demand(key, cost);
		if (this.priority != null) {
			demand = this.priority.demand(call, demand);
		}
		return (this.zone != null) ? this.zone.demand(call, demand) : demand;
	}

	private String key(Call call) {
		try {
			if (this.key instanceof PlainKey plain) {
				return plain.read(call.arguments());
			}
			return KeyText.required(this.key.evaluate(call), this.keyText);
		}
		catch (RuntimeException ex) {
			throw keyFailure(call, ex);
		}
	}

	/**
	 * Return the exception for a caller whose key could not be read.
	 */
	RuntimeException keyFailure(Call call, RuntimeException failure) {
		return new KeyFailure(this.limiter.rule().name(), this.location, this.key, this.keyText, call).of(failure);
	}

}
