package io.github.ratelimit.interceptor;

import java.util.List;

import io.github.ratelimit.RateLimitExpressionException;
import org.jspecify.annotations.Nullable;

/**
 * Expression that is evaluated when a call has ended.
 *
 * @param expression the expression, whose failures name the rule and the place
 * @param reads the parts of a web request that it reads
 */
record EndExpression(LocatedExpression expression, List<CallExpression> reads) {

	@Nullable Object evaluate(Call ended) {
		return this.expression.evaluate(ended);
	}

	/**
	 * Return whether the expression reads the result, which a failed call does not have.
	 */
	boolean readsResult() {
		return this.expression.reads(EndedMethodScope.RESULT);
	}

	/**
	 * Describe a failure of this expression.
	 */
	String problem(Throwable failure) {
		if (failure instanceof RateLimitExpressionException) {
			return String.valueOf(failure.getMessage());
		}
		boolean isValue = failure instanceof ConditionValue.NoBooleanException
				|| failure instanceof CostValue.InvalidCostException;
		return "The " + this.expression.attribute() + " of rule \"" + this.expression.rule() + "\" on "
				+ this.expression.location() + ", \"" + this.expression.text() + "\", "
				+ (isValue ? failure.getMessage() : "has thrown a " + failure.getClass().getName()) + '.';
	}

}
