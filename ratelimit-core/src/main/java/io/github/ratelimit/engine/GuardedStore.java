package io.github.ratelimit.engine;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Decision;
import io.github.ratelimit.concurrent.StageFailure;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RemoteStore;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredKey;

/**
 * Guarded store, the only path by which calls reach the store: decisions, peeks,
 * corrections and resets alike. A circuit for each failure domain of a
 * {@link RemoteStore} refuses calls that would fail; {@link StoreRecovery} closes it
 * again. Corrections that fail open the circuit as well. While it is open none is sent,
 * and the units of calls stay counted. Calls of other stores are timed only.
 */
final class GuardedStore implements TakenUnits.Target {

	static final StoreException OPEN = new StoreException("The store did not answer lately", null, "open", false, null);

	private final RateLimitStore store;

	private final Decision.Origin origin;

	private final Listeners listeners;

	private final @Nullable StoreRecovery recovery;

	private final @Nullable CircuitRegistry circuits;

	private final boolean previews;

	/**
	 * Create a new guard.
	 * @param recovery the recovery that closes the circuits that the guard opens, or
	 * {@code null} for a store that always answers
	 */
	GuardedStore(RateLimitStore store, Listeners listeners, @Nullable StoreRecovery recovery) {
		this(store, listeners, recovery, false);
	}

	private GuardedStore(RateLimitStore store, Listeners listeners, @Nullable StoreRecovery recovery,
			boolean previews) {
		this.store = store;
		this.origin = store.origin();
		this.listeners = listeners;
		this.recovery = recovery;
		this.circuits = (recovery != null) ? recovery.circuits() : null;
		this.previews = previews;
	}

	Decision.Origin origin() {
		return this.origin;
	}

	StoreAnswer acquire(Demands demands) {
		return call(demands, () -> this.previews ? this.store.preview(demands) : this.store.acquire(demands));
	}

	CompletionStage<StoreAnswer> acquireAsync(Demands demands) {
		return callAsync(demands, () -> this.previews ? CompletableFuture.completedFuture(this.store.preview(demands))
				: this.store.acquireAsync(demands));
	}

	RuleAnswer peek(Demand demand) {
		return call(demand, () -> this.store.peek(demand));
	}

	/**
	 * Return this guard of the same store, whose calls get the answer that they would get
	 * now and are not counted.
	 */
	GuardedStore previewing() {
		return new GuardedStore(this.store, this.listeners, this.recovery, true);
	}

	@Override
	public boolean mayBlock() {
		return this.recovery == null || this.recovery.store().mayBlock();
	}

	void checkThread(String rule) {
		if (this.recovery != null) {
			this.recovery.store().checkThread(rule);
		}
	}

	@Override
	public CompletionStage<List<long[]>> correct(List<Correction> corrections) {
		StoreRecovery recovery = this.recovery;
		if (recovery != null && !recovery.circuits().areFine()) {
			recovery.free(corrections);
		}
		Demands demands = Demands.of(corrections.stream().map(Correction::demand).toList());
		CompletionStage<List<long[]>> corrected = callAsync(demands, () -> this.store.correct(corrections));
		return (recovery == null) ? corrected : corrected.whenComplete((done, failure) -> {
			if (failure == OPEN) { // unlike a decision it has no fallback, and is lost
				recovery.report().failed(OPEN);
			}
		});
	}

	void reset(RuleCounts counts, StoredKey key) {
		call(new Demand(counts, key, 0), () -> {
			this.store.reset(counts, key);
			return null;
		});
	}

	private <T> T call(Demands demands, Supplier<T> operation) {
		if (!isFine() && this.recovery.refuses(demands)) {
			throw OPEN;
		}
		long start = this.listeners.start();
		try {
			T answer = operation.get();
			if (!isFine()) {
				this.recovery.answered(demands);
			}
			return answer;
		}
		catch (StoreException ex) {
			failed(demands, ex);
			throw ex;
		}
		finally {
			this.listeners.storeCalled(start);
		}
	}

	private <T> CompletionStage<T> callAsync(Demands demands, Supplier<CompletionStage<T>> operation) {
		if (!isFine() && this.recovery.refuses(demands)) {
			return CompletableFuture.failedFuture(OPEN);
		}
		long start = this.listeners.start();
		CompletionStage<T> called;
		try {
			called = operation.get();
		}
		catch (RuntimeException ex) { // as a store that does not block may
			called = CompletableFuture.failedFuture(ex);
		}
		return called.whenComplete((answer, failure) -> {
			this.listeners.storeCalled(start);
			if (failure == null && !isFine()) {
				this.recovery.answered(demands);
			}
			else if (failure != null && StageFailure.cause(failure) instanceof StoreException storeFailure) {
				failed(demands, storeFailure);
			}
		});
	}

	/** Return whether no failure domain of the store has failed lately. */
	private boolean isFine() {
		return this.circuits == null || this.circuits.areFine();
	}

	private void failed(Demands demands, StoreException failure) {
		if (this.recovery != null) {
			this.recovery.failed(demands, failure);
		}
	}

}
