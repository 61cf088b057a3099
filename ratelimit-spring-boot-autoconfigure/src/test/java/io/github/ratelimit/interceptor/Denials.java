package io.github.ratelimit.interceptor;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.Decision;
import io.github.ratelimit.LimitStatus;

/**
 * Decisions that deny.
 */
final class Denials {

	private Denials() {
	}

	static Decision of(String rule) {
		Duration retryAfter = Duration.ofMillis(1500);
		Duration period = Duration.ofSeconds(60);
		return new Decision(false, rule, 5, 0, retryAfter, period, Duration.ZERO,
				List.of(new LimitStatus(rule, 5, 5, period, 0, retryAfter, period)), Decision.Origin.LOCAL,
				List.of(new Decision.Denial(rule)));
	}

}
