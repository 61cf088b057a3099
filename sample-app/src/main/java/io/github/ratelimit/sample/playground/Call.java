package io.github.ratelimit.sample.playground;

import java.time.Duration;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitRule;

/**
 * A call and what was decided; times are milliseconds.
 *
 * @param at the time of the visit at which it came
 * @param allowed whether it went on
 * @param delay how long it had to wait for that
 * @param retryAfter what it was told if it did not; -1 means never
 * @param used how full the limit is with it
 */
record Call(long at, boolean allowed, long delay, long retryAfter, double used) {

	static Call of(Duration at, RateLimitRule rule, Decision decision) {
		long retryAfter = decision.retryAfter().equals(Decision.NEVER) ? -1 : decision.retryAfter().toMillis();
		return new Call(at.toMillis(), decision.allowed(), decision.delay().toMillis(), retryAfter,
				Reading.of(rule, decision).used());
	}

}
