package io.github.ratelimit.engine;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredKey;

/**
 * Decides what is asked of rules in one mode: a denial that is known still holds, else
 * the store is asked, and when that cannot answer, the policy of the rules does.
 */
final class Decider {

	private final GuardedStore store;

	private final StoreFailurePolicy failurePolicy;

	private final @Nullable DenyCache denyCache;

	private final DecisionReport report;

	/**
	 * Create a new decider.
	 * @param denyCache what denials are remembered by, {@code null} to ask the store
	 * every time
	 */
	Decider(GuardedStore store, StoreFailurePolicy failurePolicy, @Nullable DenyCache denyCache,
			DecisionReport report) {
		this.store = store;
		this.failurePolicy = failurePolicy;
		this.denyCache = denyCache;
		this.report = report;
	}

	Reservation decide(List<Demand> demands) {
		Decision known = known(demands);
		if (known != null) {
			return denied(demands, known);
		}
		long sent = now();
		try {
			return counted(demands, this.store.acquire(demands), sent);
		}
		catch (StoreException ex) {
			return this.failurePolicy.decide(demands, ex, this.report);
		}
	}

	CompletionStage<Reservation> decideAsync(List<Demand> demands) {
		Decision known = known(demands);
		if (known != null) {
			return CompletableFuture.completedFuture(denied(demands, known));
		}
		long sent = now();
		return this.store.acquireAsync(demands).handle((answer, failure) -> {
			if (failure == null) {
				return counted(demands, answer, sent);
			}
			Throwable cause = GuardedStore.cause(failure);
			if (cause instanceof StoreException storeFailure) {
				return this.failurePolicy.decide(demands, storeFailure, this.report);
			}
			throw new CompletionException(cause);
		});
	}

	/**
	 * Forget a denial: what it was about has changed.
	 */
	void forget(RateLimitRule rule, StoredKey key) {
		if (this.denyCache != null) {
			this.denyCache.forget(rule, key);
		}
	}

	private @Nullable Decision known(List<Demand> demands) {
		return (this.denyCache != null) ? this.denyCache.find(demands) : null;
	}

	private Reservation denied(List<Demand> demands, Decision known) {
		this.report.denied(demands.get(0), known);
		return Reservation.denied(known);
	}

	private long now() {
		return (this.denyCache != null) ? this.denyCache.now() : 0;
	}

	private Reservation counted(List<Demand> demands, StoreAnswer answer, long sent) {
		Reservation reservation = Reservation.of(demands, answer, this.store.unguarded());
		this.report.counted(demands, answer, reservation);
		return remembered(demands, answer, reservation, sent);
	}

	/**
	 * A denial is remembered, and what was known of a key is forgotten when a call that
	 * waits gives back.
	 */
	private Reservation remembered(List<Demand> demands, StoreAnswer answer, Reservation reservation, long sent) {
		DenyCache cache = this.denyCache;
		if (cache == null) {
			return reservation;
		}
		if (!reservation.isAllowed()) {
			cache.remember(demands, answer, reservation.decision().retryAfter(), sent);
		}
		return reservation.delay().isZero() ? reservation : reservation
			.whenGivenBack(() -> demands.forEach((demand) -> cache.forget(demand.rule(), demand.key())));
	}

}
