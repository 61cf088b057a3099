package io.github.ratelimit.interceptor;

import java.util.List;

import io.github.ratelimit.RateLimitExpressionException;
import io.github.ratelimit.engine.RuleLimiter;
import io.github.ratelimit.store.Demand;
import org.jspecify.annotations.Nullable;

/**
 * Expressions of a rule that settle the units of a call when it has ended. One that fails
 * settles nothing, and is an error in the log, unless it reads the result of a call that
 * has failed.
 */
record EndPolicy(RuleLimiter limiter, @Nullable LocatedExpression unless, @Nullable LocatedExpression settle,
		List<CallExpression> reads) {

	long used(Call ended, boolean failed, long cost) {
		if (this.unless != null
				&& Boolean.TRUE.equals(value(this.unless, ended, failed && this.unless.reads(MethodScope.RESULT)))) {
			return 0;
		}
		Object used = (this.settle != null) ? value(this.settle, ended, failed) : null;
		return (used != null) ? (long) used : cost;
	}

	/**
	 * Return the value of an expression, {@code null} if there is none.
	 * @param mayFail whether that is no error
	 */
	private @Nullable Object value(LocatedExpression expression, Call ended, boolean mayFail) {
		try {
			return expression.evaluate(ended);
		}
		catch (Throwable ex) {
			if (!mayFail) {
				this.limiter.reportUnsettled(problem(expression, ex), ex);
			}
			return null;
		}
	}

	private static String problem(LocatedExpression expression, Throwable failure) {
		if (failure instanceof RateLimitExpressionException) {
			return String.valueOf(failure.getMessage());
		}
		boolean isValue = failure instanceof ConditionValue.NoBooleanException
				|| failure instanceof CostValue.InvalidCostException;
		return expression.subject() + ", \"" + expression.text() + "\", "
				+ (isValue ? failure.getMessage() : "has thrown a " + failure.getClass().getName()) + '.';
	}

	record OfDemand(Demand demand, EndPolicy policy) {

		/** Return whether a demand is this one, perhaps with other numbers. */
		boolean isOf(Demand other) {
			return other.rule().name().equals(this.demand.rule().name()) && other.key().equals(this.demand.key());
		}

	}

}
