package io.github.ratelimit.store;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.Decision;

/**
 * Store that leaves its calls to another one. Test stores override what they change;
 * asynchronous calls end in the blocking ones.
 */
public abstract class DelegatingStore implements RemoteStore {

	/** Store that counts. */
	public final RateLimitStore delegate;

	protected DelegatingStore(RateLimitStore delegate) {
		this.delegate = delegate;
	}

	@Override
	public StoreAnswer acquire(Demands demands) {
		return this.delegate.acquire(demands);
	}

	@Override
	public CompletionStage<StoreAnswer> acquireAsync(Demands demands) {
		return CompletableFuture.completedFuture(demands).thenApply(this::acquire);
	}

	@Override
	public CompletionStage<List<long[]>> correct(List<Correction> corrections) {
		return this.delegate.correct(corrections);
	}

	@Override
	public void reset(RuleCounts counts, StoredKey key) {
		this.delegate.reset(counts, key);
	}

	@Override
	public Decision.Origin origin() {
		return this.delegate.origin();
	}

}
