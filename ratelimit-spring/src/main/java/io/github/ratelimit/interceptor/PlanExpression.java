package io.github.ratelimit.interceptor;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitExpressionException;
import io.github.ratelimit.engine.RuleLimiter;
import io.github.ratelimit.store.Demand;
import org.jspecify.annotations.Nullable;

/**
 * Expression that selects the plan of a call: the name of a plan, or the limit of one
 * caller. It has to have one of these values or none, since a mistake must not let every
 * call pass.
 *
 * @param limiter the limiter of the rule
 * @param expression its value
 */
record PlanExpression(RuleLimiter limiter, LocatedExpression expression) {

	/**
	 * Return the demand of a call under its plan.
	 * @throws RateLimitExpressionException if the expression fails, or its value is no
	 * plan
	 */
	Demand demand(Call call, String key, long cost) {
		Object plan = KeyText.held(this.expression.evaluate(call));
		if (plan == null) {
			return this.limiter.demand(key, cost);
		}
		if (plan instanceof CharSequence name) {
			return this.limiter.demand(key, cost, name.toString());
		}
		if (plan instanceof Limit numbers) {
			return demand(key, cost, numbers);
		}
		throw failure("has to be the name of a plan or a Limit, but is a " + plan.getClass().getTypeName() + '.', null);
	}

	private Demand demand(String key, long cost, Limit numbers) {
		try {
			return this.limiter.demand(key, cost, numbers);
		}
		catch (RateLimitConfigurationException ex) {
			throw failure("is no limit of this rule: " + ex.getMessage(), ex);
		}
	}

	private RateLimitExpressionException failure(String problem, @Nullable Exception cause) {
		return this.expression.failure(problem, cause);
	}

}
