package io.github.ratelimit.interceptor;

import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.engine.RuleLimiter;
import io.github.ratelimit.store.Demand;
import org.jspecify.annotations.Nullable;

/**
 * Expressions that select the numbers of a call. A value that selects nothing is an
 * error, since a mistake must not let every call pass.
 *
 * @param limiter the limiter of the rule
 * @param plan the name of a plan, or the limit of one caller; {@code null} for the rule's
 * own numbers
 * @param priority the class of the call, any value whose text in lower case is the name
 * of one; {@code null} if the rule has no expression for it
 * @param zone the name of a time zone, or a {@link ZoneId}; {@code null} if no zone of
 * the rule depends on the call
 */
record CallSelection(RuleLimiter limiter, @Nullable LocatedExpression plan, @Nullable LocatedExpression priority,
		@Nullable LocatedExpression zone) {

	Map<String, String> texts() {
		Map<String, String> texts = new LinkedHashMap<>();
		if (this.plan != null) {
			texts.put("plan", this.plan.text());
		}
		if (this.priority != null) {
			texts.put("priority", this.priority.text());
		}
		return texts;
	}

	/**
	 * Return the demand of a call under its plan, of its class, and in its time zone.
	 * @throws io.github.ratelimit.RateLimitExpressionException if an expression fails, or
	 * its value selects nothing
	 */
	Demand demand(Call call, String key, long cost) {
		Demand demand = (this.plan != null) ? planned(this.plan, call, key, cost) : this.limiter.demand(key, cost);
		Object priority = (this.priority != null) ? KeyText.held(this.priority.evaluate(call)) : null;
		if (priority != null) {
			demand = demand.withPriority(priority.toString());
		}
		return (this.zone != null) ? inZone(this.zone, call, demand) : demand;
	}

	private Demand planned(LocatedExpression expression, Call call, String key, long cost) {
		Object plan = KeyText.held(expression.evaluate(call));
		if (plan == null) {
			return this.limiter.demand(key, cost);
		}
		if (plan instanceof CharSequence name) {
			return this.limiter.demand(key, cost, name.toString());
		}
		if (!(plan instanceof Limit numbers)) {
			throw expression.failure(
					"has to be the name of a plan or a Limit, but is a " + plan.getClass().getTypeName() + '.', null);
		}
		try {
			return this.limiter.demand(key, cost, numbers);
		}
		catch (RateLimitConfigurationException ex) {
			throw expression.failure("is no limit of this rule: " + ex.getMessage(), ex);
		}
	}

	private Demand inZone(LocatedExpression expression, Call call, Demand demand) {
		Object zone = KeyText.held(expression.evaluate(call));
		if (zone == null || zone instanceof CharSequence || zone instanceof ZoneId) {
			return this.limiter.inZone(demand, (zone != null) ? zone.toString() : null);
		}
		throw expression.failure(
				"has to be the name of a time zone or a ZoneId, but is a " + zone.getClass().getTypeName() + '.', null);
	}

}
