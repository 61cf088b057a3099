package io.github.ratelimit.sample.playground;

import java.time.Duration;
import java.util.Locale;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.RateLimitRule;

/**
 * How full the only limit of a rule is, as a decision tells it.
 *
 * @param used how much of the capacity: units of a window, what a bucket lacks, calls in
 * a queue, or tokens that a warm-up has drained
 * @param capacity how much it can hold; of a warm-up, how much has to be drained until it
 * is warm
 * @param max how many units pass per period at the moment
 * @param remaining how many could be taken now
 * @param origin who has counted
 */
record Reading(double used, double capacity, long max, long remaining, String origin) {

	static Reading of(RateLimitRule rule, Decision decision) {
		Limit limit = rule.limits().get(0);
		LimitStatus status = decision.limits().get(0);
		double perMicro = (double) status.max() / limit.periodMicros();
		double comesBack = micros(status.resetAfter()) * perMicro;
		return switch (limit.algorithm()) {
			case TOKEN_BUCKET -> of(comesBack, status.capacity(), decision);
			case LEAKY_BUCKET -> of(comesBack, status.capacity() + micros(rule.maxWait()) * perMicro, decision);
			case WARM_UP -> {
				double untilWarm = 2 * micros(limit.warmUpPeriod()) * perMicro / (1 + limit.coldFactor());
				yield of(comesBack, untilWarm, decision);
			}
			default -> of(status.capacity() - status.remaining(), status.capacity(), decision);
		};
	}

	private static Reading of(double used, double capacity, Decision decision) {
		LimitStatus status = decision.limits().get(0);
		String origin = decision.origin().name().toLowerCase(Locale.ROOT).replace('_', '-');
		return new Reading(used, capacity, status.max(), status.remaining(), origin);
	}

	private static double micros(Duration duration) {
		return duration.toNanos() / 1e3;
	}

}
