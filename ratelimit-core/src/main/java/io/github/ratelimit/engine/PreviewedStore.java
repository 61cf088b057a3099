package io.github.ratelimit.engine;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.Decision;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoredKey;

/**
 * Store whose calls get the answer that they would get now, and are not counted.
 *
 * @param store the store that answers
 */
record PreviewedStore(RateLimitStore store) implements RateLimitStore {

	@Override
	public StoreAnswer acquire(Demands demands) {
		return this.store.preview(demands);
	}

	/**
	 * Change nothing, since nothing was counted.
	 */
	@Override
	public CompletionStage<List<long[]>> correct(List<Correction> corrections) {
		return CompletableFuture.completedFuture(List.of());
	}

	@Override
	public void reset(RuleCounts counts, StoredKey key) {
		throw new UnsupportedOperationException();
	}

	@Override
	public Decision.Origin origin() {
		return this.store.origin();
	}

}
