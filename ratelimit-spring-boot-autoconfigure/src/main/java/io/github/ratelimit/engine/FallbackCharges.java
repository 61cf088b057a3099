package io.github.ratelimit.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.Charge;
import io.github.ratelimit.store.ChargeException;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.StandIn;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.Uncharged;

/**
 * Loop that charges the counts of the fallback to the store, as soon as that answers:
 * after an outage, and after a single call that failed. It passes through all that is
 * uncharged, in batches of which one is under way; what a part of the store does not
 * answer for is left for the next pass. One pass runs at a time, off the callers' path,
 * and a pass in which a charge failed is repeated after a pause.
 */
final class FallbackCharges {

	private static final Logger logger = System.getLogger(FallbackCharges.class.getName());

	/**
	 * How many keys a batch has at most. A batch with fewer is one of calls that failed
	 * while the store was asked, and not what is left of an outage: what the store has
	 * counted of its keys is learned as well.
	 */
	static final int AT_ONCE = 100;

	/**
	 * How many pauses there are at most between two passes that fail.
	 */
	private static final int LONGEST_PAUSE = 10;

	private final StandIn fallback;

	private final RateLimitStore store;

	private final Predicate<Object> isSilent;

	private final Consumer<StoreException> failures;

	private final Executor worker;

	private final Executor afterPause;

	private @Nullable CompletableFuture<Void> running;

	private @Nullable CompletableFuture<Void> next;

	private int pause = 1;

	private boolean closed;

	/**
	 * Create a new loop.
	 * @param fallback what has counts to charge
	 * @param store what they are charged to
	 * @param isSilent whether a part of the store does not answer
	 * @param failures takes note of failures of the store
	 * @param worker runs passes
	 * @param afterPause runs something a little later
	 */
	FallbackCharges(StandIn fallback, RateLimitStore store, Predicate<Object> isSilent,
			Consumer<StoreException> failures, Executor worker, Executor afterPause) {
		this.fallback = fallback;
		this.store = store;
		this.isSilent = isSilent;
		this.failures = failures;
		this.worker = worker;
		this.afterPause = afterPause;
	}

	/**
	 * Charge what the fallback has just counted, unless the store does not answer.
	 */
	void counted(List<Demand> demands) {
		for (Demand demand : demands) {
			if (demand.cost() > 0 && !this.isSilent.test(this.store.partOf(demand))) {
				charge();
				return;
			}
		}
	}

	/**
	 * Charge all that is uncharged by now.
	 * @return when it is charged, or has failed; never fails
	 */
	synchronized CompletionStage<Void> charge() {
		if (this.closed) {
			return CompletableFuture.completedStage(null);
		}
		if (this.running == null) {
			return start(new CompletableFuture<>());
		}
		if (this.next == null) {
			this.next = new CompletableFuture<>();
		}
		return this.next;
	}

	private CompletableFuture<Void> start(CompletableFuture<Void> done) {
		Pass pass = new Pass();
		this.running = done;
		this.worker.execute(pass);
		return done;
	}

	private void ended(boolean failed) {
		CompletableFuture<Void> done;
		int pauses;
		synchronized (this) {
			done = this.running;
			pauses = this.pause;
			this.pause = failed ? Math.min(LONGEST_PAUSE, 2 * pauses) : 1;
			this.running = null;
			if (this.next != null) {
				start(this.next);
				this.next = null;
			}
		}
		if (done != null) {
			done.complete(null);
		}
		if (failed) {
			chargeAfter(pauses);
		}
	}

	private void chargeAfter(int pauses) {
		this.afterPause.execute(() -> {
			if (pauses > 1) {
				chargeAfter(pauses - 1);
			}
			else {
				charge();
			}
		});
	}

	/**
	 * Charge no more.
	 */
	synchronized void close() {
		this.closed = true;
		this.next = null;
	}

	/**
	 * One pass through all that is uncharged.
	 */
	private final class Pass implements Runnable {

		private final Iterator<? extends Uncharged> left = FallbackCharges.this.fallback.uncharged().iterator();

		private final Set<Object> silent = ConcurrentHashMap.newKeySet();

