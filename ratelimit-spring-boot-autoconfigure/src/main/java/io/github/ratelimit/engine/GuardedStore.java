package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredKey;

/**
 * The store as the engine asks it: a {@link Circuit} for each of its parts, which a probe
 * in the background closes again, and one line in the log per change. Listeners are told
 * as well.
 */
final class GuardedStore {

	/**
	 * How long a store is left alone between two probes.
	 */
	private static final Duration PAUSE = Duration.ofMillis(100);

	/**
	 * How long callers wait at most for what was counted meanwhile to be settled; the
	 * rest is settled beside them.
	 */
	private static final Duration PATIENCE = Duration.ofMillis(300);

	static final StoreException CLOSED = new StoreException("The store did not answer lately", null, "open", false,
			null);

	private final RateLimitStore store;

	private final StoreFailureLog log;

	private final Supplier<CompletionStage<Void>> whenBack;

	private final Listeners listeners;

	private final Executor afterPause;

	private final Circuits circuits = new Circuits();

	private volatile boolean closed;

	/**
	 * Create a new guard.
	 * @param store what is guarded
	 * @param log takes note of failures
	 * @param whenBack what is done before a store that answers again is asked by callers
	 * @param listeners who else takes note
	 */
	GuardedStore(RateLimitStore store, StoreFailureLog log, Supplier<CompletionStage<Void>> whenBack,
			Listeners listeners) {
		this(store, log, whenBack, listeners, CompletableFuture.delayedExecutor(PAUSE.toNanos(), TimeUnit.NANOSECONDS));
	}

	/**
	 * Create a new guard.
	 * @param afterPause runs the next probe
	 */
	GuardedStore(RateLimitStore store, StoreFailureLog log, Supplier<CompletionStage<Void>> whenBack,
			Listeners listeners, Executor afterPause) {
		this.store = store;
		this.log = log;
		this.whenBack = whenBack;
		this.listeners = listeners;
		this.afterPause = afterPause;
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

	StoreAnswer acquire(List<Demand> demands) {
		return ask(demands, this.store::acquire);
	}

	CompletionStage<StoreAnswer> acquireAsync(List<Demand> demands) {
		return askAsync(demands, this.store::acquireAsync);
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

	private <T> CompletionStage<T> askAsync(List<Demand> demands, Function<List<Demand>, CompletionStage<T>> question) {
		try {
			refuseIfOpen(demands);
		}
		catch (StoreException ex) {
			return CompletableFuture.failedFuture(ex);
		}
		long start = this.listeners.start();
		return question.apply(demands).whenComplete((answer, failure) -> {
			this.listeners.storeAsked(start);
			if (failure == null) {
				answered(demands);
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
			if (this.circuits.isOpen(this.store.partOf(demand))) {
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

	private void failed(List<Demand> demands, StoreException failure) {
		noted(failure);
		if (failure.isOutage()) {
			for (Demand demand : demands) {
				Object part = this.store.partOf(demand);
				if (failure.concerns(part) && this.circuits.failed(part)) {
					opened(part, demand, failure);
				}
			}
		}
	}

	private void open(Demand demand, StoreException failure) {
		Object part = this.store.partOf(demand);
		if (this.circuits.open(part)) {
			opened(part, demand, failure);
		}
	}

	private void opened(Object part, Demand demand, StoreException failure) {
		this.store.giveUp(part, failure);
		this.log.opened(failure);
		this.listeners.storeLost(failure.reason());
		probeLater(part, demand);
	}

	private void probeLater(Object part, Demand demand) {
		this.afterPause.execute(() -> probe(part, demand));
	}

	private void probe(Object part, Demand demand) {
		if (!this.closed) {
			CompletableFuture.completedStage(demand)
				.thenCompose(this.store::probe)
				.whenComplete((done, failure) -> probed(part, demand, failure));
		}
	}

	private void probed(Object part, Demand demand, @Nullable Throwable failure) {
		if (failure != null) {
			if (cause(failure) instanceof StoreException storeFailure) {
				noted(storeFailure);
			}
			probeLater(part, demand);
			return;
		}
		handOver().toCompletableFuture()
			.copy()
			.completeOnTimeout(null, PATIENCE.toNanos(), TimeUnit.NANOSECONDS)
			.whenComplete((settled, unsettled) -> close(part));
	}

	/**
	 * What calls have counted elsewhere until this moment is settled after it.
	 */
	private void close(Object part) {
		this.circuits.close(part);
		this.log.closed();
		this.listeners.storeFound();
		handOver();
	}

	private CompletionStage<Void> handOver() {
		return this.whenBack.get().whenComplete((done, failure) -> {
			if (failure != null && cause(failure) instanceof StoreException storeFailure) {
				noted(storeFailure);
			}
		});
	}

	/**
	 * Probe no more.
	 */
	void close() {
		this.closed = true;
	}

}
