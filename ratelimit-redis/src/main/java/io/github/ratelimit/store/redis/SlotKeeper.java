package io.github.ratelimit.store.redis;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LostSlots;
import io.github.ratelimit.store.RemoteStore;
import io.github.ratelimit.store.RuleValue;
import io.github.ratelimit.store.StoreAnswer;

/**
 * Slots of all calls of this instance that run. They live by leases of the instance, one
 * in each part of a cluster that a script reaches, or one in the only Redis. Leases are
 * renewed three times per lease, off the path of calls, while there are slots: one script
 * call renews all slots of a lease. Slots whose calls have ended are freed again and
 * again, whatever circuits are open, until Redis has answered: a script that takes them
 * may still be on its way.
 *
 * <p>
 * A term of a lease begins when the lease had ended, or when another server answers. By
 * then Redis may have given slots to others or forgotten them. So each slot is checked
 * once in each term: it is held, or taken again if slots are free, or lost. So an
 * instance that was frozen, a Redis that was emptied and one that failed over need no
 * code of their own.
 */
final class SlotKeeper implements CallFollower {

	private static final Logger logger = System.getLogger(SlotKeeper.class.getName());

	/**
	 * Number of slots that one script call checks or frees.
	 */
	static final int AT_ONCE = 100;

	private static final int RENEWALS_PER_LEASE = 3;

	/**
	 * Part of the time that Redis keeps slots which are not written, after which they are
	 * checked and written again, in leases.
	 */
	private static final int CHECKED_LEASES = 10;

	/**
	 * Leases of a cluster that are renewed at the same time.
	 */
	private static final int LANES = 16;

