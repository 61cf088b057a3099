package io.github.ratelimit.store.local;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.FallbackStore.Uncharged;
import io.github.ratelimit.store.RateLimitStore;

/**
 * Calls that a fallback counts, and charges of them.
 */
final class FallbackCalls {

	static final Duration DAY = Duration.ofDays(1);

	private FallbackCalls() {
	}

	static List<Correction> charge(LocalFallbackStore fallback, RateLimitStore store) {
		List<Correction> charges = new ArrayList<>();
		for (Uncharged uncharged : fallback.uncharged()) {
			Correction charge = uncharged.begin();
			if (charge != null) {
				uncharged.succeeded(store.correct(List.of(charge)).toCompletableFuture().join().get(0));
				charges.add(charge);
			}
		}
		return charges;
	}

	static Limit log(long max, Duration period) {
		return Limit.of(max, period).withAlgorithm(Algorithm.SLIDING_LOG);
	}

	static void take(LocalFallbackStore store, RateLimitRule rule, String key, long cost) {
		store.acquire(new Demand(rule, key, cost));
	}

	static void take(LocalRateLimitStore store, RateLimitRule rule, String key, long cost) {
		store.acquire(new Demand(rule, key, cost));
	}

	static long peek(LocalFallbackStore store, RateLimitRule rule, String key) {
		return store.peek(new Demand(rule, key, 1)).outcomes().get(0).remaining();
	}

	static long peek(LocalRateLimitStore store, RateLimitRule rule, String key) {
		return store.peek(new Demand(rule, key, 1)).outcomes().get(0).remaining();
	}

	static RateLimitRule rule(Limit limit) {
		return RateLimitRule.named("rule").limit(limit).build();
	}

}
