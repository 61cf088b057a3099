package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;

import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.concurrency.Interleavings;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RemoteStore;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.local.LocalFallbackStore;
import io.github.ratelimit.store.local.LocalRateLimitStore;

/**
 * What the fallback has counted is charged once, whatever fails meanwhile and however
 * calls, charges and probes interleave; an outage grants one further quota at most.
 */
@Tag("in-ci")
@Tag("concurrency")
public class JournalConcurrencyTests {

	private static final long NOW = 1_700_000_000_000_000L;

	/**
	 * Kept from the garbage collector, and with it the level.
	 */
	private static final List<Logger> SILENT = List.of(Logger.getLogger(StoreReport.class.getName()),
			Logger.getLogger(FallbackCharges.class.getName()));

	static {
		SILENT.forEach((logger) -> logger.setLevel(Level.OFF));
	}

	@Test
	void everyAdmittedCallIsChargedOnce() {
		Interleavings.check(CallsOfManyUnits.class);
	}

	@Test
	void outageGrantsOneFurtherQuotaAtMost() {
		Interleavings.check(CallsOfOneUnit.class);
	}

	/**
	 * Calls of one instance, as {@link Decider} makes them.
	 */
	public abstract static class Calls {

		private final RuleCounts counts;

		private final LocalRateLimitStore store = new LocalRateLimitStore(100, () -> NOW);

		private final LocalFallbackStore fallback = new LocalFallbackStore(100, 1, () -> NOW);

		private final Queue<Runnable> work = new ConcurrentLinkedQueue<>();

		private final Queue<Runnable> pauses = new ConcurrentLinkedQueue<>();

		private final SwitchedStore shared = new SwitchedStore(this.store);

		private final Listeners listeners = new Listeners();

		private final StoreRecovery recovery = new StoreRecovery(this.shared, this.fallback,
				new StoreReport(System::nanoTime, "local", this.listeners), this.work::add,
				ManuallyRepeated.in(this.pauses));

		private final GuardedStore guarded = new GuardedStore(this.shared, this.listeners, this.recovery);

		private final ChargedFallback charged = this.recovery.fallback(() -> OnStoreFailure.LOCAL);

		private final AtomicInteger admitted = new AtomicInteger();

		Calls(long max) {
			this.counts = RuleCounts.of(RateLimitRule.named("rule")
				.limit(Limit.of(max, Duration.ofDays(1)))
				.algorithm(Algorithm.SLIDING_LOG)
				.build());
		}

		private Demand demand() {
			return new Demand(this.counts, "key", 1);
		}

		@Operation
		public void call() {
			if (decide().isAdmitted()) {
				this.admitted.incrementAndGet();
			}
		}

		private StoreAnswer decide() {
			Demand demand = demand();
			if (this.charged.decides(demand)) {
				return this.charged.acquire(demand);
			}
			try {
				return this.guarded.acquire(demand);
			}
			catch (StoreException ex) {
				return this.charged.acquire(demand);
			}
		}

		@Operation
		public void fail() {
			this.shared.fails = true;
		}

		@Operation
		public void answer() {
			this.shared.fails = false;
		}

		@Operation
		public void work() {
			run(this.work);
		}

		@Operation
		public void pause() {
			run(this.pauses);
		}

		private static boolean run(Queue<Runnable> tasks) {
			Runnable next = tasks.poll();
			if (next != null) {
				next.run();
			}
			return next != null;
		}

		/**
		 * Let the store answer until nothing is left to do.
		 * @return the number of calls that were admitted
		 */
		int admittedInTheEnd() {
			this.shared.fails = false;
			for (int rounds = 0; run(this.work) || run(this.pauses); rounds++) {
				if (rounds == 200) {
					throw new IllegalStateException("Charges never end");
				}
			}
			if (this.fallback.hasUncharged(demand())) {
				throw new IllegalStateException("Counts were never charged");
			}
			return this.admitted.get();
		}

		long left() {
			return this.store.peek(demand()).outcome(0).remaining();
		}

	}

	/**
	 * Calls that the limit never denies.
	 */
	public static class CallsOfManyUnits extends Calls {

		private static final int MANY = 50;

		public CallsOfManyUnits() {
			super(MANY);
		}

		@Validate
		public void allAreCounted() {
			int admitted = admittedInTheEnd();
			if (left() != MANY - admitted) {
				throw new IllegalStateException(admitted + " calls were admitted, " + (MANY - left()) + " counted");
			}
		}

	}

	/**
	 * Calls of which the limit admits one.
	 */
	public static class CallsOfOneUnit extends Calls {

		public CallsOfOneUnit() {
			super(1);
		}

		@Validate
		public void noMoreAreAdmitted() {
			int admitted = admittedInTheEnd();
			if (admitted > 2) {
				throw new IllegalStateException(admitted + " calls were admitted");
			}
			if (admitted > 0 && left() > 0) {
				throw new IllegalStateException("No call was counted");
			}
		}

	}

	/**
	 * Store that fails while it is told to.
	 */
	private static final class SwitchedStore implements RemoteStore {

		private final LocalRateLimitStore store;

		private volatile boolean fails;

		SwitchedStore(LocalRateLimitStore store) {
			this.store = store;
		}

		private void failIfTold() {
			if (this.fails) {
				throw new StoreException("lost", null, "timeout", true, null);
			}
		}

		@Override
		public StoreAnswer acquire(Demands demands) {
			failIfTold();
			return this.store.acquire(demands);
		}

		@Override
		public CompletionStage<List<long[]>> correct(List<Correction> corrections) {
			try {
				failIfTold();
			}
			catch (StoreException ex) {
				return CompletableFuture.failedFuture(ex);
			}
			return this.store.correct(corrections);
		}

		@Override
		public void reset(RuleCounts counts, StoredKey key) {
			failIfTold();
			this.store.reset(counts, key);
		}

		@Override
		public Decision.Origin origin() {
			return Decision.Origin.REDIS;
		}

	}

}
