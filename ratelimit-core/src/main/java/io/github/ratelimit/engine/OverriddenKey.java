package io.github.ratelimit.engine;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.function.LongSupplier;

import io.github.ratelimit.KeyOverride;

/**
 * Override of one key, prepared for calls.
 *
 * @param key the key
 * @param override the override
 * @param ruling what it means for calls
 * @param end its end in microseconds, or {@link KeyRuling.Blocked#FOREVER}
 */
record OverriddenKey(String key, KeyOverride override, KeyRuling ruling, long end) {

	/**
	 * Prepare an override.
	 * @param numbers returns the shared numbers of keys
	 */
	static OverriddenKey of(String key, KeyOverride override, Function<SortedMap<String, Long>, KeyNumbers> numbers) {
		Instant until = override.until();
		long end = (until != null) ? ChronoUnit.MICROS.between(Instant.EPOCH, until) : KeyRuling.Blocked.FOREVER;
		KeyRuling ruling = override.isBlocked() ? new KeyRuling.Blocked(end)
				: override.isUnlimited() ? KeyRuling.EXEMPT : numbers.apply(override.maxima());
		return new OverriddenKey(key, override, ruling, end);
	}

	/**
	 * Return whether the override has ended. The clock is read only if there is an end.
	 */
	boolean isOver(LongSupplier clock) {
		return this.end != KeyRuling.Blocked.FOREVER && clock.getAsLong() >= this.end;
	}

}
