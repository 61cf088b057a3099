package io.github.ratelimit.store.jdbc;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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

	private final Map<Integer, Held> held = new ConcurrentHashMap<>();

	private final RowNames names;

	private final CallWait calls;

	private final ScheduledExecutorService timer;

	private volatile Consumer<Demand> whenLost = (demand) -> {
	};

	private @Nullable ScheduledFuture<?> next;

	private volatile boolean closed;

	SlotKeeper(RowNames names, CallWait calls, ScheduledExecutorService timer) {
		this.names = names;
		this.calls = calls;
		this.timer = timer;
	}

	void whenLost(Consumer<Demand> action) {
		this.whenLost = action;
	}

	/**
	 * Follow a call that takes slots.
	 */
	void follow(Demand demand, CompletableFuture<StoreAnswer> answer) {
		if (!demand.holdsSlots() || demand.cost() == 0) {
			return;
		}
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
		Held slot = this.held.get(demand.call());
		if (demand.holdsSlots() && slot != null) {
			slot.ended = true;
		}
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
		List<Demand> lost = new ArrayList<>();
		long pause = Long.MAX_VALUE;
		boolean failed = false;
		List<CompletableFuture<Boolean>> all = new ArrayList<>();
		List<Held> slots = List.copyOf(this.held.values());
		for (Held slot : slots) {
			all.add(slot.ended ? free(slot) : renew(slot));
			pause = Math.min(pause, slot.leaseMillis() / RENEWALS_PER_LEASE);
		}
		for (int i = 0; i < slots.size(); i++) {
			try {
				if (!this.calls.await(null, all.get(i))) {
					lost.add(slots.get(i).demand);
				}
			}
			catch (RuntimeException ex) {
				failed = true;
				logger.log(Level.DEBUG, "The lease of a slot could not be renewed", ex);
			}
		}
		report(lost);
		if (!this.held.isEmpty()) {
			renewWithin(failed ? Math.min(PAUSE, pause) : pause);
		}
	}

	private CompletableFuture<Boolean> renew(Held slot) {
		return this.calls.begin(List.of(this.names.of(slot.demand)), (rows) -> slot.ended || rows.hold(slot.demand),
				(late) -> {
				});
	}

	private CompletableFuture<Boolean> free(Held slot) {
		Correction refund = Correction.refund(slot.demand.withCost(0), Correction.NEWEST);
		return this.calls.begin(List.of(this.names.of(slot.demand)), (rows) -> rows.correct(refund) != null, (late) -> {
		}).thenApply((done) -> {
			if (slot.ended) {
				this.held.remove(slot.demand.call(), slot);
			}
			return true;
		});
	}

	/**
	 * Log one line per rule and renewal.
	 */
	private void report(List<Demand> lost) {
		Map<String, Integer> byRule = new TreeMap<>();
		for (Demand demand : lost) {
			this.held.remove(demand.call());
			byRule.merge(demand.rule().name(), 1, Integer::sum);
			this.whenLost.accept(demand);
		}
		byRule.forEach((rule, calls) -> logger.log(Level.WARNING,
				"Running calls have lost their slots of the rate limit rule \"" + rule + "\" (" + calls
						+ ((calls == 1) ? " call" : " calls")
						+ "): their lease had ended, and other calls hold them now. They run on, so more calls than "
						+ "max run at once until they end."));
	}

	/**
	 * Free all slots, and hold none from now on. Waits for the answer of the database.
	 */
	@Override
	public void close() {
		this.closed = true;
		List<CompletableFuture<Boolean>> all = this.held.values().stream().map(this::free).toList();
		try {
			this.calls.await(null, CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)));
		}
		catch (RuntimeException ex) {
			logger.log(Level.DEBUG, "Slots could not be freed; they are when their lease has ended", ex);
		}
	}

	/**
	 * Slots of one call.
	 */
	private static final class Held {

		private final Demand demand;

		private volatile boolean ended;

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
