package io.github.ratelimit.engine;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.store.CountSpec;

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
		CountSpec.checkSettling(this.rule, this::unsettled);
		this.call.end((demand) -> actual);
	}

	private IllegalStateException unsettled(String reason, String remedy) {
		return new IllegalStateException("A call of rate limit rule \"" + this.rule.name() + "\" cannot be settled: "
				+ reason + ". " + remedy + ", or end the call by cancel() or close().");
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
