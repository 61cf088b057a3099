package io.github.ratelimit.store;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.Decision;

/**
 * Store that leaves its calls to another one. Test stores override what they change;
 * asynchronous calls and refunds end in the blocking ones.
 */
public abstract class DelegatingStore implements RateLimitStore {

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
	public void refund(List<Refund> refunds) {
		this.delegate.refund(refunds);
	}

	@Override
	public CompletionStage<Void> refundAsync(List<Refund> refunds) {
		return CompletableFuture.completedFuture(refunds).thenAccept(this::refund);
	}

	@Override
	public void owe(List<Debt> debts) {
		this.delegate.owe(debts);
	}

	@Override
	public CompletionStage<Void> oweAsync(List<Debt> debts) {
		return CompletableFuture.completedFuture(debts).thenAccept(this::owe);
	}

	@Override
	public CompletionStage<long[]> charge(Charge charge) {
		return this.delegate.charge(charge);
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
