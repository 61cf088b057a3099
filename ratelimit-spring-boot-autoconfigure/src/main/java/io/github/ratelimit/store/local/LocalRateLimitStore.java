package io.github.ratelimit.store.local;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Ticker;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.algorithm.Count;
import io.github.ratelimit.store.Charge;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.Tally;

/**
 * Counters inside this process: a bounded map of states, each of which is dropped when it
 * equals an unused one. A decision holds the locks of all its states, so it is exact
 * under concurrency and all or nothing.
 *
 * @since 0.1.0
 */
public final class LocalRateLimitStore implements RateLimitStore {

	private static final long EPOCH_MICROS = System.currentTimeMillis() * 1000 - System.nanoTime() / 1000;

	private final Stripes stripes = new Stripes();

	private final Cache<StateKey, LocalTally.Entry> entries;

	private final LongSupplier clock;

	/**
	 * Create a new store on the monotonic clock of this process.
	 * @param maxKeys how many states are kept; beyond that the least useful ones are
	 * dropped, and their keys start anew
	 */
	public LocalRateLimitStore(long maxKeys) {
		this(maxKeys, LocalRateLimitStore::monotonicMicros, Ticker.systemTicker());
	}

	/**
	 * Create a new store.
	 * @param clock what calls are counted by, in microseconds
	 * @param ticker what unused states are dropped by, in nanoseconds
	 */
	LocalRateLimitStore(long maxKeys, LongSupplier clock, Ticker ticker) {
		this.clock = clock;
		this.entries = Caffeine.newBuilder()
			.maximumSize(maxKeys)
			.ticker(ticker)
			.expireAfter(Expiry.<StateKey, LocalTally.Entry>writing((key, entry) -> entry.lifetime()))
			.build();
	}

	/**
	 * The monotonic clock, told as Unix time, which windows by the clock begin by.
	 */
	private static long monotonicMicros() {
		return EPOCH_MICROS + System.nanoTime() / 1000;
	}

	@Override
	public StoreAnswer acquire(List<Demand> demands) {
		List<List<LocalTally>> asked = demands.stream().map(LocalTally::of).toList();
		int[] held = lock(asked);
		try {
			long now = this.clock.getAsLong();
			decide(demands, asked, now);
			List<LimitOutcome> tallied = asked.stream()
				.flatMap(List::stream)
				.map((tally) -> tally.outcome(now))
				.toList();
			return new StoreAnswer(Tally.merge(demands, tallied), Collections.nCopies(demands.size(), now));
		}
		finally {
			this.stripes.unlock(held);
		}
	}

	private void decide(List<Demand> demands, List<List<LocalTally>> asked, long now) {
		long[] waits = new long[asked.size()];
		boolean admitted = true;
		boolean never = false;
		for (int i = 0; i < waits.length; i++) {
			for (LocalTally tally : asked.get(i)) {
				waits[i] = LimitOutcome.longer(waits[i], tally.read(this.entries, now));
			}
			never |= waits[i] == Count.NEVER;
			admitted &= waits[i] <= demands.get(i).maxWaitMicros();
		}
		for (int i = 0; i < waits.length; i++) {
			for (LocalTally tally : asked.get(i)) {
				if (admitted && !never) {
					tally.take(this.entries, now, waits[i]);
				}
				else {
					tally.deny(this.entries, now, never);
				}
			}
		}
	}

	private int[] lock(List<List<LocalTally>> asked) {
		return this.stripes.lock(asked.stream().flatMap(List::stream).map(LocalTally::key).toList());
	}

	@Override
	public CompletionStage<StoreAnswer> acquireAsync(List<Demand> demands) {
		return CompletableFuture.completedFuture(acquire(demands));
	}

	@Override
	public void giveBack(List<Refund> refunds) {
		List<List<LocalTally>> asked = refunds.stream().map((refund) -> LocalTally.of(refund.demand())).toList();
		int[] held = lock(asked);
		try {
			long now = this.clock.getAsLong();
			for (int i = 0; i < asked.size(); i++) {
				for (LocalTally tally : asked.get(i)) {
					tally.giveBack(this.entries, now, refunds.get(i).slot());
				}
			}
		}
		finally {
			this.stripes.unlock(held);
		}
	}

	@Override
	public CompletionStage<Void> giveBackAsync(List<Refund> refunds) {
		giveBack(refunds);
		return CompletableFuture.completedFuture(null);
	}

	@Override
	public void reset(RateLimitRule rule, String key) {
		List<List<LocalTally>> asked = List.of(LocalTally.of(new Demand(rule, key, 0)));
		int[] held = lock(asked);
		try {
			asked.get(0).forEach((tally) -> this.entries.invalidate(tally.key()));
		}
		finally {
			this.stripes.unlock(held);
		}
	}

	@Override
	public CompletionStage<Void> charge(List<Charge> charges) {
		charges.forEach(this::charge);
		return CompletableFuture.completedFuture(null);
	}

	private void charge(Charge charge) {
		List<LocalTally> counts = LocalTally.of(charge);
		int[] held = lock(List.of(counts));
		try {
			long now = this.clock.getAsLong();
			counts.forEach((count) -> count.charge(this.entries, now));
		}
		finally {
			this.stripes.unlock(held);
		}
	}

	/**
	 * Forget what was counted, to count it elsewhere.
	 * @param rule the rule
	 * @param key who or what was counted
	 * @return what still counted
	 */
	public Charge drain(RateLimitRule rule, String key) {
		List<LocalTally> counts = LocalTally.of(new Demand(rule, key, 0));
		int[] held = lock(List.of(counts));
		try {
			long now = this.clock.getAsLong();
			return new Charge(rule, key, counts.stream().map((count) -> count.drain(this.entries, now)).toList());
		}
		finally {
			this.stripes.unlock(held);
		}
	}

	@Override
	public Decision.Origin origin() {
		return Decision.Origin.LOCAL;
	}

}
