package io.github.ratelimit.engine;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.StoreException;

/**
 * Takes one call, subject to any number of rules, to the store and its answer back; when
 * the store cannot answer, the policy of the rules does.
 *
 * @since 0.1.0
 */
public final class RateLimitEngine {

	private final RateLimitStore store;

	private final StoreFailurePolicy failurePolicy;

	/**
	 * Create a new engine.
	 * @param store where calls are counted
	 * @param failurePolicy who answers when the store cannot
	 */
	public RateLimitEngine(RateLimitStore store, StoreFailurePolicy failurePolicy) {
		this.store = store;
		this.failurePolicy = failurePolicy;
	}

	/**
	 * Get the store ready. A store that cannot answer does not keep the application from
	 * starting.
	 */
	public void start() {
		try {
			this.store.connect();
		}
		catch (StoreException ex) {
			this.failurePolicy.storeFailed(ex);
		}
	}

	/**
	 * Decide a call.
	 * @param demands what it asks of each rule, at least one
	 * @return the decision over all of them
	 */
	public Decision acquire(List<Demand> demands) {
		check(demands);
		try {
			Decision decision = Decisions.of(demands, this.store.acquire(demands), this.store.origin());
			this.failurePolicy.storeAnswered();
			return decision;
		}
		catch (StoreException ex) {
			return this.failurePolicy.decide(demands, ex);
		}
	}

	/**
	 * Decide a call without blocking the caller.
	 * @param demands what it asks of each rule, at least one
	 * @return the decision over all of them, later
	 */
	public CompletionStage<Decision> acquireAsync(List<Demand> demands) {
		check(demands);
		return this.store.acquireAsync(demands).handle((outcomes, failure) -> {
			if (failure == null) {
				this.failurePolicy.storeAnswered();
				return Decisions.of(demands, outcomes, this.store.origin());
			}
			Throwable cause = (failure instanceof CompletionException && failure.getCause() != null)
					? failure.getCause() : failure;
			if (cause instanceof StoreException storeFailure) {
				return this.failurePolicy.decide(demands, storeFailure);
			}
			throw new CompletionException(cause);
		});
	}

	/**
	 * Forget what was counted.
	 * @param rule the rule
	 * @param key who or what was counted
	 */
	public void reset(RateLimitRule rule, String key) {
		try {
			this.store.reset(rule, key);
		}
		catch (StoreException ex) {
			throw this.failurePolicy.unavailable(rule, ex);
		}
		finally {
			this.failurePolicy.reset(rule, key);
		}
	}

	private static void check(List<Demand> demands) {
		if (demands.size() < 2) {
			return;
		}
		Set<Object> seen = new HashSet<>();
		for (Demand demand : demands) {
			if (!seen.add(List.of(demand.rule().name(), demand.key()))) {
				throw new IllegalArgumentException(
						"A call takes from rule \"" + demand.rule().name() + "\" twice for the same key.");
			}
		}
	}

}
