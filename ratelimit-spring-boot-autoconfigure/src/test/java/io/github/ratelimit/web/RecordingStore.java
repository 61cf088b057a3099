package io.github.ratelimit.web;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.ratelimit.Decision;
import io.github.ratelimit.store.Charge;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.local.LocalRateLimitStore;

/**
 * Store that records its calls and fails on demand.
 */
public final class RecordingStore implements RateLimitStore {

	private final RateLimitStore delegate = new LocalRateLimitStore(1_000);

	/** Rules and keys of each call, as {@code rule:key}. */
	public final List<List<String>> calls = new CopyOnWriteArrayList<>();

	/** Refunded units, as {@code rule:key}. */
	public final List<String> refunds = new CopyOnWriteArrayList<>();

	/** Whether it answers on the calling thread. */
	public volatile boolean answersAtOnce;

	/** Whether calls fail. */
	public volatile boolean isDown;

	@Override
	public StoreAnswer acquire(Demands demands) {
		if (this.isDown) {
			throw new StoreException("down", null);
		}
		this.calls.add(demands.asList().stream().map(RecordingStore::text).toList());
		return this.delegate.acquire(demands);
	}

	@Override
	public CompletionStage<StoreAnswer> acquireAsync(Demands demands) {
		CompletableFuture<Demands> asked = CompletableFuture.completedFuture(demands);
		return this.answersAtOnce ? asked.thenApply(this::acquire) : asked.thenApplyAsync(this::acquire);
	}

	@Override
	public void refund(List<Refund> refunds) {
		refunds.forEach((refund) -> this.refunds.add(text(refund.demand())));
		this.delegate.refund(refunds);
	}

	@Override
	public CompletionStage<Void> refundAsync(List<Refund> refunds) {
		refund(refunds);
		return CompletableFuture.completedFuture(null);
	}

	@Override
	public CompletionStage<Void> charge(List<Charge> charges) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void reset(RuleCounts counts, StoredKey key) {
		this.delegate.reset(counts, key);
	}

	@Override
	public Decision.Origin origin() {
		return Decision.Origin.LOCAL;
	}

	private static String text(Demand demand) {
		return demand.rule().name() + ':' + demand.key();
	}

}
