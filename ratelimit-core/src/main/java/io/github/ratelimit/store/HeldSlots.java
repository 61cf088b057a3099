package io.github.ratelimit.store;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.concurrent.StageFailure;
import io.github.ratelimit.store.Correction.Kind;

/**
 * Slots of all calls of this instance that run. Their leases are renewed three times per
 * lease, off the path of calls, while there are some. Slots whose calls have ended are
 * freed again and again, whatever circuits are open, until the store has answered.
 *
 * @since 0.1.0
 */
public final class HeldSlots {

	private static final Logger logger = System.getLogger(HeldSlots.class.getName());

	private static final int RENEWALS_PER_LEASE = 3;

	/** Longest pause before what has failed is repeated. */
	private static final long PAUSE = Duration.ofSeconds(1).toNanos();

	/**
	 * Time after which no call reaches the store any more whose caller has given it up.
	 * Clients that block keep calls in a queue while they connect.
	 */
	private static final long LATEST = Duration.ofSeconds(10).toNanos();

	/** Number of slots beyond which those that are free are forgotten at once. */
	private static final int MOST_FREED = 100_000;

	/** By the number of the call. */
	private final Map<Integer, Held> slots = new ConcurrentHashMap<>();

	/** Calls that have lost their slots since the last renewal, by rule. */
	private final Map<String, Integer> lost = new ConcurrentHashMap<>();

	private final Leases leases;

	private final LongSupplier clock;

	private final ObjLongConsumer<Runnable> timer;

	private final Supplier<RemoteStore.@Nullable Events> events;

	/** Time of the next renewal. Only an earlier one takes its place. */
	private final AtomicReference<@Nullable Long> next = new AtomicReference<>();

	private volatile boolean closed;

	/**
	 * Create an instance without slots.
	 * @param leases renews the leases
	 * @param clock the time of this process in nanoseconds
	 * @param timer runs renewals, after some nanoseconds
	 * @param events returns who hears of each call that has lost its slots
	 */
	public HeldSlots(Leases leases, LongSupplier clock, ObjLongConsumer<Runnable> timer,
			Supplier<RemoteStore.@Nullable Events> events) {
		this.leases = leases;
		this.clock = clock;
		this.timer = timer;
		this.events = events;
	}

	/** Follow a call that is about to be sent, if it takes slots. */
	public void follow(Demands demands, CompletableFuture<StoreAnswer> answer) {
		if (demands.needsEnd()) {
			demands.asList().stream().filter(HeldSlots::takesSlots).forEach((demand) -> follow(demand, answer));
		}
	}

	private void follow(Demand demand, CompletableFuture<StoreAnswer> answer) {
		Held call = add(demand, true);
		answer.whenComplete((decided, failure) -> {
			if (failure != null && hasTakenNothing(failure)) {
				call.notTaken();
			}
			else if (failure != null) {
				call.unanswered = true;
				call.state.compareAndSet(State.SENT, State.ENDED);
				renewWithin(PAUSE);
			}
			else if (decided.isAdmitted()) {
				call.state.compareAndSet(State.SENT, State.HELD);
			}
			else {
				remove(call);
			}
		});
	}

	/**
	 * Return whether a call has taken nothing for sure: the store refuses its counts, or
	 * has not got it because too many others wait. To free its slots would make the store
	 * work for each call that is too many.
	 */
	private boolean hasTakenNothing(Throwable failure) {
		return this.leases.isRefusal(failure)
				|| StageFailure.cause(failure) instanceof StoreException ex && ex.reason().equals("overload");
	}

	/**
	 * Return whether a call takes slots. One that another part of the store has denied
	 * only peeks.
	 */
	private static boolean takesSlots(Demand demand) {
		return demand.needsEnd() && demand.cost() > 0;
	}

	/**
	 * Add a call. The headroom of its class matters only until it is admitted. Its plan
	 * matters as long as it runs: {@code max} is that of the plan, and slots that were
	 * lost are taken again only if there is room by it.
	 */
	private Held add(Demand demand, boolean sent) {
		Held call = new Held(demand.withCounts(RuleVariants.of(demand.counts()).withoutClass()), sent);
		this.slots.put(demand.call(), call);
		renewWithin(call.leaseNanos / RENEWALS_PER_LEASE);
		return call;
	}

	private boolean remove(Held call) {
		return this.slots.remove(call.demand.call(), call);
	}

	/**
	 * Hold the slots of a call that runs although the store has not admitted it: they are
	 * taken when the store answers, if slots are free.
	 */
	public void hold(Demand demand) {
		if (takesSlots(demand)) {
			Held known = this.slots.get(demand.call());
			Held call = (known != null) ? known : add(demand, false);
			call.goOn();
			call.checkAgain();
			renewWithin(PAUSE);
		}
	}

