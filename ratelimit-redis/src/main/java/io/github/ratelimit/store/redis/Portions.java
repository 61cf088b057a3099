package io.github.ratelimit.store.redis;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import io.github.ratelimit.algorithm.Count;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleAnswer;
import org.jspecify.annotations.Nullable;

/**
 * Portions of one key that this instance holds: the one of which calls take units, and
 * the next one.
 */
final class Portions {

	private final LongSupplier clock;

	private final Consumer<Correction> unused;

	private volatile @Nullable Portion current;

	private @Nullable Portion next;

	private long usedUp;

	Portions(LongSupplier clock, Consumer<Correction> unused) {
		this.clock = clock;
		this.unused = unused;
	}

	@Nullable Portion current() {
		return this.current;
	}

	/** Pay a call, {@code null} if the units do not suffice. */
	@Nullable RuleAnswer pay(Demand call) {
		Portion portion = this.current;
		if (portion == null || !portion.concerns(call)) {
			return null;
		}
		RuleAnswer answer = portion.pay(call, this.clock, this.unused);
		return (answer != null) ? answer : payWithNext(call);
	}

	private synchronized @Nullable RuleAnswer payWithNext(Demand call) {
		Portion spare = this.next;
		turnToNext();
		return (spare != null && spare.concerns(call)) ? spare.pay(call, this.clock, this.unused) : null;
	}

	/**
	 * Take units of the next portion as soon as none of the current one can be taken. One
	 * without units is closed, so that none is refunded to it from then on.
	 */
	private void turnToNext() {
		if (this.next == null) {
			return;
		}
		Portion over = this.current;
		if (over != null && over.closeIfUsedUp()) {
			this.usedUp = over.id();
		}
		long now = this.clock.getAsLong();
		if (over == null || over.isOver(now)) {
			this.current = this.next;
			this.current.begin(now);
			this.next = null;
		}
	}

	/** Add a portion, if there is room for it. */
	synchronized boolean add(Portion portion) {
		if (this.next != null) {
			return false;
		}
		this.next = portion;
		turnToNext();
		return true;
	}

	synchronized void remove(Portion portion) {
		if (this.current == portion) {
			this.current = null;
		}
		if (this.next == portion) {
			this.next = null;
		}
		turnToNext();
	}

	/**
	 * Return the identifier of the latest portion that was used up, once, 0 if there is
	 * none. Redis need not wait for units of it.
	 */
	synchronized long usedUp() {
		long portion = this.usedUp;
		this.usedUp = 0;
		return portion;
	}

	/**
	 * Refund units that were taken from a portion, and return how many. The others are
	 * counted in Redis, or belong to a portion that is no longer held.
	 */
	long refund(long countedAt, long cost) {
		Portion portion = this.current;
		return (portion != null) ? portion.refund(countedAt, cost) : 0;
	}

	synchronized boolean hasNext() {
		return this.next != null;
	}

	synchronized boolean isEmpty() {
		return this.current == null && this.next == null;
	}

	/**
	 * Units that are held for a time. Calls take them until none is left, the time is
	 * over or the portion is closed. Local times are nanoseconds of
	 * {@link System#nanoTime()}.
	 */
	static final class Portion {

		private static final long CLOSED = -1;

		/** Time for which Redis knows a portion after its end, see portions.lua. */
		private static final long KEPT = 1_000_000_000;

		/** Round trips before the end of a portion at which the next one is fetched. */
		private static final long ROUND_TRIPS = 2;

		/**
		 * Shortest part of the lifetime of a portion in which the next one is fetched,
		 * since a round trip may take longer than the one before.
		 */
		private static final long SHORTEST_PART = 4;

		private final long id;

		private final RuleAnswer fetched;

		private final long units;

		/** Time of Redis as of which the units count. */
		private final long countedAt;

		private final long end;

		private final long roundTrip;

		/** Time before the end, and units left, at which the next portion is fetched. */
		private final long lead;

		private final long reserve;

		private final AtomicLong left;

		private final AtomicBoolean refilled = new AtomicBoolean();

		private volatile boolean isDue;

		private volatile long begun;

		/**
		 * @param granted the number of units, and the time until they count
		 * @param wanted the number of units that calls need in this time
		 */
		Portion(long id, RuleAnswer fetched, LimitOutcome granted, long wanted, long sent, long now) {
			this.id = id;
			this.fetched = fetched;
			this.units = granted.remaining();
			this.countedAt = fetched.time() + granted.resetAfter();
			long lifetime = granted.resetAfter() * 1000;
			this.end = sent + lifetime;
			this.roundTrip = Math.max(1, now - sent);
			this.lead = Math.max(ROUND_TRIPS * this.roundTrip, lifetime / SHORTEST_PART);
			this.reserve = (long) Math.min(this.units / 2, (double) wanted / lifetime * this.lead);
			this.begun = now;
			this.left = new AtomicLong(this.units);
		}

