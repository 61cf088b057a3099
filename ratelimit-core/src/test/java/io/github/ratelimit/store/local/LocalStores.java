package io.github.ratelimit.store.local;

import java.util.function.LongSupplier;

/**
 * Local stores whose clock the test sets.
 */
public final class LocalStores {

	private static final long MANY = 1_000_000;

	private LocalStores() {
	}

	public static LocalRateLimitStore store(LongSupplier clock) {
		return new LocalRateLimitStore(MANY, clock);
	}

	public static LocalFallbackStore fallback(LongSupplier clock, double share) {
		return new LocalFallbackStore(store(clock), MANY, share);
	}

}
