package io.github.ratelimit.engine;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import io.github.ratelimit.Decision;

/** What is known of the calls of a key without counting them. */
sealed interface Verdict permits KeyNumbers, Verdict.Pass, Verdict.Deny {

	/** Calls pass, and the rule does not count them. */
	Verdict PASS = new Pass();

	/** Calls are denied for ever. */
	Verdict DENY = new Deny(Deny.FOREVER);

	record Pass() implements Verdict {

	}

	/**
	 * All calls are denied.
	 *
	 * @param end the end in microseconds of the store's clock, or {@link #FOREVER}
	 */
	record Deny(long end) implements Verdict {

		static final long FOREVER = Long.MAX_VALUE;

		/**
		 * Return the time until the end.
		 * @param now the time in microseconds of the store's clock
		 */
		Duration retryAfter(long now) {
			return (this.end == FOREVER) ? Decision.NEVER : Duration.of(Math.max(1, this.end - now), ChronoUnit.MICROS);
		}

	}

}
