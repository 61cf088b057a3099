package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.StandIn;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredKey;

/**
 * The store as the engine asks it: a {@link Circuit} for each of its parts, which its
 * {@link StoreRecovery} closes again, and one line in the log per change. Listeners are
 * notified as well. What the fallback counts is charged to the store.
 */
final class GuardedStore {

	/**
	 * How long a store is left alone between two probes.
	 */
	private static final Duration PAUSE = Duration.ofMillis(100);

	static final StoreException CLOSED = new StoreException("The store did not answer lately", null, "open", false,
			null);

	private final RateLimitStore store;

	private final StandIn fallback;

	private final StoreFailureLog log;

	private final Listeners listeners;

	private final Circuits circuits = new Circuits();

	private final FallbackCharges charges;

	private final StoreRecovery recovery;

	/**
	 * Create a new guard.
	 * @param store what is guarded
	 * @param fallback what counts while the store cannot
	 * @param log takes note of failures
	 * @param listeners who else takes note
	 */
	GuardedStore(RateLimitStore store, StandIn fallback, StoreFailureLog log, Listeners listeners) {
		this(store, fallback, log, listeners, CompletableFuture::runAsync,
				CompletableFuture.delayedExecutor(PAUSE.toNanos(), TimeUnit.NANOSECONDS));
	}

	/**
	 * Create a new guard.
	 * @param worker runs charges
	 * @param afterPause runs the next probe, or the next charges after some that failed
	 */
	GuardedStore(RateLimitStore store, StandIn fallback, StoreFailureLog log, Listeners listeners, Executor worker,
			Executor afterPause) {
		this.store = store;
		this.fallback = fallback;
		this.log = log;
		this.listeners = listeners;
		this.charges = new FallbackCharges(fallback, store, this.circuits::isSilent, this::noted, worker, afterPause);
		this.recovery = new StoreRecovery(store, this.circuits, this.charges, log, listeners, afterPause);
	}

	/**
	 * The store itself, to give back what it counted.
	 */
	RateLimitStore unguarded() {
		return this.store;
	}

	/**
	 * Get the store ready. One that is not there is not asked until a probe finds it.
	 */
	void connect(Demand probe) {
		try {
			this.store.connect();
		}
		catch (StoreException ex) {
			noted(ex);
			open(probe, ex);
		}
	}

	boolean isAnswering() {
		return this.circuits.areFine();
	}

	StoreAnswer acquire(List<Demand> demands) {
		StoreAnswer answer = ask(demands, this.store::acquire);
		this.fallback.heard(demands, answer);
		return answer;
	}

	/**
	 * Charge what the fallback has counted, as soon as the store answers.
	 */
	void countedInFallback(List<Demand> demands) {
		this.charges.counted(demands);
	}

	StoreAnswer look(Demand demand) {
		return ask(List.of(demand), (demands) -> this.store.look(demand));
	}

	void giveBack(List<Refund> refunds) {
		ask(demands(refunds), (demands) -> {
			this.store.giveBack(refunds);
			return null;
		});
	}

	void reset(RateLimitRule rule, StoredKey key) {
		ask(List.of(new Demand(rule, key, 0)), (demands) -> {
			this.store.reset(rule, key);
			return null;
		});
	}

	private static List<Demand> demands(List<Refund> refunds) {
		return refunds.stream().map(Refund::demand).toList();
	}

	private <T> T ask(List<Demand> demands, Function<List<Demand>, T> question) {
		refuseIfOpen(demands);
		long start = this.listeners.start();
		try {
			T answer = question.apply(demands);
			answered(demands);
			return answer;
		}
		catch (StoreException ex) {
			failed(demands, ex);
			throw ex;
		}
		finally {
			this.listeners.storeAsked(start);
		}
	}

	CompletionStage<StoreAnswer> acquireAsync(List<Demand> demands) {
		try {
			refuseIfOpen(demands);
		}
		catch (StoreException ex) {
			return CompletableFuture.failedFuture(ex);
		}
		long start = this.listeners.start();
		return this.store.acquireAsync(demands).whenComplete((answer, failure) -> {
			this.listeners.storeAsked(start);
			if (failure == null) {
				answered(demands);
				this.fallback.heard(demands, answer);
			}
			else if (cause(failure) instanceof StoreException storeFailure) {
				failed(demands, storeFailure);
			}
		});
	}

	static Throwable cause(Throwable failure) {
		return (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause() : failure;
	}

	private void refuseIfOpen(List<Demand> demands) {
		if (this.circuits.areFine()) {
			return;
		}
		for (Demand demand : demands) {
			if (this.circuits.refuse(this.store.partOf(demand), demand)) {
				throw CLOSED;
			}
		}
	}

	private void answered(List<Demand> demands) {
		if (this.circuits.areFine()) {
			return;
		}
		for (Demand demand : demands) {
			this.circuits.answered(this.store.partOf(demand));
		}
	}

	private void noted(StoreException failure) {
		this.log.failed(failure);
		this.listeners.storeFailed(failure.reason(), failure.remedy());
	}

	/**
	 * A call is one failure of each part that it asked, however many rules it has.
	 */
	private void failed(List<Demand> demands, StoreException failure) {
		noted(failure);
		if (failure.isOutage()) {
			Set<Object> failedParts = new HashSet<>();
			for (Demand demand : demands) {
				Object part = this.store.partOf(demand);
				if (failure.concerns(part) && failedParts.add(part) && this.circuits.failed(part, demand)) {
					opened(part, failure);
				}
			}
		}
	}

	private void open(Demand demand, StoreException failure) {
		Object part = this.store.partOf(demand);
		if (this.circuits.open(part, demand)) {
			opened(part, failure);
		}
	}

	private void opened(Object part, StoreException failure) {
		this.store.giveUp(part, failure);
		this.log.opened(failure);
		this.listeners.storeLost(failure.reason());
		this.recovery.begin(part);
	}

	/**
	 * Probe and charge no more.
	 */
	void close() {
		this.recovery.close();
		this.charges.close();
	}

}