		private volatile boolean failed;

		/**
		 * Batches that end at once follow each other in a loop, others call again.
		 */
		@Override
		public void run() {
			CompletableFuture<?> batch = nextBatch();
			while (batch != null && batch.isDone()) {
				batch = nextBatch();
			}
			if (batch != null) {
				batch.whenCompleteAsync((done, failure) -> run(), FallbackCharges.this.worker);
			}
			else {
				ended(this.failed);
			}
		}

		/**
		 * Send as many charges as may be under way.
		 * @return when all of them have ended; {@code null} if there are no more
		 */
		private @Nullable CompletableFuture<?> nextBatch() {
			Map<Object, Map<Charge, Uncharged>> byPart = new HashMap<>();
			for (int size = 0; size < AT_ONCE && this.left.hasNext();) {
				size += begin(this.left.next(), byPart) ? 1 : 0;
			}
			CompletableFuture<?>[] sent = byPart.entrySet()
				.stream()
				.map((entry) -> send(entry.getKey(), entry.getValue()).toCompletableFuture())
				.toArray(CompletableFuture<?>[]::new);
			return (sent.length > 0) ? CompletableFuture.allOf(sent) : null;
		}

		private boolean begin(Uncharged uncharged, Map<Object, Map<Charge, Uncharged>> byPart) {
			try {
				Object part = FallbackCharges.this.store.partOf(uncharged.demand());
				boolean answers = !this.silent.contains(part) && !FallbackCharges.this.isSilent.test(part);
				Charge charge = answers ? uncharged.begin() : null;
				if (charge == null) {
					return false;
				}
				byPart.computeIfAbsent(part, (unknown) -> new IdentityHashMap<>()).put(charge, uncharged);
				return true;
			}
			catch (RuntimeException ex) {
				failed(ex);
				return false;
			}
		}

		private CompletionStage<Void> send(Object part, Map<Charge, Uncharged> batch) {
			return CompletableFuture.completedStage(List.copyOf(batch.keySet()))
				.thenCompose(FallbackCharges.this.store::charge)
				.handle((done, failure) -> (failure != null) ? failed(part, batch, failure) : List.<Charge>of())
				.thenCompose((lost) -> end(batch, Set.copyOf(lost)));
		}

		/**
		 * Take note of a failure.
		 * @return the charges that failed
		 */
		private Collection<Charge> failed(Object part, Map<Charge, Uncharged> batch, Throwable failure) {
			Throwable cause = GuardedStore.cause(failure);
			failed(cause);
			if (cause instanceof StoreException storeFailure && storeFailure.isOutage()) {
				this.silent.add(part);
			}
			return (cause instanceof ChargeException some) ? some.failed() : batch.keySet();
		}

		private void failed(Throwable cause) {
			this.failed = true;
			if (cause instanceof StoreException storeFailure) {
				FallbackCharges.this.failures.accept(storeFailure);
			}
			else {
				logger.log(Level.DEBUG, "What was counted in the fallback could not be charged", cause);
			}
		}

		private CompletionStage<Void> end(Map<Charge, Uncharged> batch, Set<Charge> lost) {
			List<Demand> charged = new ArrayList<>();
			batch.forEach((charge, uncharged) -> {
				if (lost.contains(charge)) {
					uncharged.failed();
				}
				else {
					uncharged.succeeded();
					charged.add(uncharged.demand());
				}
			});
			return (batch.size() < AT_ONCE) ? learn(charged) : CompletableFuture.completedStage(null);
		}

		/**
		 * Learn what the store has counted. That nobody answers does not matter.
		 */
		private CompletionStage<Void> learn(List<Demand> charged) {
			return CompletableFuture.allOf(charged.stream().map((demand) -> {
				List<Demand> demands = List.of(demand);
				return CompletableFuture.completedStage(demands)
					.thenCompose(FallbackCharges.this.store::acquireAsync)
					.thenAccept((answer) -> FallbackCharges.this.fallback.heard(demands, answer))
					.exceptionally((failure) -> null)
					.toCompletableFuture();
			}).toArray(CompletableFuture<?>[]::new));
		}

	}

}