	/**
	 * Note that a call ends by a refund that is about to be sent. Its slots are freed in
	 * the background until they are {@linkplain #refunded refunded}. A call that goes on
	 * without the store ends when they are {@linkplain #free freed}, and not by a refund
	 * of what the store has counted of it.
	 * @param correction the refund; other corrections do not matter
	 */
	public void end(Correction correction) {
		Held call = freedBy(correction);
		if (call != null) {
			call.endUnlessItGoesOn();
		}
	}

	private @Nullable Held freedBy(Correction correction) {
		boolean freesSlots = correction.kind() == Kind.REFUND && correction.demand().needsEnd();
		return freesSlots ? this.slots.get(correction.demand().call()) : null;
	}

	/**
	 * Free the slots of a call that has ended, when the store answers: at once if it has
	 * answered that the call holds them. There is nothing to free if the call ran without
	 * the store from its beginning to its end.
	 */
	public void free(Demand demand) {
		if (demand.needsEnd()) {
			Held known = this.slots.get(demand.call());
			Held call = (known != null) ? known : add(demand, true);
			boolean isConfirmed = call.term != null;
			if (call.end()) {
				renewWithin(isConfirmed ? 0 : PAUSE);
			}
			else {
				remove(call);
			}
		}
	}

	/**
	 * Note the answer to a refund. If it failed, the slots are freed later, unless the
	 * call goes on without the store.
	 * @param correction the refund; other corrections do not matter
	 * @param failure the failure, {@code null} if the slots are free
	 */
	public void refunded(Correction correction, @Nullable Throwable failure) {
		Held call = freedBy(correction);
		if (call != null) {
			if (failure == null) {
				call.freed();
			}
			else {
				call.endUnlessItGoesOn();
				call.checkAgain();
				renewWithin(PAUSE);
			}
		}
	}

	/**
	 * Renew the leases soon.
	 * @param nanos the time within which to renew them
	 */
	public void renewWithin(long nanos) {
		Long due = this.clock.getAsLong() + nanos;
		Long planned = this.next.get();
		while (planned == null || planned - due > 0) {
			if (this.next.compareAndSet(planned, due)) {
				try {
					this.timer.accept(() -> {
						if (this.next.compareAndSet(due, null)) {
							renewNow();
						}
					}, nanos);
				}
				catch (Throwable ex) { // no timer, so the next call plans it
					this.next.compareAndSet(due, null);
				}
				return;
			}
			planned = this.next.get();
		}
	}

	private void renewNow() {
		if (!this.closed && !this.slots.isEmpty()) {
			CompletableFuture<Void> renewed = renew();
			renewWithin(shortestLease(this.slots.values()) / RENEWALS_PER_LEASE);
			renewed.whenComplete((done, failure) -> {
				if (failure != null) {
					logger.log(Level.DEBUG, "The lease of slots could not be renewed", failure);
					renewWithin(PAUSE);
				}
			});
		}
	}

	/** Return the shortest lease of the limits that count some slots, in nanoseconds. */
	public static long shortestLease(Collection<Held> slots) {
		return slots.stream().mapToLong((call) -> call.leaseNanos).min().orElse(PAUSE);
	}

	private CompletableFuture<Void> renew() {
		long now = this.clock.getAsLong();
		return CompletableFuture.completedFuture(this.leases)
			.thenCompose((leases) -> leases.renew(this.slots.values(), now))
			.whenComplete((done, failure) -> this.lost.keySet().forEach(this::logLost));
	}

	private void logLost(String rule) {
		Integer calls = this.lost.remove(rule);
		if (calls != null) {
			logger.log(Level.WARNING, "Running calls have lost their slots of the rate limit rule \"" + rule + "\" ("
					+ calls + ((calls == 1) ? " call" : " calls") + ") to other calls: the lease had ended, the store "
					+ "had lost its data, or the fallback had admitted them. They run on, so more calls than max run at "
					+ "once until they end. A longer lease outlasts longer failures of the store and pauses of this "
					+ "process.");
		}
	}

	/**
	 * Renew all leases, as if they were due.
	 * @return completes when the store has answered
	 */
	public CompletableFuture<Void> renewAll() {
		this.slots.values().forEach(Held::checkAgain);
		return renew();
	}

	/** Renew leases again after {@link #close}. */
	public void open() {
		this.closed = false;
		if (!this.slots.isEmpty()) {
			renewWithin(0);
		}
	}

	/**
	 * Free all slots although their calls may run, and renew no lease from now on.
	 * @return completes when the store has answered
	 */
	public CompletableFuture<Void> close() {
		this.closed = true;
		List<Held> all = List.copyOf(this.slots.values());
		this.slots.clear();
		return this.leases.end(all);
	}

	/** Leases of slots in a store. */
	public interface Leases {

