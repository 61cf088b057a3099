package io.github.ratelimit.interceptor;

import io.github.ratelimit.store.Demand;

/**
 * Expression of the class of a call: any value, whose text in lower case is the name of a
 * class if the rule has one of that name.
 *
 * @param expression its value
 */
record PriorityExpression(LocatedExpression expression) {

	/**
	 * Return the demand of a call of its class.
	 * @throws io.github.ratelimit.RateLimitExpressionException if the expression fails
	 */
	Demand demand(Call call, Demand demand) {
		Object priority = KeyText.held(this.expression.evaluate(call));
		return (priority != null) ? demand.withPriority(priority.toString()) : demand;
	}

}
