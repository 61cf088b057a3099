package io.github.ratelimit.sample.playground;

import java.time.Duration;
import java.util.Locale;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.RateLimitRule;

/**
 * Fill level of the only limit of a rule, taken from a decision.
 *
 * @param used the used part of the capacity: units of a window, units missing from a
 * bucket, calls in a queue, or tokens that a warm-up has drained
 * @param capacity the units it can hold; for a warm-up, the tokens to drain until it is
 * warm
 * @param max the units admitted per period at the moment
 * @param remaining the units that can be taken now, none while the key is banned
 * @param banned whether the key is banned
 * @param origin the store that counted
 */
record Reading(double used, double capacity, long max, long remaining, boolean banned, String origin) {

	static Reading of(RateLimitRule rule, Decision decision) {
		Limit limit = rule.limits().get(0);
		LimitStatus status = decision.limits().get(0);
		double perMicro = (double) status.max() / limit.periodMicros();
		double comesBack = micros(status.resetAfter()) * perMicro;
		return switch (limit.algorithm()) {
			case TOKEN_BUCKET -> of(rule, comesBack, status.capacity(), decision);
			case LEAKY_BUCKET -> of(rule, comesBack, status.capacity() + micros(rule.maxWait()) * perMicro, decision);
			case WARM_UP -> {
				double untilWarm = 2 * micros(limit.warmUpPeriod()) * perMicro / (1 + limit.coldFactor());
				yield of(rule, comesBack, untilWarm, decision);
			}
			default -> of(rule, status.capacity() - status.remaining(), status.capacity(), decision);
		};
	}

	private static Reading of(RateLimitRule rule, double used, double capacity, Decision decision) {
		LimitStatus status = decision.limits().get(0);
		String origin = decision.origin().name().toLowerCase(Locale.ROOT).replace('_', '-');
		boolean banned = decision.denials().stream().anyMatch((denial) -> denial.cause() == Decision.Cause.BAN);
		return new Reading(used, capacity, status.max(), banned ? 0 : status.remaining(), banned, origin);
	}

	private static double micros(Duration duration) {
		return duration.toNanos() / 1e3;
	}

}