		/**
		 * Renew leases: free the slots whose calls have ended, and hold the others.
		 * @param slots all slots of this instance
		 * @return completes when the store has answered; if it fails, it is repeated soon
		 */
		CompletableFuture<Void> renew(Collection<Held> slots, long now);

		/** Free all slots. */
		CompletableFuture<Void> end(Collection<Held> slots);

		/**
		 * Return whether the store answers the calls for a key in order, so that slots
		 * which it has freed are free for good.
		 */
		default boolean areInOrder() {
			return false;
		}

		/**
		 * Return whether a call failed because the store refuses its counts, so that it
		 * has changed nothing: by default, because it cannot read them.
		 */
		default boolean isRefusal(Throwable failure) {
			return StageFailure.cause(failure) instanceof StoreException refusal && refusal.reason().equals("state");
		}

		/**
		 * Return the leases of a store that keeps counts as bytes and answers the calls
		 * for a key in order. Each call has a lease of its own.
		 */
		static Leases perCall(Calls calls) {
			return new LeasePerCall(calls);
		}

	}

	/**
	 * Slots of one call, from the moment it is sent, or begins without the store, until
	 * the store has confirmed that they are free.
	 */
	public final class Held {

		private final Demand demand;

		private final long leaseNanos;

		private final AtomicReference<State> state = new AtomicReference<>(State.SENT);

		/** {@code true} once a call that takes the slots may have been sent. */
		private boolean sent;

		/** {@code true} once the call runs although the store has not admitted it. */
		private boolean goesOn;

		/**
		 * {@code true} if the answer to the call is lost, so that the slots may still be
		 * taken by it.
		 */
		private volatile boolean unanswered;

		/**
		 * {@code true} if the answer to a check is not there yet, so that it may take the
		 * slots again after they were freed.
		 */
		private volatile boolean checking;

		private volatile @Nullable Long freedFirst;

		private volatile long freedAt;

		/**
		 * The term of the lease in which the store has answered last that the slots are
		 * taken, {@code null} if it has not.
		 */
		private volatile @Nullable String term;

		private volatile long checkedAt;

		private volatile @Nullable Object lease;

		Held(Demand demand, boolean sent) {
			this.demand = demand;
			this.sent = sent;
			this.leaseNanos = demand.counts().leaseNanos();
		}

		public Demand demand() {
			return this.demand;
		}

		public @Nullable Object lease() {
			return this.lease;
		}

		public void setLease(Object lease) {
			this.lease = lease;
		}

		private boolean is(State state) {
			return this.state.get() == state;
		}

		/**
		 * Note that the store may have freed the slots. If the call runs, they are
		 * checked again.
		 */
		private boolean checkAgain() {
			boolean isHeld = is(State.HELD);
			if (isHeld) {
				this.term = null;
			}
			return isHeld;
		}

		/**
		 * Hold the slots although the store has refused or freed them, or does so now.
		 */
		private synchronized void goOn() {
			this.goesOn = true;
			this.state.set(State.HELD);
			HeldSlots.this.slots.put(this.demand.call(), this);
		}

		/**
		 * Note that the call has ended.
		 * @return whether the store may have the slots
		 */
		private synchronized boolean end() {
			this.state.set(State.ENDED);
			return this.sent;
		}

		private synchronized void endUnlessItGoesOn() {
			if (!this.goesOn) {
				end();
			}
		}

		/**
		 * Return whether the call has ended, so that its slots have to be freed.
		 * @return whether the store has not confirmed yet that they are free
		 */
		public boolean hasEnded() {
			return is(State.ENDED);
		}

		/**
		 * Forget slots that were freed a lease ago: on a server that lacks this, the
		 * lease has ended. Until then one that takes over may still have them.
		 * @param now the time of this process
		 * @param moved whether another server has taken over, which has to free them
		 * again
		 */
		public synchronized void forgetFreed(long now, boolean moved) {
			if (moved) {
				this.state.compareAndSet(State.FREE, State.ENDED);
			}
			else if (is(State.FREE) && now - this.freedAt >= this.leaseNanos) {
				remove(this);
			}
		}

		/**
		 * Return whether the call runs and the store may have forgotten the slots, or
		 * soon will.
		 * @param present the present term of the lease
		 * @param leases the longest time between two checks, in leases
		 * @return whether the slots were not checked in this term and time
		 */
		public boolean needsCheck(String present, long now, double leases) {
			return is(State.HELD) && (!present.equals(this.term) || now - this.checkedAt >= leases * this.leaseNanos);
		}

		/**
		 * Note that the store has refused the call, which has taken nothing. If it goes
		 * on without the store, its slots are taken later.
		 */
		private synchronized void notTaken() {
			this.sent = this.checking || this.term != null;
			if (!is(State.HELD)) {
				remove(this);
			}
		}

