package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.HeldSlots;
import io.github.ratelimit.store.HeldSlots.Held;

/**
 * Slots of this instance and their leases, one in each part of a cluster that a script
 * reaches, or one in the only Redis. One script call renews a lease, however many slots
 * live by it. Slots whose calls have ended are freed again and again until Redis has
 * answered: a script that takes them may still be on its way.
 *
 * <p>
 * A term of a lease begins when the lease had ended, or when another server answers. By
 * then Redis may have given slots to others or forgotten them. So each slot is checked
 * once in each term: it is held, or taken again if slots are free, or lost. So an
 * instance that was frozen, a Redis that was emptied and one that failed over need no
 * code of their own.
 */
final class SlotKeeper implements HeldSlots.Leases {

	/** Number of slots that one script call checks or frees. */
	static final int AT_ONCE = 100;

	/**
	 * Part of the time that Redis keeps slots which are not written, after which they are
	 * checked and written again, in leases.
	 */
	private static final int CHECKED_LEASES = 10;

	/** Leases of a cluster that are renewed at the same time. */
	private static final int LANES = 16;

	/** Pause before a renewal that has met another one is repeated. */
	private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(50);

	private static final Script RENEW = Script.of(Script.read("renew-lease"));

	private static final CountingScripts HOLD = new CountingScripts("each-count", "hold");

	private static final CountingScripts FREE = new CountingScripts("each-count", "refund");

	/** By the name in Redis. */
	private final Map<String, Lease> leases = new ConcurrentHashMap<>();

	private final RedisSetup setup;

	private final byte[] instance;

	private final HeldSlots slots;

	private final AtomicBoolean renewing = new AtomicBoolean();

	SlotKeeper(RedisSetup setup) {
		this.setup = setup;
		this.instance = Arguments.number(setup.instance);
		this.slots = new HeldSlots(this, setup.localClock, setup.timer::schedule, () -> setup.events);
	}

	HeldSlots slots() {
		return this.slots;
	}

	@Override
	public CompletableFuture<Void> renew(Collection<Held> slots, long now) {
		if (!this.renewing.compareAndSet(false, true)) {
			this.slots.renewWithin(PAUSE);
			return CompletableFuture.completedFuture(null);
		}
		try {
			return CompletableFuture.completedFuture(this.setup.sharding)
				.thenCompose((keys) -> keys.whenKnown(() -> renewAll(slots, now)))
				.whenComplete((done, failure) -> {
					this.renewing.set(false);
					if (failure != null && mayEndByConnecting(failure)) {
						this.setup.runner.connect();
					}
				});
		}
		catch (Throwable ex) { // no memory
			this.renewing.set(false);
			throw ex;
		}
	}

	private static boolean mayEndByConnecting(Throwable failure) {
		RedisError error = RedisError.of(failure);
		return error == null || error.isOutage() && !error.isOfSickServer();
	}

	@Override
	public boolean isRefusal(Throwable failure) {
		RedisError error = RedisError.of(failure);
		return error != null && !error.isOutage() && error != RedisError.SCRIPT;
	}

	/**
	 * Renew leases, several at the same time. The servers of a cluster that fail are not
	 * asked again before the next renewal: the leases of the others must not wait for
	 * them.
	 */
	private CompletableFuture<Void> renewAll(Collection<Held> slots, long now) {
		Set<Object> failed = ConcurrentHashMap.newKeySet();
		List<CompletableFuture<Void>> lanes = new ArrayList<>(
				Collections.nCopies(LANES, CompletableFuture.completedFuture(null)));
		byLease(slots).forEach((lease, its) -> {
			CompletableFuture<Void> before = lanes.remove(0);
			lanes.add(before.handle((done, failure) -> lease.renew(its, now, failed).thenCompose((renewed) -> before))
				.thenCompose(Function.identity()));
		});
		return CompletableFuture.allOf(lanes.toArray(CompletableFuture[]::new));
	}

	@Override
	public CompletableFuture<Void> end(Collection<Held> slots) {
		return CompletableFuture
			.allOf(byLease(slots).keySet().stream().map((lease) -> lease.run(0)).toArray(CompletableFuture[]::new));
	}

	private Map<Lease, List<Held>> byLease(Collection<Held> slots) {
		Map<Lease, List<Held>> byLease = slots.stream().collect(Collectors.groupingBy(this::leaseOf));
		this.leases.values().retainAll(byLease.keySet());
		return byLease;
	}

	private Lease leaseOf(Held slot) {
		ScriptReach reach = this.setup.sharding.reach();
		if (slot.lease() instanceof Lease known && known.reach == reach) {
			return known;
		}
		byte[][] names = names(slot);
		byte[] name = names[names.length - 1];
		Lease lease = this.leases.computeIfAbsent(new String(name, StandardCharsets.UTF_8),
				(unknown) -> new Lease(reach.routed(names[0], name), reach));
		slot.setLease(lease);
		return lease;
	}

