package io.github.ratelimit.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Charge;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.local.LocalRateLimitStore;

/**
 * A store that answers as long as it is not told to fail.
 */
final class FailingStore implements RateLimitStore {

	private final RateLimitStore delegate = new LocalRateLimitStore(1_000);

	RuntimeException failure;

	int asked;

	final List<Object> givenUp = new ArrayList<>();

	boolean hasParts;

	@Override
	public StoreAnswer acquire(List<Demand> demands) {
		this.asked++;
		failIfTold();
		return this.delegate.acquire(demands);
	}

	@Override
	public CompletionStage<StoreAnswer> acquireAsync(List<Demand> demands) {
		return CompletableFuture.completedFuture(demands).thenApply(this::acquire);
	}

	@Override
	public void giveBack(List<Refund> refunds) {
		failIfTold();
		this.delegate.giveBack(refunds);
	}

	@Override
	public CompletionStage<Void> giveBackAsync(List<Refund> refunds) {
		return CompletableFuture.completedFuture(refunds).thenAccept(this::giveBack);
	}

	@Override
	public CompletionStage<Void> charge(List<Charge> charges) {
		return CompletableFuture.completedFuture(charges).thenCompose((units) -> {
			failIfTold();
			return this.delegate.charge(units);
		});
	}

	@Override
	public void reset(RateLimitRule rule, StoredKey key) {
		failIfTold();
		this.delegate.reset(rule, key);
	}

	@Override
	public void connect() {
		failIfTold();
	}

	@Override
	public Object partOf(Demand demand) {
		return this.hasParts ? demand.key().text() : "store";
	}

	@Override
	public void giveUp(Object part, StoreException failure) {
		this.givenUp.add(part);
	}

	@Override
	public Decision.Origin origin() {
		return Decision.Origin.REDIS;
	}

	private void failIfTold() {
		if (this.failure != null) {
			throw this.failure;
		}
	}

}
