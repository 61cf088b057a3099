package io.github.ratelimit.store.redis;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Limit;
import io.github.ratelimit.store.Demand;

/**
 * Slots of one call, from the moment it is sent, or begins without Redis, until Redis has
 * confirmed that they are free.
 */
final class HeldSlot {

	/**
	 * Part of the time that Redis keeps slots which are not written, after which they are
	 * checked and written again, in leases.
	 */
	private static final int CHECKED_LEASES = 10;

	/**
	 * Time after which no script runs any more whose caller has given it up. Clients that
	 * block keep scripts in a queue while they connect.
	 */
	private static final long LATEST = TimeUnit.SECONDS.toNanos(10);

	private final Demand demand;

	private final long leaseNanos;

	private final AtomicReference<State> state = new AtomicReference<>(State.SENT);

	/**
	 * {@code true} once a script that takes the slots may have been sent.
	 */
	private boolean sent;

	/**
	 * {@code true} if the reply to the call is lost, so that the script that takes the
	 * slots may still run.
	 */
	private volatile boolean unanswered;

	/**
	 * {@code true} if the reply to a check is not there yet, so that it may take the
	 * slots again after they were freed.
	 */
	private volatile boolean checking;

	private volatile long freedFirst;

	private volatile long freedAt;

	private volatile @Nullable String heldUnder;

	private long checkedAt;

	private @Nullable SlotLease lease;

	/**
	 * Create the slots of a call.
	 * @param sent whether the call was sent to Redis
	 */
	HeldSlot(Demand demand, boolean sent) {
		this.demand = demand;
		this.sent = sent;
		this.leaseNanos = demand.rule()
			.limits()
			.stream()
			.filter(Limit::hasSlots)
			.mapToLong((limit) -> limit.lease().toNanos())
			.min()
			.orElse(TimeUnit.HOURS.toNanos(1));
	}

	Demand demand() {
		return this.demand;
	}

	/**
	 * Return the shortest lease of the limits that count the slots, in nanoseconds.
	 */
	long leaseNanos() {
		return this.leaseNanos;
	}

	@Nullable SlotLease lease() {
		return this.lease;
	}

	void setLease(SlotLease lease) {
		this.lease = lease;
	}

	/**
	 * Note that Redis has admitted the call, unless the call has ended.
	 */
	void admitted() {
		this.state.compareAndSet(State.SENT, State.HELD);
	}

	/**
	 * Note that the answer of Redis is lost, so that it is unknown whether the slots are
	 * taken.
	 */
	void unknown() {
		this.unanswered = true;
		this.state.compareAndSet(State.SENT, State.ENDED);
	}

	/**
	 * Note that the call runs although Redis has not admitted it.
	 */
	void runs() {
		this.heldUnder = null;
		this.state.set(State.HELD);
	}

	/**
	 * Note that Redis may have freed the slots. If the call runs, they are checked again.
	 * @return whether it runs
	 */
	boolean checkAgain() {
		boolean isHeld = this.state.get() == State.HELD;
		if (isHeld) {
			this.heldUnder = null;
		}
		return isHeld;
	}

	/**
	 * Note that the call has ended.
	 * @return whether Redis may have the slots
	 */
	synchronized boolean ended() {
		this.state.set(State.ENDED);
		return this.sent;
	}

	boolean hasEnded() {
		return this.state.get() == State.ENDED;
	}

	/**
	 * Note that Redis has freed the slots.
	 * @return whether that is final; {@code false} if a script may still take them, or if
	 * the call runs without Redis meanwhile
	 */
	boolean freed(long now) {
		if (checkAgain()) {
			return false;
		}
		if (!this.unanswered && !this.checking) {
			return true;
		}
		if (this.freedFirst == 0) {
			this.freedFirst = (now != 0) ? now : 1;
		}
		return now - this.freedFirst >= this.leaseNanos + LATEST;
	}

	/**
	 * Remember the slots after they were freed: they may still be taken on a server that
	 * takes over.
	 */
	void keepFreed(long now) {
		this.freedAt = now;
		this.state.compareAndSet(State.ENDED, State.FREED);
	}

	boolean isFreed() {
		return this.state.get() == State.FREED;
	}

	/**
	 * Return whether the slots were freed long enough ago to be free on other servers
	 * too.
	 */
	boolean isForgotten(long now) {
		return isFreed() && now - this.freedAt >= this.leaseNanos / SlotKeeper.RENEWALS_PER_LEASE;
	}

	/**
	 * Return whether Redis may have forgotten the slots, or soon will.
	 * @param term the present term of the lease
	 */
	boolean needsCheck(String term, long now) {
		return this.state.get() == State.HELD
				&& (!term.equals(this.heldUnder) || now - this.checkedAt >= CHECKED_LEASES * this.leaseNanos);
	}

	/**
	 * Note that a check is about to be sent, unless the call has ended meanwhile.
	 * @return whether the check can be sent
	 */
	synchronized boolean checking() {
		if (this.state.get() != State.HELD) {
			return false;
		}
		this.sent = true;
		this.checking = true;
		return true;
	}

	/**
	 * Note that the check was answered: the slots are taken in Redis.
	 * @param term the term of the lease by which they are held
	 */
	void checked(String term, long now) {
		this.heldUnder = term;
		this.checkedAt = now;
		this.checking = false;
	}

	/**
	 * Return whether Redis has answered that the slots are taken.
	 */
	boolean isConfirmed() {
		return this.heldUnder != null;
	}

	private enum State {

		/**
		 * Redis has not answered yet.
		 */
		SENT,

		/**
		 * The call runs.
		 */
		HELD,

		/**
		 * The call has ended, and Redis has not confirmed that its slots are free.
		 */
		ENDED,

		/**
		 * Redis has confirmed it.
		 */
		FREED

	}

}
