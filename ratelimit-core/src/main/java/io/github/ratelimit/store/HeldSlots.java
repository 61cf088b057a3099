package io.github.ratelimit.store;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Limit;

/**
 * Slots of all calls of this instance that run, for a store that keeps counts as bytes.
 * Their leases are renewed three times per lease, off the path of calls. Slots whose
 * calls have ended are freed again until the store has answered.
 *
 * @since 0.1.0
 */
public final class HeldSlots {

	private static final int RENEWALS_PER_LEASE = 3;

	/**
	 * Pause between two looks at what is due: a part of the shortest lease.
	 */
	private static final long TICK = Limit.MIN_LEASE.toMillis() / 5;

	/**
	 * Longest pause before what has failed is repeated.
	 */
	private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);

	/**
	 * By the number of the call.
	 */
	private final Map<Integer, Held> held = new ConcurrentHashMap<>();

	private final Calls calls;

	private final LongSupplier clock;

	private final ScheduledExecutorService timer;

	private final LostSlots lost;

	private final AtomicBoolean ticks = new AtomicBoolean();

	/**
	 * Create an instance without slots.
	 * @param calls calls the store
	 * @param clock the time of this process in nanoseconds
	 * @param timer schedules renewals from the first slot on
	 * @param events returns who hears of each call that has lost its slots
	 */
	public HeldSlots(Calls calls, LongSupplier clock, ScheduledExecutorService timer,
			Supplier<RemoteStore.@Nullable Events> events) {
		this.calls = calls;
		this.clock = clock;
		this.timer = timer;
		this.lost = new LostSlots(events);
	}

	private void tick() {
		if (this.ticks.compareAndSet(false, true)) {
			this.timer.scheduleWithFixedDelay(() -> renew(Duration.ZERO), TICK, TICK, TimeUnit.MILLISECONDS);
		}
	}

	private Held held(Demand demand) {
		tick();
		return this.held.computeIfAbsent(demand.call(), (call) -> new Held(demand, this.clock));
	}

	/**
	 * Follow a call that takes slots.
	 * @param demand its demand
	 * @param answer the answer of the store, which comes before that to later calls for
	 * the key
	 */
	public void follow(Demand demand, CompletableFuture<StoreAnswer> answer) {
		if (demand.needsEnd() && demand.cost() > 0) {
			Held slots = new Held(demand, this.clock);
			this.held.put(demand.call(), slots);
			slots.pending = answer.whenComplete((decided, failure) -> {
				if (failure != null) {
					slots.becomes(true);
				}
				else if (!decided.isAdmitted()) {
					this.held.remove(demand.call(), slots);
				}
			});
			tick();
		}
	}

	/**
	 * Hold the slots of a call that runs although the store has not admitted it.
	 * @param demand its demand
	 */
	public void hold(Demand demand) {
		if (demand.needsEnd() && demand.cost() > 0) {
			held(demand).becomes(false);
		}
	}

	/**
	 * Free the slots of a call that has ended, when the store answers: at once if it has
	 * answered that the call holds them.
	 * @param demand its demand
	 */
	public void free(Demand demand) {
		if (demand.needsEnd()) {
			Held slots = held(demand);
			slots.becomes(true);
			if (slots.isConfirmed) {
				slots.due = this.clock.getAsLong();
				this.timer.execute(() -> renew(Duration.ZERO));
			}
		}
	}

	/**
	 * End a call by the refund that frees its slots. No renewal takes them again.
	 * @param demand its demand
	 * @param refund begins the refund
	 * @return the answer to the refund itself, so that a caller can give it up
	 * @param <T> the type of the answer
	 */
	public <T> CompletableFuture<T> end(Demand demand, Supplier<CompletableFuture<T>> refund) {
		Held slots = this.held.get(demand.call());
		if (slots != null) {
			slots.hasEnded = true;
		}
		CompletableFuture<T> answer = refund.get();
		answer.whenComplete((done, failure) -> {
			if (failure != null) {
				free(demand);
			}
			else {
				this.held.remove(demand.call());
			}
		});
		return answer;
	}

	/**
	 * Renew the leases that are due, and free slots of ended calls.
	 * @param within the time within which they are due
	 * @return completes when the store has answered
	 */
	public CompletableFuture<Void> renew(Duration within) {
		this.lost.report();
		long now = this.clock.getAsLong() + within.toNanos();
		return CompletableFuture.allOf(this.held.values()
			.stream()
			.filter((slots) -> slots.due - now <= 0)
			.map((slots) -> slots.pending.isDone() ? renew(slots) : slots.pending)
			.toArray(CompletableFuture[]::new));
	}

	private CompletableFuture<?> renew(Held slots) {
		Demand demand = slots.demand;
		slots.repeatSoon();
		slots.pending = this.calls.call(demand, (stored) -> {
			if (slots.hasEnded) {
				stored.correct(Correction.refund(demand.withCost(0), Correction.NEWEST));
				return State.FREE;
			}
			return stored.hold(demand) ? State.HELD : State.LOST;
		}).thenAccept((state) -> renewed(slots, state));
		return slots.pending;
	}

	private void renewed(Held slots, State state) {
		if (state == State.HELD) {
			slots.renewed();
		}
		else if (state == State.LOST || slots.hasEnded) {
			boolean isLost = this.held.remove(slots.demand.call(), slots) && !slots.hasEnded;
			if (isLost) {
				this.lost.add(slots.demand);
			}
		}
	}

	/**
	 * Free all slots although their calls may run.
	 * @return completes when the store has answered
	 */
	public CompletableFuture<Void> freeAll() {
		this.held.values().forEach((slots) -> slots.hasEnded = true);
		return CompletableFuture.allOf(this.held.values().stream().map(this::renew).toArray(CompletableFuture[]::new));
	}

	/**
	 * Calls of the store.
	 */
	public interface Calls {

		/**
		 * Make a call for the counts of a key.
		 * @param demand a demand for the key
		 * @param call the call
		 * @return completes with its result when the counts are written
		 */
		CompletableFuture<State> call(Demand demand, Function<StoredCalls<?>, State> call);

	}

	/**
	 * State of the slots of a call in the store.
	 */
	public enum State {

		/**
		 * The call holds them.
		 */
		HELD,

		/**
		 * The call has ended.
		 */
		FREE,

		/**
		 * Other calls hold them.
		 */
		LOST

	}

	/**
	 * Slots of one call.
	 */
	private static final class Held {

		private final Demand demand;

		private final LongSupplier clock;

		/**
		 * Pause between two renewals: a part of the shortest lease of the limits.
		 */
		private final long pause;

		private volatile boolean hasEnded;

		private volatile boolean isConfirmed;

		private volatile long due;

		/**
		 * The latest call: there is no other one before the store has answered.
		 */
		private volatile CompletableFuture<?> pending = CompletableFuture.completedFuture(null);

		Held(Demand demand, LongSupplier clock) {
			this.demand = demand;
			this.clock = clock;
			this.pause = demand.counts().leaseNanos() / RENEWALS_PER_LEASE;
			this.due = this.clock.getAsLong() + this.pause;
		}

		void becomes(boolean ended) {
			this.hasEnded = ended;
			this.isConfirmed &= ended;
			repeatSoon();
		}

		void repeatSoon() {
			this.due = this.clock.getAsLong() + Math.min(PAUSE, this.pause);
		}

		void renewed() {
			this.isConfirmed = true;
			if (!this.hasEnded) {
				this.due = this.clock.getAsLong() + this.pause;
			}
		}

	}

}
