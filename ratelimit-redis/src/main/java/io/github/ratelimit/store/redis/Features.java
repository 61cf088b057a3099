package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.algorithm.CountType;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Correction.Kind;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RemoteStore;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleValue;

/**
 * What rules may have beside counts: units that an instance holds ahead of calls, slots,
 * and bans. Each comes into being with the first rule that has it.
 */
final class Features {

	private final ScriptRunner runner;

	private final RedisKeys keys;

	private final RuleValue<EncodedCounts> encoded;

	private final Sharding sharding;

	private final RedisFailures failures;

	private final long instance;

	private final LongSupplier clock;

	private final LongSupplier localClock;

	private final Scheduler timer;

	private final Supplier<RemoteStore.@Nullable Events> events;

	private final Map<CountType, CallFollower> inUse = new ConcurrentHashMap<>();

	private boolean closed;

	Features(ScriptRunner runner, RedisKeys keys, RuleValue<EncodedCounts> encoded, Sharding sharding,
			RedisFailures failures, long instance, LongSupplier clock, LongSupplier localClock, Scheduler timer,
			Supplier<RemoteStore.@Nullable Events> events) {
		this.runner = runner;
		this.keys = keys;
		this.encoded = encoded;
		this.sharding = sharding;
		this.failures = failures;
		this.instance = instance;
		this.clock = clock;
		this.localClock = localClock;
		this.timer = timer;
		this.events = events;
	}

	/** Return the road of the calls of a rule. */
	Road road(RuleCounts counts, SentCalls direct, Corrections ends) {
		if (counts.rule().prefetch() != null) {
			return (Road) begun(CountType.PORTIONS, () -> new StockRegistry(direct::send, direct::sendEventually,
					(refund) -> ends.refundUnused(List.of(refund)), direct::nextDeadline, this.localClock, this.timer));
		}
		return (counts.candidateCount() > 0 || !followers(counts).isEmpty()) ? direct::send : direct;
	}

	List<CallFollower> followers(RuleCounts counts) {
		List<CallFollower> followers = new ArrayList<>();
		if (counts.rule().ban() != null) {
			followers.add(begun(CountType.BAN, this::banList));
		}
		if (counts.needsEnd()) {
			followers.add(begun(CountType.LEASES, () -> new SlotKeeper(this.runner, this.encoded, this.sharding,
					this.instance, this.clock, this.localClock, this.timer, this.events)));
		}
		return followers;
	}

	BanList banList() {
		return new BanList(this.runner, this.keys, this.failures, this.clock);
	}

	/**
	 * Return a feature, which begins with its first rule. Here it is created as an
	 * object, because to check its type the JVM would load it at every start.
	 */
	private synchronized CallFollower begun(CountType type, Supplier<?> feature) {
		CallFollower known = this.inUse.get(type);
		if (known == null) {
			known = (CallFollower) feature.get();
			this.inUse.put(type, known);
			if (this.closed) {
				known.close(Duration.ZERO);
			}
		}
		return known;
	}

	/**
	 * Hold what a call needs until it ends that runs although Redis has not admitted it.
	 */
	void hold(Demand demand) {
		followers(demand.counts()).forEach((each) -> each.hold(demand));
	}

	void free(Demand demand) {
		this.inUse.values().forEach((each) -> each.free(demand));
	}

	/** Return what is counted in Redis of corrections that are about to be sent. */
	List<Correction> correct(List<Correction> corrections) {
		return this.inUse.isEmpty() ? corrections : corrections.stream().map(this::correct).toList();
	}

	private Correction correct(Correction correction) {
		Correction rest = correction;
		for (CallFollower each : this.inUse.values()) {
			rest = (rest.kind() == Kind.REFUND) ? each.refund(rest) : rest;
		}
		return rest;
	}

	void corrected(List<Correction> corrections, @Nullable Throwable failure) {
		for (CallFollower each : this.inUse.values()) {
			corrections.stream()
				.filter((correction) -> correction.kind() == Kind.REFUND)
				.forEach((refund) -> each.refunded(refund, failure));
		}
	}

	synchronized void open() {
		this.closed = false;
		for (CallFollower each : this.inUse.values()) {
			each.open();
		}
	}

	/** Refund the units that are held, free all slots, and hold none from now on. */
	void close(Duration patience) {
		synchronized (this) {
			this.closed = true;
		}
		for (CallFollower each : this.inUse.values()) {
			each.close(patience);
		}
	}

}
