package io.github.ratelimit.interceptor;

import java.math.BigDecimal;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import org.jspecify.annotations.Nullable;

/** Value of a cost as a number of units. A negative or fractional value is an error. */
final class CostValue {

	private static final String COST = "Write how many units a call takes, cost = \"2\" or cost = \"#texts.size()\" "
			+ "for example.";

	private CostValue() {
	}

	static long of(@Nullable Object value) {
		long units = wholeNumber(value, COST);
		if (units < 0) {
			throw new InvalidCostException("has to be 0 or more, but is " + units + ". To refund units, call refund()",
					COST);
		}
		return units;
	}

	static long used(@Nullable Object value) {
		String remedy = "Write how many units a call has used, settle = \"#result.tokens\" for example.";
		long units = wholeNumber(value, remedy);
		if (units < 0) {
			throw new InvalidCostException("has to be 0 or more, but is " + units, remedy);
		}
		return units;
	}

	private static long wholeNumber(@Nullable Object value, String remedy) {
		if (value instanceof Integer || value instanceof Long || value instanceof Short || value instanceof Byte) {
			return ((Number) value).longValue();
		}
		try {
			return new BigDecimal(String.valueOf(value)).longValueExact();
		}
		catch (ArithmeticException | NumberFormatException ex) {
			throw new InvalidCostException("has to be a whole number, but is " + value, remedy);
		}
	}

	/**
	 * Check a cost that is the same for all calls of a rule. A plan may hold it.
	 * @throws RefusedExpressionException if a limit of the rule can never hold it
	 */
	static void checkFits(long units, RateLimitRule rule) {
		for (Limit limit : rule.limits()) {
			if (limit.adaptive() == null && !rule.hasPlans() && units > limit.capacity()) {
				throw new RefusedExpressionException(
						"is more than " + rule.nameOf(limit) + " can ever hold, " + limit.capacity()
								+ ", so every call would be denied",
						"Write a cost of at most " + limit.capacity() + ", or a larger limit.");
			}
		}
	}

	static final class InvalidCostException extends RefusedExpressionException {

		private static final long serialVersionUID = 1L;

		InvalidCostException(String reason, String remedy) {
			super(reason, remedy);
		}

	}

}
