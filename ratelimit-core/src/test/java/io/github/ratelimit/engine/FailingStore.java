package io.github.ratelimit.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntPredicate;

import io.github.ratelimit.Decision;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Correction.Kind;
import io.github.ratelimit.store.DelegatingStore;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.local.LocalRateLimitStore;

/**
 * Store that answers until the test makes it fail.
 */
final class FailingStore extends DelegatingStore {

	RuntimeException failure;

	/**
	 * Condition for the failure of a call, by its number from 0 on.
	 */
	IntPredicate failing = (call) -> false;

	/**
	 * Stage that completes before a charge is counted.
	 */
	volatile CompletionStage<Void> charging = CompletableFuture.completedStage(null);

	final List<Correction> charged = new CopyOnWriteArrayList<>();

	/**
	 * Task that runs after a reset.
	 */
	Runnable afterReset = () -> {
	};

	int calls;

	/**
	 * Number of refunds and resets.
	 */
	int corrected;

	/**
	 * Number of units charged.
	 */
	long units;

	final List<Object> givenUp = new ArrayList<>();

	boolean hasDomains;

	/**
	 * Failure domains by key; other keys are domains of their own.
	 */
	final Map<String, String> domains = new HashMap<>();

	final Set<Object> silentDomains = new HashSet<>();

	/**
	 * Keys that cannot be charged.
	 */
	final Set<String> refused = new HashSet<>();

	FailingStore() {
		this(new LocalRateLimitStore(1_000));
	}

	/**
	 * Create a store that shares its counters.
	 */
	FailingStore(RateLimitStore delegate) {
		super(delegate);
	}

	@Override
	public StoreAnswer acquire(Demands demands) {
		int call = this.calls++;
		failIfConfigured();
		if (this.failing.test(call) || demands.asList().stream().anyMatch(this::isSilent)) {
			throw new StoreException("lost", null, "timeout", true, null);
		}
		return this.delegate.acquire(demands);
	}

	@Override
	public CompletionStage<List<long[]>> correct(List<Correction> corrections) {
		Correction first = corrections.get(0);
		boolean charges = first.kind() == Kind.CHARGE;
		if (charges) {
			this.charged.add(first);
		}
		else {
			this.corrected++;
		}
		CompletionStage<Void> started = charges ? this.charging : CompletableFuture.completedStage(null);
		return started.thenCompose((done) -> {
			failIfConfigured();
			if (charges) {
				failUnlessChargeable(first);
			}
			return this.delegate.correct(corrections);
		});
	}

	private void failUnlessChargeable(Correction charge) {
		if (isSilent(charge.demand())) {
			throw new StoreException("silent", null, "timeout", true, null);
		}
		if (this.refused.contains(charge.demand().key().text())) {
			throw new StoreException("list", null, "wrongtype", false, "Remove it.");
		}
		this.units += charge.charged().stream().mapToLong(Long::longValue).sum();
	}

	@Override
	public void reset(RuleCounts counts, StoredKey key) {
		this.corrected++;
		failIfConfigured();
		this.delegate.reset(counts, key);
		this.afterReset.run();
	}

	@Override
	public void connect() {
		failIfConfigured();
	}

	@Override
	public Object failureDomain(Demand demand) {
		return this.hasDomains ? this.domains.getOrDefault(demand.key().text(), demand.key().text()) : "store";
	}

	@Override
	public void failPending(Object domain, StoreException failure) {
		this.givenUp.add(domain);
	}

	@Override
	public Decision.Origin origin() {
		return Decision.Origin.REDIS;
	}

	private boolean isSilent(Demand demand) {
		return this.silentDomains.contains(failureDomain(demand));
	}

	private void failIfConfigured() {
		if (this.failure != null) {
			throw this.failure;
		}
	}

}
