package io.github.ratelimit.store.jdbc;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Limit;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LostSlots;
import io.github.ratelimit.store.StoreAnswer;

/**
 * Slots of all calls of this instance that run. Their leases are renewed three times per
 * lease, off the path of calls, while there are some. Slots whose calls have ended are
 * freed again until the database has answered.
 */
final class SlotKeeper implements AutoCloseable {

	private static final Logger logger = System.getLogger(SlotKeeper.class.getName());

	private static final int RENEWALS_PER_LEASE = 3;

	/**
	 * Longest pause after a renewal that failed, or before slots of ended calls are freed
	 * again.
	 */
	private static final long PAUSE = TimeUnit.SECONDS.toMillis(1);

	/**
	 * By the number of the call.
	 */
	private final Map<Integer, Held> held = new ConcurrentHashMap<>();

	private final RowNames names;

	private final CallQueue queue;

	private final CallWait calls;

	private final ScheduledExecutorService timer;

	private final LostSlots lost;

	private @Nullable ScheduledFuture<?> next;

	private volatile boolean closed;

	SlotKeeper(RowNames names, CallQueue queue, CallWait calls, ScheduledExecutorService timer,
			Consumer<Demand> whenLost) {
		this.names = names;
		this.queue = queue;
		this.calls = calls;
		this.timer = timer;
		this.lost = new LostSlots(whenLost);
	}

	/**
	 * Follow a call that takes slots.
	 */
	void follow(Demand demand, CompletableFuture<StoreAnswer> answer) {
		if (demand.holdsSlots() && demand.cost() > 0) {
			Held slot = new Held(demand);
			this.held.put(demand.call(), slot);
			answer.whenComplete((decided, failure) -> {
				if (failure != null) {
					end(slot);
				}
				else if (decided.isAdmitted()) {
					renewWithin(slot.leaseMillis() / RENEWALS_PER_LEASE);
				}
				else {
					this.held.remove(demand.call(), slot);
				}
			});
		}
	}

	private void end(Held slot) {
		slot.ended = true;
		renewWithin(PAUSE);
	}

	/**
	 * Hold the slots of a call that runs although the store has not admitted it.
	 */
	void hold(Demand demand) {
		if (demand.holdsSlots() && demand.cost() > 0) {
			this.held.computeIfAbsent(demand.call(), (call) -> new Held(demand)).ended = false;
			renewWithin(PAUSE);
		}
	}

	/**
	 * Free the slots of a call that has ended, when the database answers.
	 */
	void free(Demand demand) {
		if (demand.holdsSlots()) {
			end(this.held.computeIfAbsent(demand.call(), (call) -> new Held(demand)));
		}
	}

	/**
	 * Note that a call ends, before its slots are freed: no renewal takes them again.
	 */
	void ends(Demand demand) {
		this.held.computeIfPresent(demand.call(), (call, slot) -> {
			slot.ended = true;
			return slot;
		});
	}

	/**
	 * Note that the slots of a call are free, or could not be freed.
	 */
	void ended(Demand demand, boolean freed) {
		if (freed) {
			this.held.remove(demand.call());
		}
		else {
			free(demand);
		}
	}

	private synchronized void renewWithin(long millis) {
		ScheduledFuture<?> planned = this.next;
		boolean isPlanned = planned != null && !planned.isDone();
		if (this.closed || isPlanned && planned.getDelay(TimeUnit.MILLISECONDS) <= millis) {
			return;
		}
		if (isPlanned) {
			planned.cancel(false);
		}
		this.next = this.timer.schedule(this::renewInTurn, millis, TimeUnit.MILLISECONDS);
	}

	private void renewInTurn() {
		synchronized (this) {
			this.next = null;
		}
		renewAll();
	}

	/**
	 * Renew all leases, and free the slots of ended calls.
	 */
	void renewAll() {
		long pause = Long.MAX_VALUE;
		List<CompletableFuture<?>> all = new ArrayList<>();
		for (Held slot : this.held.values()) {
			if (slot.pending.isDone()) {
				slot.pending = slot.ended ? free(slot) : renew(slot);
			}
			all.add(slot.pending);
			pause = Math.min(pause, slot.leaseMillis() / RENEWALS_PER_LEASE);
		}
		boolean isDone = await(all);
		this.lost.report();
		if (!this.held.isEmpty()) {
			renewWithin(isDone ? pause : Math.min(PAUSE, pause));
		}
	}

	/**
	 * Wait for the answers of the database.
	 * @return whether all have come
	 */
	private boolean await(List<CompletableFuture<?>> all) {
		try {
			this.calls.await(CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)));
			return true;
		}
		catch (RuntimeException ex) {
			logger.log(Level.DEBUG, "Leases of slots could not be renewed or ended", ex);
			return false;
		}
	}

	private CompletableFuture<?> renew(Held slot) {
		Demand demand = slot.demand;
		return this.queue.call(List.of(this.names.of(demand)), (rows) -> slot.ended || rows.hold(demand))
			.thenAccept((isHeld) -> {
				if (!isHeld && this.held.remove(demand.call(), slot)) {
					this.lost.add(demand);
				}
			});
	}

	private CompletableFuture<?> free(Held slot) {
		Correction refund = Correction.refund(slot.demand.withCost(0), Correction.NEWEST);
		return this.queue.call(List.of(this.names.of(slot.demand)), (rows) -> rows.correct(refund))
			.thenAccept((done) -> {
				if (slot.ended) {
					this.held.remove(slot.demand.call(), slot);
				}
			});
	}

	/**
	 * Free all slots, and hold none from now on. Waits for the answer of the database.
	 */
	@Override
	public void close() {
		this.closed = true;
		await(this.held.values().stream().<CompletableFuture<?>>map(this::free).toList());
	}

	/**
	 * Slots of one call.
	 */
	private static final class Held {

		private final Demand demand;

		private volatile boolean ended;

		/**
		 * The latest renewal: there is no other one before the database has answered.
		 */
		private CompletableFuture<?> pending = CompletableFuture.completedFuture(null);

		Held(Demand demand) {
			this.demand = demand;
		}

		/**
		 * Return the shortest lease of the limits that count the slots.
		 */
		long leaseMillis() {
			return this.demand.rule()
				.limits()
				.stream()
				.filter(Limit::hasSlots)
				.mapToLong((limit) -> limit.lease().toMillis())
				.min()
				.orElse(TimeUnit.HOURS.toMillis(1));
		}

	}

}
