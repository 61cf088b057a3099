package io.github.ratelimit.store.redis;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LostSlots;
import io.github.ratelimit.store.RuleValue;
import io.github.ratelimit.store.StoreAnswer;

/**
 * Slots of all calls of this instance that run. Their leases are renewed three times per
 * lease, off the path of calls, while there are some. Slots whose calls have ended are
 * freed again and again, whatever circuits are open, until Redis has answered: a script
 * that takes them may still be on its way.
 */
final class SlotKeeper implements CallFollower {

	private static final Logger logger = System.getLogger(SlotKeeper.class.getName());

	static final int RENEWALS_PER_LEASE = 3;

	/**
	 * Longest pause after a renewal that failed.
	 */
	private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);

	/**
	 * Number of slots beyond which those that are free are forgotten at once.
	 */
	private static final int MOST_FREED = 100_000;

	private final Map<Integer, HeldSlot> slots = new ConcurrentHashMap<>();

	private final ScriptRunner runner;

	private final LeaseRegistry leases;

	private final Sharding sharding;

	private final LongSupplier localClock;

	private final LostSlots lost;

	private final NextRenewal next;

	private final AtomicBoolean renewing = new AtomicBoolean();

	private volatile boolean closed;

	/**
	 * Create a registry without slots.
	 * @param instance the number of this instance
	 * @param clock the time in microseconds; 0 for the time of the Redis server
	 * @param localClock the time of this process in nanoseconds
	 * @param timer schedules renewals
	 * @param whenLost gets the demand of each call that has lost its slots
	 */
	SlotKeeper(ScriptRunner runner, RuleValue<EncodedCounts> encoded, Sharding sharding, long instance,
			LongSupplier clock, LongSupplier localClock, Scheduler timer, Consumer<Demand> whenLost) {
		this.runner = runner;
		this.leases = new LeaseRegistry(runner, encoded, sharding, instance, clock);
		this.sharding = sharding;
		this.localClock = localClock;
		this.next = new NextRenewal(this::renew, localClock, timer);
		this.lost = new LostSlots(whenLost);
	}

	@Override
	public void follow(Demand demand, CompletableFuture<StoreAnswer> answer) {
		if (takesSlots(demand)) {
			HeldSlot slot = add(demand, true);
			answer.whenComplete((decided, failure) -> answered(slot, decided, failure));
		}
	}

	/**
	 * Return whether a call takes slots. One that another slot of a cluster has denied
	 * only peeks.
	 */
	private static boolean takesSlots(Demand demand) {
		return demand.holdsSlots() && demand.cost() > 0;
	}

	private HeldSlot add(Demand demand, boolean sent) {
		HeldSlot slot = new HeldSlot(demand, sent);
		this.slots.put(demand.call(), slot);
		this.next.within(slot.leaseNanos() / RENEWALS_PER_LEASE);
		return slot;
	}

	private void answered(HeldSlot slot, StoreAnswer decided, @Nullable Throwable failure) {
		if (failure != null) {
			slot.unknown();
		}
		else if (decided.isAdmitted()) {
			slot.admitted();
		}
		else {
			this.slots.remove(slot.demand().call(), slot);
		}
	}

	/**
	 * Hold the slots of a call that runs although Redis has not admitted it: they are
	 * taken when Redis answers, if slots are free.
	 */
	void hold(Demand demand) {
		if (takesSlots(demand)) {
			HeldSlot known = find(demand);
			HeldSlot slot = (known != null) ? known : add(demand, false);
			slot.runs();
			this.next.within(PAUSE);
		}
	}

	/**
	 * Note that a call has ended. Its slots are freed in the background until they are
	 * {@linkplain #refunded refunded}.
	 */
	@Override
	public Correction refund(Correction refund) {
		HeldSlot slot = find(refund.demand());
		if (slot != null) {
			slot.ended();
		}
		return refund;
	}

	private @Nullable HeldSlot find(Demand demand) {
		return demand.holdsSlots() ? this.slots.get(demand.call()) : null;
	}

	/**
	 * Free the slots of a call that has ended, when Redis answers: at once if it has
	 * answered that the call holds them. There is nothing to free if the call ran without
	 * Redis from its beginning to its end.
	 */
	void freeLater(Demand demand) {
		if (!demand.holdsSlots()) {
			return;
		}
		HeldSlot known = find(demand);
		HeldSlot slot = (known != null) ? known : add(demand, true);
		boolean isConfirmed = slot.isConfirmed();
		if (slot.ended()) {
			this.next.within(isConfirmed ? 0 : PAUSE);
		}
		else {
			this.slots.remove(demand.call(), slot);
		}
	}

	/**
	 * Note that Redis has freed the slots of a call. If the refund failed, they are freed
	 * later, unless the call goes on without Redis.
	 */
	@Override
	public void refunded(Demand demand, @Nullable Throwable failure) {
		HeldSlot slot = find(demand);
		if (failure == null) {
			if (slot != null) {
				freed(slot);
			}
		}
		else if (slot != null && slot.checkAgain()) {
			this.next.within(PAUSE);
		}
		else {
			freeLater(demand);
		}
	}

	private void freed(HeldSlot slot) {
		long now = this.localClock.getAsLong();
		if (!slot.freed(now)) {
			return;
		}
		if (this.slots.size() > MOST_FREED) {
			this.slots.remove(slot.demand().call(), slot);
		}
		else {
			slot.keepFreed(now);
		}
	}

	private void renew() {
		if (this.closed || this.slots.isEmpty()) {
			return;
		}
		if (!this.renewing.compareAndSet(false, true)) {
			this.next.within(PAUSE / 20);
			return;
		}
		long began = this.localClock.getAsLong();
		long pause = this.slots.values().stream().mapToLong(HeldSlot::leaseNanos).min().orElse(PAUSE)
				/ RENEWALS_PER_LEASE;
		CompletableFuture.completedFuture(this.sharding)
			.thenCompose((keys) -> keys.whenKnown(() -> this.leases.renew(this.slots.values(), this::renewed)))
			.whenComplete((done, failure) -> renewed(began + pause, failure));
	}

	/**
	 * Plan the next renewal. After a failure it comes sooner, and connects again.
	 */
	private void renewed(long due, @Nullable Throwable failure) {
		this.renewing.set(false);
		this.lost.report();
		long rest = Math.max(0, due - this.localClock.getAsLong());
		if (failure != null) {
			logger.log(Level.DEBUG, "The lease of slots could not be renewed", failure);
			this.runner.connect();
			this.next.within(Math.min(PAUSE, rest));
		}
		else if (!this.slots.isEmpty()) {
			this.next.within(rest);
		}
	}

	/**
	 * Free the slots whose calls have ended, then check the others: in this order,
	 * because the slots of others can be taken again then. Slots that were freed shortly
	 * before may still be taken on a server that has taken over.
	 */
	private CompletableFuture<Void> renewed(SlotLease lease, List<HeldSlot> slots, String term) {
		long now = this.localClock.getAsLong();
		boolean moved = lease.hasMoved(term);
		if (!moved) {
			slots.stream()
				.filter((slot) -> slot.isForgotten(now))
				.forEach((slot) -> this.slots.remove(slot.demand().call(), slot));
		}
		return lease
			.free(slots.stream().filter((slot) -> slot.hasEnded() || moved && slot.isFreed()).toList(), this::freed)
			.thenCompose((freed) -> lease.hold(slots.stream().filter((slot) -> slot.needsCheck(term, now)).toList(),
					(slot) -> slot.checked(term, now), this::lost));
	}

	/**
	 * Give a slot up. Its call runs on without it. If the call has ended meanwhile,
	 * nothing is lost.
	 */
	private void lost(HeldSlot slot) {
		if (this.slots.remove(slot.demand().call(), slot) && !slot.hasEnded() && !slot.isFreed()) {
			this.lost.add(slot.demand());
		}
	}

	@Override
	public void open() {
		this.closed = false;
		if (!this.slots.isEmpty()) {
			this.next.within(0);
		}
	}

	/**
	 * Free all slots, although their calls run on, and renew no lease from now on.
	 */
	@Override
	public void close(Duration patience) {
		this.closed = true;
		List<HeldSlot> held = List.copyOf(this.slots.values());
		this.slots.clear();
		this.leases.end(held).completeOnTimeout(null, patience.toNanos(), TimeUnit.NANOSECONDS).join();
	}

}
