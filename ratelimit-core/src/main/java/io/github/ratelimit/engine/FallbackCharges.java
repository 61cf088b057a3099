package io.github.ratelimit.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.concurrent.RepeatedTask;
import io.github.ratelimit.concurrent.StageFailure;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.FallbackStore;
import io.github.ratelimit.store.FallbackStore.Uncharged;
import io.github.ratelimit.store.RemoteStore;
import io.github.ratelimit.store.StoreException;

/**
 * Loop that charges the counts of the fallback to the store as soon as that answers,
 * after an outage and after a single failed call. One {@link Pass} runs at a time, off
 * the callers' path, and one with a failed charge is repeated after a pause. Open
 * circuits do not matter: one that never opens would grant a second quota as well.
 *
 * <p>
 * Counts are charged, and calls are not replayed: that would need the times of all calls,
 * and states that merge. A charge counts as of now, which is stricter by one period at
 * most. A charge whose reply is lost is repeated. It may count twice, but neither beyond
 * {@code max} nor for longer than a period; to prevent that, each key would need another
 * one for the identifiers of its charges.
 */
final class FallbackCharges {

	/** Largest number of pauses between two passes that fail. */
	private static final int LONGEST_PAUSE = 10;

	/** Largest number of charges under way. */
	private static final int AT_ONCE = 100;

	private static final Logger logger = System.getLogger(FallbackCharges.class.getName());

	private final FallbackStore fallback;

	private final RemoteStore store;

	private final Predicate<Object> isSilent;

	private final BiConsumer<Demand, StoreException> failures;

	private final Executor worker;

	private final RepeatedTask pauses;

	private boolean running;

	private boolean again;

	private int pause = 1;

	/** Number of pauses before the next pass. */
	private int pausesLeft;

	private boolean closed;

	/**
	 * Create a new loop.
	 * @param isSilent whether a failure domain of the store does not answer
	 * @param failures gets failures of the store, each with a demand that it concerns
	 * @param worker runs passes
	 * @param pauses calls {@link #pauseEnded()} after each pause
	 */
	FallbackCharges(FallbackStore fallback, RemoteStore store, Predicate<Object> isSilent,
			BiConsumer<Demand, StoreException> failures, Executor worker, RepeatedTask pauses) {
		this.fallback = fallback;
		this.store = store;
		this.isSilent = isSilent;
		this.failures = failures;
		this.worker = worker;
		this.pauses = pauses;
	}

	/**
	 * Charge the counts of a call that the fallback has counted, unless the store is
	 * silent. After a charge that failed, the next pass after the pause does so: as long
	 * as charges are refused, passes without pauses would keep a processor busy.
	 */
	void counted(Demands demands) {
		for (Demand demand : demands.asList()) {
			if (demand.cost() > 0 && !this.isSilent.test(this.store.failureDomain(demand))) {
				chargeUnlessPausing();
				return;
			}
		}
	}

	private synchronized void chargeUnlessPausing() {
		if (this.pausesLeft == 0) {
			charge();
		}
		else {
			this.pauses.wake();
		}
	}

	synchronized void charge() {
		if (this.running) {
			this.again = !this.closed;
		}
		else if (!this.closed) {
			start();
		}
	}

	private void start() {
		this.running = true;
		try {
			this.worker.execute(new Pass());
		}
		catch (Throwable ex) { // no thread
			ended(true);
		}
	}

	private synchronized void ended(boolean failed) {
		this.running = false;
		if (!failed) {
			this.pause = 1;
		}
		else if (this.pausesLeft == 0) {
			this.pausesLeft = this.pause;
			this.pause = Math.min(LONGEST_PAUSE, 2 * this.pause);
			this.pauses.wake();
		}
		if (this.again) {
			this.again = false;
			start();
		}
	}

	/**
	 * Charge, if there are no more pauses.
	 * @return whether there are more
	 */
	synchronized boolean pauseEnded() {
		if (this.pausesLeft > 0 && --this.pausesLeft == 0) {
			charge();
		}
		return this.pausesLeft > 0;
	}

	synchronized void close() {
		this.closed = true;
		this.again = false;
	}

	/**
	 * Pass through all counts that are not charged yet, some of them at once. Charges to
	 * a failure domain that does not answer are left for the next pass.
	 */
	private final class Pass implements Runnable {

		private final Iterator<? extends Uncharged> left = FallbackCharges.this.fallback.uncharged().iterator();

		private final Set<Object> silentByNow = ConcurrentHashMap.newKeySet();

		private volatile boolean failed;

		/**
		 * Send the batches one after the other: in a loop as long as they end at once,
		 * otherwise when the one before has ended.
		 */
		@Override
		public void run() {
			try {
				CompletableFuture<?> batch = nextBatch();
				while (batch != null && batch.isDone()) {
					batch = nextBatch();
				}
				if (batch != null) {
					batch.whenComplete((done, failure) -> goOn());
					return;
				}
			}
			catch (Throwable ex) { // no memory
				this.failed = true;
			}
			FallbackCharges.this.ended(this.failed);
		}

		private void goOn() {
			try {
				FallbackCharges.this.worker.execute(this);
			}
			catch (Throwable ex) { // no thread
				FallbackCharges.this.ended(true);
			}
		}

		/**
		 * Send a batch of charges.
		 * @return a future that completes when all of them have ended, or {@code null} if
		 * there are no more
		 */
		private @Nullable CompletableFuture<?> nextBatch() {
			List<CompletableFuture<?>> sent = new ArrayList<>();
			while (sent.size() < AT_ONCE && this.left.hasNext()) {
				CompletableFuture<?> charged = charge(this.left.next());
				if (charged != null) {
					sent.add(charged);
				}
			}
			return sent.isEmpty() ? null : CompletableFuture.allOf(sent.toArray(CompletableFuture<?>[]::new));
		}

		/**
		 * Send a charge.
		 * @return a future that completes when it has ended, or {@code null} if there is
		 * none to send now
		 */
		private @Nullable CompletableFuture<?> charge(Uncharged uncharged) {
			try {
				Object domain = FallbackCharges.this.store.failureDomain(uncharged.demand());
				Correction charge = (this.silentByNow.contains(domain) || FallbackCharges.this.isSilent.test(domain))
						? null : uncharged.begin();
				return (charge != null) ? CompletableFuture.completedStage(charge)
					.thenCompose((only) -> FallbackCharges.this.store.correct(List.of(only)))
					.toCompletableFuture()
					.handle((counted, failure) -> ended(uncharged, domain, counted, failure)) : null;
			}
			catch (Throwable ex) {
				uncharged.failed();
				failed(uncharged, ex);
				return null;
			}
		}

		private boolean ended(Uncharged uncharged, Object domain, @Nullable List<long[]> counted,
				@Nullable Throwable failure) {
			if (counted != null) {
				uncharged.succeeded(counted.get(0));
				return true;
			}
			uncharged.failed();
			Throwable cause = StageFailure.cause(failure);
			if (cause instanceof StoreException storeFailure && storeFailure.isOutage()) {
				this.silentByNow.add(domain);
			}
			failed(uncharged, cause);
			return false;
		}

		private void failed(Uncharged concerned, Throwable cause) {
			this.failed = true;
			if (cause instanceof StoreException storeFailure) {
				FallbackCharges.this.failures.accept(concerned.demand(), storeFailure);
			}
			else {
				logger.log(Level.DEBUG, "Counts of the fallback could not be charged", cause);
			}
		}

	}

}