		long id() {
			return this.id;
		}

		boolean concerns(Demand demand) {
			return this.fetched.demand().counts() == demand.counts();
		}

		/**
		 * Take the units of a call, before the clock is read, so a thread that is
		 * suspended in between takes nothing too late.
		 * @param unused refunds the units if the time is over and this portion closed
		 */
		@Nullable RuleAnswer pay(Demand demand, LongSupplier clock, Consumer<Correction> unused) {
			long cost = demand.cost();
			long available = this.left.get();
			while (available >= cost) {
				if (this.left.compareAndSet(available, available - cost)) {
					long now = clock.getAsLong();
					if (now - this.end < 0) {
						noteDue(available - cost, now);
						return answer(demand, available - cost, now);
					}
					if (!put(cost)) {
						unused.accept(Correction.refund(demand, this.countedAt));
					}
					return null;
				}
				available = this.left.get();
			}
			return null;
		}

		private void noteDue(long nowLeft, long now) {
			if (!this.isDue && (nowLeft <= this.reserve || this.end - now <= this.lead)) {
				this.isDue = true;
			}
		}

		private RuleAnswer answer(Demand demand, long nowLeft, long now) {
			long elapsed = Math.max(0, (now - this.end) / 1000 + this.countedAt - this.fetched.time());
			return RuleAnswer.of(demand, this.countedAt,
					(limit) -> outcome(this.fetched.outcome(limit), nowLeft, elapsed));
		}

		private static LimitOutcome outcome(LimitOutcome then, long nowLeft, long elapsed) {
			return new LimitOutcome(then.remaining() + nowLeft, 0, Math.max(0, then.resetAfter() - elapsed));
		}

		/**
		 * Refund units that a call took from this portion, or used ones regardless of the
		 * calls that have taken them, and return how many: none if it is closed.
		 * @param countedAt the time as of which the units count, or {@link Count#NEWEST}
		 */
		long refund(long countedAt, long cost) {
			if (countedAt != Count.NEWEST) {
				return (countedAt == this.countedAt && put(cost)) ? cost : 0;
			}
			long before = this.left
				.getAndUpdate((units) -> (units == CLOSED) ? CLOSED : Math.min(this.units, units + cost));
			return (before == CLOSED) ? 0 : Math.min(cost, this.units - before);
		}

		private boolean put(long cost) {
			return this.left.getAndUpdate((units) -> (units == CLOSED) ? CLOSED : units + cost) != CLOSED;
		}

		/**
		 * Close this portion, and return the units that were left, 0 if it was closed
		 * before.
		 */
		long close() {
			return Math.max(0, this.left.getAndSet(CLOSED));
		}

		boolean closeIfUsedUp() {
			return this.left.compareAndSet(0, CLOSED);
		}

		boolean isOver(long now) {
			return this.left.get() <= 0 || now - this.end >= 0;
		}

		/** Begin to take units of this portion, after those of another. */
		void begin(long now) {
			this.begun = now;
		}

		long roundTrip() {
			return this.roundTrip;
		}

		long remainingTime(long now) {
			return Math.max(0, this.end - now);
		}

		/**
		 * Return the longest time until the portion is over in Redis as well. Its time
		 * there began after the call was sent and before the reply came.
		 */
		long remainingTimeInRedis(long now) {
			return Math.max(0, this.end + this.roundTrip - now);
		}

		/** Return whether Redis may still know the portion. */
		boolean isKnownInRedis(long now) {
			return remainingTimeInRedis(now - KEPT) > 0;
		}

		/** Return whether it is time to fetch more units, {@code true} once. */
		boolean isDueForRefill() {
			return this.isDue && !this.refilled.get() && this.refilled.compareAndSet(false, true);
		}

		/**
		 * Return how many units calls need in the lifetime of a portion, at the rate at
		 * which they have taken these. Those that took them first may have come, and
		 * waited, during the round trip. None are needed if calls come less often than
		 * round trips to Redis end.
		 */
		long needed(long lifetime, long now) {
			long used = this.units - Math.max(0, left());
			long elapsed = Math.max(this.roundTrip, now - this.begun);
			return (used <= elapsed / this.roundTrip) ? 0 : (long) Math.ceil((double) used / elapsed * lifetime);
		}

		long left() {
			return this.left.get();
		}

	}

}
