package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.concurrent.StageFailure;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.StoreException;

/**
 * Way back of a part of the store that callers do not ask: it is probed in the background
 * until it answers, what the fallback has counted is charged to it, and its circuit is
 * closed. Whatever fails on the way leads to the next probe.
 */
final class StoreRecovery {

	/**
	 * How long callers wait at most until fallback counts are charged; the rest is
	 * charged beside them.
	 */
	private static final Duration PATIENCE = Duration.ofMillis(300);

	private final RateLimitStore store;

	private final Circuits circuits;

	private final FallbackCharges charges;

	private final StoreFailureLog log;

	private final Listeners listeners;

	private final Executor afterPause;

	private volatile boolean closed;

	/**
	 * Create a new recovery.
	 * @param afterPause runs the next probe
	 */
	StoreRecovery(RateLimitStore store, Circuits circuits, FallbackCharges charges, StoreFailureLog log,
			Listeners listeners, Executor afterPause) {
		this.store = store;
		this.circuits = circuits;
		this.charges = charges;
		this.log = log;
		this.listeners = listeners;
		this.afterPause = afterPause;
	}

	/**
	 * Begin to probe a part whose circuit is open.
	 */
	void begin(Object part) {
		this.afterPause.execute(() -> probe(part));
	}

	private void probe(Object part) {
		Demand demand = this.circuits.concerned(part);
		if (!this.closed && demand != null) {
			CompletableFuture.completedStage(demand)
				.thenCompose(this.store::probe)
				.thenCompose((answered) -> charge(part))
				.thenAccept((charged) -> close(part))
				.whenComplete((done, failure) -> probed(part, failure));
		}
	}

	private CompletableFuture<Void> charge(Object part) {
		this.circuits.answersAgain(part);
		return this.charges.charge()
			.toCompletableFuture()
			.copy()
			.completeOnTimeout(null, PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
	}

	/**
	 * What calls that still found the circuit open have counted in the fallback until
	 * this moment is charged after it.
	 */
	private void close(Object part) {
		this.circuits.close(part);
		this.log.closed();
		this.listeners.storeFound();
		this.charges.charge();
	}

	private void probed(Object part, @Nullable Throwable failure) {
		if (failure == null) {
			return;
		}
		if (StageFailure.cause(failure) instanceof StoreException storeFailure) {
			this.log.failed(storeFailure);
			this.listeners.storeFailed(storeFailure.reason(), storeFailure.remedy());
		}
		begin(part);
	}

	/**
	 * Probe no more.
	 */
	void close() {
		this.closed = true;
	}

}