	/**
	 * Longest pause after a renewal that failed.
	 */
	private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);

	/**
	 * Time after which no script runs any more whose caller has given it up. Clients that
	 * block keep scripts in a queue while they connect.
	 */
	private static final long LATEST = TimeUnit.SECONDS.toNanos(10);

	/**
	 * Number of slots beyond which those that are free are forgotten at once.
	 */
	private static final int MOST_FREED = 100_000;

	private static final Script RENEW = Script.of(Script.read("renew-lease"));

	private static final CountingScripts HOLD = new CountingScripts("each-count", "hold");

	private static final CountingScripts FREE = new CountingScripts("each-count", "refund");

	/**
	 * By the number of the call.
	 */
	private final Map<Integer, Held> slots = new ConcurrentHashMap<>();

	/**
	 * By the name in Redis.
	 */
	private final Map<String, Lease> leases = new ConcurrentHashMap<>();

	private final ScriptRunner runner;

	private final RuleValue<EncodedCounts> encoded;

	private final Sharding sharding;

	private final byte[] instance;

	private final LongSupplier clock;

	private final LongSupplier localClock;

	private final Scheduler timer;

	private final LostSlots lost;

	/**
	 * Time of the next renewal. Only an earlier one takes its place.
	 */
	private final AtomicReference<@Nullable Long> next = new AtomicReference<>();

	private final AtomicBoolean renewing = new AtomicBoolean();

	private volatile boolean closed;

	/**
	 * Create a registry without slots.
	 * @param instance the number of this instance
	 * @param clock the time in microseconds; 0 for the time of the Redis server
	 * @param localClock the time of this process in nanoseconds
	 * @param timer schedules renewals
	 * @param events returns who hears of each call that has lost its slots
	 */
	SlotKeeper(ScriptRunner runner, RuleValue<EncodedCounts> encoded, Sharding sharding, long instance,
			LongSupplier clock, LongSupplier localClock, Scheduler timer,
			Supplier<RemoteStore.@Nullable Events> events) {
		this.runner = runner;
		this.encoded = encoded;
		this.sharding = sharding;
		this.instance = Arguments.number(instance);
		this.clock = clock;
		this.localClock = localClock;
		this.timer = timer;
		this.lost = new LostSlots(events);
	}

	@Override
	public void follow(Demand demand, CompletableFuture<StoreAnswer> answer) {
		if (takesSlots(demand)) {
			Held slot = add(demand, true);
			answer.whenComplete((decided, failure) -> {
				if (failure != null) {
					slot.unknown();
				}
				else if (decided.isAdmitted()) {
					slot.state.compareAndSet(State.SENT, State.HELD);
				}
				else {
					remove(slot);
				}
			});
		}
	}

	/**
	 * Return whether a call takes slots. One that another part of a cluster has denied
	 * only peeks.
	 */
	private static boolean takesSlots(Demand demand) {
		return demand.needsEnd() && demand.cost() > 0;
	}

	private Held add(Demand demand, boolean sent) {
		Held slot = new Held(demand, sent);
		this.slots.put(demand.call(), slot);
		renewWithin(slot.leaseNanos / RENEWALS_PER_LEASE);
		return slot;
	}

	private boolean remove(Held slot) {
		return this.slots.remove(slot.demand.call(), slot);
	}

	private @Nullable Held find(Demand demand) {
		return this.slots.get(demand.call());
	}

	@Override
	public void hold(Demand demand) {
		if (takesSlots(demand)) {
			Held known = find(demand);
			Held slot = (known != null) ? known : add(demand, false);
			slot.heldUnder = null;
			slot.state.set(State.HELD);
			renewWithin(PAUSE);
		}
	}

	/**
	 * Note that a call has ended. Its slots are freed in the background until they are
	 * {@linkplain #refunded refunded}.
	 */
	@Override
	public Correction refund(Correction refund) {
		Held slot = find(refund.demand());
		if (slot != null) {
			slot.end();
		}
		return refund;
	}

	/**
	 * Free the slots of a call that has ended: at once if Redis has answered that the
	 * call holds them. There is nothing to free if the call ran without Redis from its
	 * beginning to its end.
	 */
	@Override
	public void free(Demand demand) {
		if (!demand.needsEnd()) {
			return;
		}
		Held known = find(demand);
		Held slot = (known != null) ? known : add(demand, true);
		boolean isConfirmed = slot.heldUnder != null;
		if (slot.end()) {
			renewWithin(isConfirmed ? 0 : PAUSE);
		}
		else {
			remove(slot);
		}
	}

	/**
	 * Note that Redis has freed the slots of a call. If the refund failed, they are freed
	 * later, unless the call goes on without Redis.
	 */
	@Override
	public void refunded(Demand demand, @Nullable Throwable failure) {
		Held slot = find(demand);
		if (failure == null) {
			if (slot != null) {
				freed(slot);
			}
		}
		else if (slot != null && slot.checkAgain()) {
			renewWithin(PAUSE);
		}
		else {
			free(demand);
		}
	}

	/**
	 * Note that slots are free. They are remembered for a while: they may still be taken
	 * on a server that takes over.
	 */
	private void freed(Held slot) {
		long now = this.localClock.getAsLong();
		if (slot.checkAgain() || !slot.isFreeForGood(now)) {
			return;
		}
		if (this.slots.size() > MOST_FREED) {
			remove(slot);
		}
		else {
			slot.freedAt = now;
			slot.state.compareAndSet(State.ENDED, State.FREED);
		}
	}

	/**
	 * Give a slot up. Its call runs on without it. If the call has ended meanwhile,
	 * nothing is lost.
	 */
	private void lost(Held slot) {
		if (remove(slot) && !slot.is(State.ENDED) && !slot.is(State.FREED)) {
			this.lost.add(slot.demand);
		}
	}

	private void renewWithin(long nanos) {
		Long due = this.localClock.getAsLong() + nanos;
		Long planned = this.next.get();
		while (planned == null || planned - due > 0) {
			if (this.next.compareAndSet(planned, due)) {
				this.timer.schedule(() -> {
					if (this.next.compareAndSet(due, null)) {
						renew();
					}
				}, nanos);
				return;
			}
			planned = this.next.get();
		}
	}

	private void renew() {
		if (this.closed || this.slots.isEmpty()) {
			return;
		}
		if (!this.renewing.compareAndSet(false, true)) {
			renewWithin(PAUSE / 20);
			return;
		}
		long due = this.localClock.getAsLong() + shortestLease(this.slots.values()) / RENEWALS_PER_LEASE;
		CompletableFuture.completedFuture(this.sharding)
			.thenCompose((keys) -> keys.whenKnown(this::renewAll))
			.whenComplete((done, failure) -> renewed(due, failure));
	}

	private static long shortestLease(Collection<Held> slots) {
		return slots.stream().mapToLong((slot) -> slot.leaseNanos).min().orElse(PAUSE);
	}

	private CompletableFuture<Void> renewAll() {
		List<CompletableFuture<Void>> lanes = new ArrayList<>(
				Collections.nCopies(LANES, CompletableFuture.completedFuture(null)));
		byLease(this.slots.values()).forEach((lease, slots) -> {
			CompletableFuture<Void> before = lanes.remove(0);
			lanes.add(before.handle((done, failure) -> lease.renew(slots).thenCompose((renewed) -> before))
				.thenCompose(Function.identity()));
		});
		return CompletableFuture.allOf(lanes.toArray(CompletableFuture[]::new));
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
			renewWithin(Math.min(PAUSE, rest));
		}
		else if (!this.slots.isEmpty()) {
			renewWithin(rest);
		}
	}

	private Map<Lease, List<Held>> byLease(Collection<Held> slots) {
		Map<Lease, List<Held>> byLease = slots.stream().collect(Collectors.groupingBy(this::leaseOf));
		this.leases.values().retainAll(byLease.keySet());
		return byLease;
	}

	private Lease leaseOf(Held slot) {
		ScriptReach reach = this.sharding.reach();
		Lease lease = slot.lease;
		if (lease == null || lease.reach != reach) {
			byte[][] names = encoded(slot).names().of(slot.demand.key());
			byte[] name = names[names.length - 1];
			lease = this.leases.computeIfAbsent(new String(name, StandardCharsets.UTF_8),
					(unknown) -> new Lease(reach.routed(names[0], name), reach));
			slot.lease = lease;
		}
		return lease;
	}

	private EncodedCounts encoded(Held slot) {
		return this.encoded.get(slot.demand.counts());
	}

	@Override
	public void open() {
		this.closed = false;
		if (!this.slots.isEmpty()) {
			renewWithin(0);
		}
	}

	/**
	 * End all leases, so that all slots are free although their calls run on, and renew
	 * none from now on.
	 */
	@Override
	public void close(Duration patience) {
		this.closed = true;
		List<Held> held = List.copyOf(this.slots.values());
		this.slots.clear();
		CompletableFuture
			.allOf(byLease(held).keySet().stream().map((lease) -> lease.run(0)).toArray(CompletableFuture[]::new))
			.exceptionally((failure) -> null)
			.completeOnTimeout(null, patience.toNanos(), TimeUnit.NANOSECONDS)
			.join();
	}

	/**
	 * Lease by which all slots live that this instance holds in one part of a cluster, or
	 * in the only Redis.
	 */
	private final class Lease {

		/**
		 * The keys of the script that renews it, of which the last one is its name.
		 */
		private final byte[][] names;

		/**
		 * The reach of scripts by which the name was chosen.
		 */
		private final ScriptReach reach;

		private volatile String server = "";

		Lease(byte[][] names, ScriptReach reach) {
			this.names = names;
			this.reach = reach;
		}

		CompletableFuture<Void> renew(List<Held> slots) {
			return run(TimeUnit.NANOSECONDS.toMicros(shortestLease(slots)))
				.thenCompose((reply) -> renewed(slots, new String(reply, StandardCharsets.ISO_8859_1)));
		}

		/**
		 * Run the script that renews the lease, or ends it.
		 * @param leaseMicros the shortest lease of its slots; 0 to end it, so that they
		 * are free
		 */
		CompletableFuture<byte[]> run(long leaseMicros) {
			SlotKeeper keeper = SlotKeeper.this;
			return keeper.runner.run(RENEW, this.names, new byte[][] { Arguments.number(keeper.clock.getAsLong()),
					keeper.instance, Arguments.number(leaseMicros) });
		}

		/**
		 * Free the slots whose calls have ended, then check the others: in this order,
		 * because the slots of others can be taken again then. Slots that were freed
		 * shortly before may still be taken on a server that has taken over.
		 * @param term when the present term began, in 8 characters, and its server
		 */
		private CompletableFuture<Void> renewed(List<Held> slots, String term) {
			long now = SlotKeeper.this.localClock.getAsLong();
			String server = term.substring(Long.BYTES);
			boolean moved = !server.equals(this.server);
			this.server = server;
			if (!moved) {
				slots.stream().filter((slot) -> slot.isForgotten(now)).forEach(SlotKeeper.this::remove);
			}
			return send(slots, (slot) -> slot.is(State.ENDED) || moved && slot.is(State.FREED), FREE,
					(slot) -> encoded(slot).correct(Correction.refund(slot.demand.withCost(0), Correction.NEWEST)),
					(slot, done) -> freed(slot))
				.thenCompose((freed) -> send(slots, (slot) -> slot.needsCheck(term, now) && slot.beginCheck(), HOLD,
						(slot) -> encoded(slot).hold(slot.demand), (slot, held) -> {
							if (held) {
								slot.checked(term, now);
							}
							else {
								lost(slot);
							}
						}));
		}

		/**
		 * Send calls for some slots in parts, one after the other.
		 * @param answered gets each slot, and whether no count has replied 0
		 */
		private CompletableFuture<Void> send(List<Held> all, Predicate<Held> condition, CountingScripts scripts,
				Function<Held, EncodedCall> call, BiConsumer<Held, Boolean> answered) {
			List<Held> slots = all.stream().filter(condition).toList();
			CompletableFuture<Void> sent = CompletableFuture.completedFuture(null);
			for (int from = 0; from < slots.size(); from += AT_ONCE) {
				List<Held> part = slots.subList(from, Math.min(slots.size(), from + AT_ONCE));
				sent = sent.thenCompose((done) -> {
					Arguments arguments = new Arguments(SlotKeeper.this.clock.getAsLong());
					part.forEach(
							(slot) -> arguments.call(call.apply(slot), encoded(slot).names().of(slot.demand.key())));
					return arguments.run(SlotKeeper.this.runner, scripts)
						.thenAccept((reply) -> answer(part,
								ByteBuffer.wrap(reply, Long.BYTES, reply.length - Long.BYTES), answered));
				});
			}
			return sent;
		}

		/**
		 * Read the reply for slots. A call that failed is repeated with the next renewal.
		 */
		private void answer(List<Held> slots, ByteBuffer reply, BiConsumer<Held, Boolean> answered) {
			for (Held slot : slots) {
				if (ScriptFailure.next(reply) == null) {
					boolean held = true;
					for (int left = encoded(slot).names().size(); left > 0; left--) {
						held &= reply.getLong() != 0;
					}
					answered.accept(slot, held);
				}
			}
		}

	}

	/**
	 * Slots of one call, from the moment it is sent, or begins without Redis, until Redis
	 * has confirmed that they are free.
	 */
	private static final class Held {

		private final Demand demand;

		/**
		 * The shortest lease of the limits that count the slots.
		 */
		private final long leaseNanos;

		private final AtomicReference<State> state = new AtomicReference<>(State.SENT);

		/**
		 * {@code true} once a script that takes the slots may have been sent.
		 */
		private boolean sent;

		/**
		 * {@code true} if the reply to the call is lost, so that the script that takes
		 * the slots may still run.
		 */
		private volatile boolean unanswered;

		/**
		 * {@code true} if the reply to a check is not there yet, so that it may take the
		 * slots again after they were freed.
		 */
		private volatile boolean checking;

		private volatile long freedFirst;

		private volatile long freedAt;

		/**
		 * The term in which Redis has answered last that the slots are taken,
		 * {@code null} if it has not.
		 */
		private volatile @Nullable String heldUnder;

		private long checkedAt;

		private @Nullable Lease lease;

		Held(Demand demand, boolean sent) {
			this.demand = demand;
			this.sent = sent;
			this.leaseNanos = demand.counts().leaseNanos();
		}

		boolean is(State state) {
			return this.state.get() == state;
		}

		/**
		 * Note that the answer of Redis is lost, so that it is unknown whether the slots
		 * are taken.
		 */
		void unknown() {
			this.unanswered = true;
			this.state.compareAndSet(State.SENT, State.ENDED);
		}

		/**
		 * Note that Redis may have freed the slots. If the call runs, they are checked
		 * again.
		 * @return whether it runs
		 */
		boolean checkAgain() {
			boolean isHeld = is(State.HELD);
			if (isHeld) {
				this.heldUnder = null;
			}
			return isHeld;
		}

		/**
		 * Note that the call has ended.
		 * @return whether Redis may have the slots
		 */
		synchronized boolean end() {
			this.state.set(State.ENDED);
			return this.sent;
		}

		/**
		 * Return whether no script may take the slots any more, which Redis has freed.
		 */
		boolean isFreeForGood(long now) {
			if (!this.unanswered && !this.checking) {
				return true;
			}
			if (this.freedFirst == 0) {
				this.freedFirst = (now != 0) ? now : 1;
			}
			return now - this.freedFirst >= this.leaseNanos + LATEST;
		}

		/**
		 * Return whether the slots were freed long enough ago to be free on other servers
		 * too.
		 */
		boolean isForgotten(long now) {
			return is(State.FREED) && now - this.freedAt >= this.leaseNanos / RENEWALS_PER_LEASE;
		}

		/**
		 * Return whether Redis may have forgotten the slots, or soon will.
		 * @param term the present term of the lease
		 */
		boolean needsCheck(String term, long now) {
			return is(State.HELD)
					&& (!term.equals(this.heldUnder) || now - this.checkedAt >= CHECKED_LEASES * this.leaseNanos);
		}

		/**
		 * Note that a check is about to be sent, unless the call has ended meanwhile.
		 * @return whether the check can be sent
		 */
		synchronized boolean beginCheck() {
			boolean isHeld = is(State.HELD);
			this.sent |= isHeld;
			this.checking |= isHeld;
			return isHeld;
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
