package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.Map;

import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.adaptive.LoadAdaptation;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.local.LocalFallbackStore;
import org.jspecify.annotations.Nullable;

/**
 * Engines over a store and a fallback for a hundred keys.
 */
public final class Engines {

	private Engines() {
	}

	public static RateLimitEngine over(RateLimitStore store) {
		return over(store, OnStoreFailure.LOCAL);
	}

	public static RateLimitEngine over(RateLimitStore store, OnStoreFailure policy) {
		return over(store, policy, null);
	}

	public static RateLimitEngine over(RateLimitStore store, OnStoreFailure policy, @Nullable DenyCache denyCache) {
		return new RateLimitEngine(store, () -> policy, new LocalFallbackStore(100, 1),
				new LoadAdaptation(Map.of(), Duration.ofSeconds(1)), denyCache);
	}

}
