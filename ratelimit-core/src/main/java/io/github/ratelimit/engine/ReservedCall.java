package io.github.ratelimit.engine;

import java.util.Arrays;
import java.util.stream.Collectors;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.Reservation;

/**
 * Reservation of a program: a decided call that the program ends.
 *
 * @param call the call
 * @param rule the rule that it came with
 */
record ReservedCall(DecidedCall call, RateLimitRule rule) implements Reservation {

	@Override
	public Decision decision() {
		return this.call.decision();
	}

	@Override
	public void settle(long actual) {
		if (actual < 0) {
			throw new IllegalArgumentException(
					"A call of rate limit rule \"" + this.rule.name() + "\" cannot be settled with " + actual
							+ " units: the number has to be 0 or more. To refund everything, call cancel().");
		}
		checkDebt();
		this.call.end((demand) -> actual);
	}

	private void checkDebt() {
		if (this.rule.prefetch() != null) {
			throw unsettled("it uses prefetch, and units that instances hold cannot be charged. Remove \"prefetch\"");
		}
		for (Limit limit : this.rule.limits()) {
			if (!limit.algorithm().hasDebt()) {
				throw unsettled(
						"its limit \"" + this.rule.nameOf(limit) + "\" is counted by " + limit.algorithm().yamlName()
								+ ", which cannot owe units. Count it by one of " + algorithmsWithDebt());
			}
		}
	}

	private IllegalStateException unsettled(String reason) {
		return new IllegalStateException("A call of rate limit rule \"" + this.rule.name() + "\" cannot be settled: "
				+ reason + ", or end the call by cancel() or close().");
	}

	private static String algorithmsWithDebt() {
		return Arrays.stream(Algorithm.values())
			.filter(Algorithm::hasDebt)
			.map(Algorithm::yamlName)
			.sorted()
			.collect(Collectors.joining(", "));
	}

	@Override
	public void cancel() {
		this.call.end((demand) -> 0);
	}

	@Override
	public void close() {
		this.call.end(UsedUnits.ALL);
	}

	@Override
	public String toString() {
		return "Reservation[" + decision() + ']';
	}

}