	private EncodedCounts encoded(Held slot) {
		return this.setup.encoded.get(slot.demand().counts());
	}

	private byte[][] names(Held slot) {
		return encoded(slot).names().of(slot.demand().key());
	}

	/**
	 * Send calls for slots in parts, one after the other. One that failed is repeated
	 * with the next renewal.
	 * @param answered gets each slot, and whether each count has replied 1
	 */
	private CompletableFuture<Void> send(List<Held> all, Predicate<Held> condition, CountingScripts scripts,
			Function<Held, EncodedCall> call, BiConsumer<Held, Boolean> answered) {
		List<Held> slots = all.stream().filter(condition).toList();
		CompletableFuture<Void> sent = CompletableFuture.completedFuture(null);
		for (int from = 0; from < slots.size(); from += AT_ONCE) {
			List<Held> part = slots.subList(from, Math.min(slots.size(), from + AT_ONCE));
			sent = sent.thenCompose((done) -> {
				Arguments arguments = new Arguments(this.setup.clock.getAsLong());
				part.forEach((slot) -> arguments.call(call.apply(slot), names(slot)));
				return arguments.run(this.setup.runner, scripts);
			}).thenAccept((reply) -> {
				ByteBuffer rest = ByteBuffer.wrap(reply);
				rest.getLong();
				part.forEach((slot) -> answer(slot, rest, answered));
			});
		}
		return sent;
	}

	private void answer(Held slot, ByteBuffer reply, BiConsumer<Held, Boolean> answered) {
		if (ScriptFailure.next(reply) != null) {
			slot.refused();
			return;
		}
		boolean held = true;
		for (int left = encoded(slot).names().size(); left > 0; left--) {
			held &= reply.getLong() == 1;
		}
		answered.accept(slot, held);
	}

	/**
	 * Lease by which all slots live that this instance holds in one part of a cluster, or
	 * in the only Redis.
	 */
	private final class Lease {

		/** The keys of the script that renews it, of which the last one is its name. */
		private final byte[][] names;

		/** The reach of scripts by which the name was chosen. */
		private final ScriptReach reach;

		private volatile String server = "";

		Lease(byte[][] names, ScriptReach reach) {
			this.names = names;
			this.reach = reach;
		}

		/** Renew the lease, unless its server is among those that have failed. */
		CompletableFuture<Void> renew(List<Held> slots, long now, Set<Object> failed) {
			ScriptRunner runner = SlotKeeper.this.setup.runner;
			Object server = runner.hasManyServers() ? runner.ownerOf(this.names[0]) : this;
			if (failed.contains(server)) {
				return CompletableFuture.completedFuture(null);
			}
			return run(TimeUnit.NANOSECONDS.toMicros(HeldSlots.shortestLease(slots)))
				.thenCompose((reply) -> renewed(slots, new String(reply, StandardCharsets.ISO_8859_1), now))
				.whenComplete((done, failure) -> {
					if (failure != null && !isRefusal(failure)) {
						failed.add(server);
					}
				});
		}

		/**
		 * Run the script that renews the lease, or ends it if it gets none, so that its
		 * slots are free.
		 */
		CompletableFuture<byte[]> run(long leaseMicros) {
			RedisSetup setup = SlotKeeper.this.setup;
			return setup.runner.run(RENEW, this.names, new byte[][] { Arguments.number(setup.clock.getAsLong()),
					SlotKeeper.this.instance, Arguments.number(leaseMicros) });
		}

		/**
		 * Free the slots whose calls have ended, then check the others, which can take
		 * their slots.
		 */
		private CompletableFuture<Void> renewed(List<Held> slots, String term, long now) {
			String known = this.server;
			this.server = term.substring(Long.BYTES);
			boolean moved = !this.server.equals(known);
			slots.forEach((slot) -> slot.forgetFreed(now, moved));
			return send(slots, Held::hasEnded, FREE,
					(slot) -> encoded(slot).correct(Correction.refund(slot.demand().withCost(0), Correction.NEWEST)),
					(slot, done) -> slot.freed())
				.thenCompose((freed) -> send(slots,
						(slot) -> slot.needsCheck(term, now, CHECKED_LEASES) && slot.beginCheck(), HOLD,
						(slot) -> encoded(slot).call(slot.demand(), 0, Fetch.NOTHING), (slot, held) -> {
							if (held) {
								slot.held(term, now);
							}
							else {
								slot.lost();
							}
						}));
		}

	}

}
