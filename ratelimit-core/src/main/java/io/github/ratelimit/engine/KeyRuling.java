package io.github.ratelimit.engine;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import io.github.ratelimit.Decision;

/**
 * Ruling on one key of a rule, by an override or a list.
 */
sealed interface KeyRuling permits KeyNumbers, KeyRuling.Exempt, KeyRuling.Blocked {

	/**
	 * Calls pass, and the rule does not count them.
	 */
	KeyRuling EXEMPT = new Exempt();

	/**
	 * Calls are denied for ever.
	 */
	KeyRuling DENIED = new Blocked(Blocked.FOREVER);

	/**
	 * Calls pass, and the rule does not count them.
	 */
	record Exempt() implements KeyRuling {

	}

	/**
	 * All calls are denied.
	 *
	 * @param end the end in microseconds of the store's clock, or {@link #FOREVER}
	 */
	record Blocked(long end) implements KeyRuling {

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