		/** Note that a check is about to be sent, unless the call has ended meanwhile. */
		public synchronized boolean beginCheck() {
			boolean isHeld = is(State.HELD);
			if (isHeld) {
				this.sent = true;
				this.checking = true;
				this.freedFirst = null;
			}
			return isHeld;
		}

		/**
		 * Note the answer to a check: the slots are taken in the store.
		 * @param now the time of this process at which the check was sent
		 */
		public void held(String under, long now) {
			this.term = under;
			this.checkedAt = now;
			this.checking = false;
		}

		/**
		 * Note the answer to a check: others hold the slots. The call runs on without
		 * them. If it has ended meanwhile, nothing is lost.
		 */
		public void lost() {
			if (remove(this) && !hasEnded() && !is(State.FREE)) {
				String rule = this.demand.rule().name();
				HeldSlots.this.lost.merge(rule, 1, Integer::sum);
				RemoteStore.Events following = HeldSlots.this.events.get();
				if (following != null) {
					following.listener().slotsLost(rule);
				}
			}
		}

		/**
		 * Note that the slots are free. Unless the store answers in order, they are
		 * remembered for a while: calls that are on their way may still take them, or
		 * they may be taken on a server that takes over.
		 */
		public synchronized void freed() {
			long now = HeldSlots.this.clock.getAsLong();
			boolean inOrder = HeldSlots.this.leases.areInOrder();
			if (checkAgain() || !inOrder && !isFreeForGood(now)) {
				return;
			}
			if (inOrder || HeldSlots.this.slots.size() > MOST_FREED) {
				remove(this);
			}
			else {
				this.freedAt = now;
				this.state.compareAndSet(State.ENDED, State.FREE);
			}
		}

		/**
		 * Note that the store refuses to change the counts of the call. If it has ended,
		 * it is tried again for a while, because someone may remedy that soon.
		 */
		public void refused() {
			if (hasEnded()) {
				this.unanswered = true;
				freed();
			}
		}

		private boolean isFreeForGood(long now) {
			if (!this.unanswered && !this.checking) {
				return true;
			}
			Long first = this.freedFirst;
			if (first == null) {
				this.freedFirst = now;
				return false;
			}
			return now - first >= this.leaseNanos + LATEST;
		}

	}

	/** Calls of a store that keeps counts as bytes. */
	public interface Calls {

		/**
		 * Make a call for the counts of a key.
		 * @return completes with its result when the counts are written
		 */
		CompletableFuture<State> call(Demand demand, Function<StoredCalls<?>, State> call);

	}

	/** State of the slots of a call. */
	public enum State {

		/** The store has not answered yet. */
		SENT,

		/** The call runs and holds them. */
		HELD,

		/** The call has ended, and the store has not confirmed that they are free. */
		ENDED,

		/** The store has confirmed it. */
		FREE,

		/** Other calls hold them. */
		LOST

	}

	/**
	 * Leases of calls, each of which is renewed by a call of its own. There is no other
	 * one before the store has answered.
	 */
	private record LeasePerCall(Calls calls) implements Leases {

		/** Time between two renewals, in leases: less than that between two runs. */
		private static final double PERIOD = 0.25;

		@Override
		public CompletableFuture<Void> renew(Collection<Held> slots, long now) {
			return CompletableFuture
				.allOf(slots.stream().map((call) -> renew(call, now)).toArray(CompletableFuture[]::new));
		}

		@Override
		public boolean areInOrder() {
			return true;
		}

		private CompletableFuture<?> renew(Held call, long now) {
			if (call.lease instanceof CompletableFuture<?> pending && !pending.isDone()) {
				return pending;
			}
			boolean isDue = call.hasEnded() || call.needsCheck("", now, PERIOD) && call.beginCheck();
			return isDue ? send(call, now) : CompletableFuture.completedFuture(null);
		}

		private CompletableFuture<?> send(Held call, long now) {
			Demand demand = call.demand;
			CompletableFuture<?> answer = this.calls.call(demand, (stored) -> {
				if (call.is(State.HELD)) {
					return stored.hold(demand) ? State.HELD : State.LOST;
				}
				stored.correct(Correction.refund(demand.withCost(0), Correction.NEWEST));
				return State.FREE;
			}).whenComplete((state, failure) -> {
				if (state == State.HELD) {
					call.held("", now);
				}
				else if (state == State.LOST) {
					call.lost();
				}
				else if (state == State.FREE) {
					call.freed();
				}
				else if (failure != null && isRefusal(failure)) {
					call.refused();
				}
			});
			call.lease = answer;
			return answer;
		}

		@Override
		public CompletableFuture<Void> end(Collection<Held> slots) {
			slots.forEach(Held::end);
			return CompletableFuture
				.allOf(slots.stream().map((call) -> send(call, 0)).toArray(CompletableFuture[]::new));
		}

	}

}
