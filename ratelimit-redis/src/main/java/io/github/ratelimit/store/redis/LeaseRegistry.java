package io.github.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.RuleValue;

/**
 * Leases of the slots of this instance, one for each group of keys that a script reaches.
 */
final class LeaseRegistry {

	/**
	 * Leases of a cluster that are renewed at the same time.
	 */
	private static final int LANES = 16;

	private final Map<String, SlotLease> leases = new ConcurrentHashMap<>();

	private final ScriptRunner runner;

	private final RuleValue<EncodedCounts> encoded;

	private final Sharding sharding;

	private final long instance;

	private final LongSupplier clock;

	/**
	 * Create an instance without leases.
	 * @param instance the number of this instance
	 * @param clock the time in microseconds; 0 for the time of the Redis server
	 */
	LeaseRegistry(ScriptRunner runner, RuleValue<EncodedCounts> encoded, Sharding sharding, long instance,
			LongSupplier clock) {
		this.sharding = sharding;
		this.runner = runner;
		this.encoded = encoded;
		this.instance = instance;
		this.clock = clock;
	}

	/**
	 * Renew the leases of slots.
	 * @param then continues with the slots of each lease that was renewed
	 * @return a future that completes when all leases are renewed and all continuations
	 * done
	 */
	CompletableFuture<Void> renew(Collection<HeldSlot> slots, Continuation then) {
		List<CompletableFuture<Void>> lanes = new ArrayList<>();
		int turn = 0;
		for (Map.Entry<SlotLease, List<HeldSlot>> each : byLease(slots).entrySet()) {
			if (lanes.size() < LANES) {
				lanes.add(renew(each.getKey(), each.getValue(), then));
			}
			else {
				int lane = turn++ % LANES;
				lanes.set(lane,
						lanes.get(lane)
							.handle((done, failure) -> failure)
							.thenCompose((failure) -> renew(each.getKey(), each.getValue(), then)
								.thenCompose((done) -> failed(failure))));
			}
		}
		return CompletableFuture.allOf(lanes.toArray(CompletableFuture[]::new));
	}

	private static CompletableFuture<Void> failed(@Nullable Throwable failure) {
		return (failure != null) ? CompletableFuture.failedFuture(failure) : CompletableFuture.completedFuture(null);
	}

	private static CompletableFuture<Void> renew(SlotLease lease, List<HeldSlot> slots, Continuation then) {
		long shortest = slots.stream().mapToLong(HeldSlot::leaseNanos).min().orElseThrow();
		return lease.renew(shortest).thenCompose((term) -> then.renewed(lease, slots, term));
	}

	/**
	 * End the leases of slots, so that all of them are free.
	 * @return a future that completes when Redis has answered, or cannot
	 */
	CompletableFuture<Void> end(Collection<HeldSlot> slots) {
		return CompletableFuture
			.allOf(byLease(slots).keySet().stream().map(SlotLease::end).toArray(CompletableFuture[]::new))
			.handle((ended, failure) -> null);
	}

	private Map<SlotLease, List<HeldSlot>> byLease(Collection<HeldSlot> slots) {
		Map<SlotLease, List<HeldSlot>> byLease = new HashMap<>();
		for (HeldSlot slot : slots) {
			byLease.computeIfAbsent(leaseOf(slot), (lease) -> new ArrayList<>()).add(slot);
		}
		this.leases.values().retainAll(byLease.keySet());
		return byLease;
	}

	private SlotLease leaseOf(HeldSlot slot) {
		ScriptReach reach = this.sharding.reach();
		SlotLease known = slot.lease();
		if (known != null && known.reach() == reach) {
			return known;
		}
		byte[][] names = this.encoded.get(slot.demand().counts()).names().of(slot.demand().key());
		byte[] name = names[names.length - 1];
		SlotLease lease = this.leases.computeIfAbsent(new String(name, StandardCharsets.UTF_8),
				(unknown) -> new SlotLease(reach.routed(names[0], name), reach, this.instance, this.runner,
						this.encoded, this.clock));
		slot.setLease(lease);
		return lease;
	}

	/**
	 * Continuation with the slots of a lease in its present term.
	 */
	interface Continuation {

		CompletableFuture<Void> renewed(SlotLease lease, List<HeldSlot> slots, String term);

	}

}
