package io.github.ratelimit.engine;

import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.StoreAnswer;

/**
 * Decider of calls by a store that {@linkplain RateLimitStore#alwaysAnswers() always
 * answers}: no circuit is checked, and no failure is handled.
 */
final class LocalDecider extends Decider {

	private final RateLimitStore store;

	private final Listeners listeners;

	/**
	 * Create a new decider.
	 * @param general the decider of all other calls
	 */
	LocalDecider(Decider general, DecisionReport report, RateLimitStore store, Listeners listeners) {
		super(general, report);
		this.store = store;
		this.listeners = listeners;
	}

	@Override
	DecidedCall decideByStore(Demands demands) {
		long start = this.listeners.start();
		StoreAnswer answer = this.store.acquire(demands);
		this.listeners.storeCalled(start);
		return counted(answer);
	}

}
