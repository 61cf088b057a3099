package io.github.ratelimit.interceptor;

import java.time.ZoneId;

import io.github.ratelimit.RateLimitExpressionException;
import io.github.ratelimit.engine.RuleLimiter;
import io.github.ratelimit.store.Demand;

/**
 * Expression that selects the time zone of a call, for the calendars of its rule: the
 * name of a zone, or a {@link ZoneId}.
 *
 * @param limiter the limiter of the rule
 * @param expression its value
 */
record ZoneExpression(RuleLimiter limiter, LocatedExpression expression) {

	/**
	 * Return the demand of a call in its time zone.
	 * @throws RateLimitExpressionException if the expression fails, or its value is no
	 * zone
	 */
	Demand demand(Call call, Demand demand) {
		Object zone = KeyText.held(this.expression.evaluate(call));
		if (zone == null || zone instanceof CharSequence || zone instanceof ZoneId) {
			return this.limiter.inZone(demand, (zone != null) ? zone.toString() : null);
		}
		throw this.expression.failure(
				"has to be the name of a time zone or a ZoneId, but is a " + zone.getClass().getTypeName() + '.', null);
	}

}
