package io.github.ratelimit.store.local;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.algorithm.Count;
import io.github.ratelimit.store.Charge;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.Tally;

/**
 * Counters inside this process: a bounded map with an entry per rule and key, each of
 * which is dropped when it equals an unused one. A decision holds the locks of all its
 * entries, so it is exact under concurrency and all or nothing.
 *
 * @since 0.1.0
 */
public final class LocalRateLimitStore implements RateLimitStore {

	private static final long EPOCH_MICROS = System.currentTimeMillis() * 1000 - System.nanoTime() / 1000;

	/**
	 * The order in which several entries are locked, so that calls which overlap cannot
	 * wait for each other in a circle.
	 */
	private static final Comparator<Entry> ORDER = Comparator.comparing(Entry::ruleName).thenComparing(Entry::key);

	private final Entries entries;

	private final LongSupplier clock;

	/**
	 * Create a new store on the monotonic clock of this process.
	 * @param maxKeys how many keys are counted; beyond that the least useful ones are
	 * dropped and start anew
	 */
	public LocalRateLimitStore(long maxKeys) {
		this(maxKeys, LocalRateLimitStore::monotonicMicros);
	}

	/**
	 * Create a new store.
	 * @param clock what calls are counted by, in microseconds
	 */
	LocalRateLimitStore(long maxKeys, LongSupplier clock) {
		this(maxKeys, clock, 0);
	}

	/**
	 * Create a new store.
	 * @param clock what calls are counted by, in microseconds
	 * @param longer how many microseconds states are kept that equal unused ones
	 */
	LocalRateLimitStore(long maxKeys, LongSupplier clock, long longer) {
		this.clock = clock;
		this.entries = new Entries(maxKeys, clock, longer);
	}

	/**
	 * The monotonic clock, told as Unix time, which windows by the clock begin by.
	 */
	private static long monotonicMicros() {
		return EPOCH_MICROS + System.nanoTime() / 1000;
	}

	@Override
	public StoreAnswer acquire(List<Demand> demands) {
		StoreAnswer answer;
		do {
			answer = (demands.size() == 1) ? decide(demands.get(0)) : decide(demands, find(demands));
		}
		while (answer == null);
		this.entries.tidy(answer.time(0));
		return answer;
	}

	private Entry[] find(List<Demand> demands) {
		return demands.stream().map(this.entries::find).toArray(Entry[]::new);
	}

	/**
	 * Find an entry, lock it and decide.
	 * @return {@code null} if it was dropped after it was found
	 */
	private @Nullable StoreAnswer decide(Demand demand) {
		Entry asked = this.entries.find(demand);
		synchronized (asked) {
			return asked.isGone() ? null : decide(demand, asked, this.clock.getAsLong());
		}
	}

	private static StoreAnswer decide(Demand demand, Entry asked, long now) {
		asked.advance(demand.rule(), now);
		long wait = asked.waitFor(demand.cost());
		asked.countCall(demand.cost(), wait, wait != Count.NEVER && accepts(demand, wait));
		return StoreAnswer.at(now, outcomes(demand, asked, now));
	}

	private static boolean accepts(Demand demand, long wait) {
		return wait <= 0 || wait <= demand.maxWaitMicros();
	}

	private @Nullable StoreAnswer decide(List<Demand> demands, Entry[] asked) {
		Entry[] ordered = asked.clone();
		Arrays.sort(ordered, ORDER);
		return decide(demands, asked, ordered, 0);
	}

	/**
	 * Lock one entry after the other and decide.
	 * @return {@code null} if one was dropped after it was found
	 */
	private @Nullable StoreAnswer decide(List<Demand> demands, Entry[] asked, Entry[] ordered, int locked) {
		if (locked == ordered.length) {
			return decide(demands, asked, this.clock.getAsLong());
		}
		Entry next = ordered[locked];
		synchronized (next) {
			return next.isGone() ? null : decide(demands, asked, ordered, locked + 1);
		}
	}

	private static StoreAnswer decide(List<Demand> demands, Entry[] asked, long now) {
		long[] waits = new long[asked.length];
		boolean admitted = true;
		boolean never = false;
		for (int i = 0; i < asked.length; i++) {
			Demand demand = demands.get(i);
			asked[i].advance(demand.rule(), now);
			waits[i] = asked[i].waitFor(demand.cost());
			never |= waits[i] == Count.NEVER;
			admitted &= accepts(demand, waits[i]);
		}
		List<LimitOutcome> outcomes = new ArrayList<>();
		for (int i = 0; i < asked.length; i++) {
			Demand demand = demands.get(i);
			asked[i].countCall(demand.cost(), never ? Count.NEVER : waits[i], admitted && !never);
			outcomes.addAll(outcomes(demand, asked[i], now));
		}
		return StoreAnswer.at(now, outcomes);
	}

	private static List<LimitOutcome> outcomes(Demand demand, Entry asked, long now) {
		if (asked.size() == 1) {
			return List.of(asked.answer(0, now));
		}
		List<LimitOutcome> outcomes = new ArrayList<>(asked.size());
		for (int i = 0; i < asked.size(); i++) {
			outcomes.add(asked.answer(i, now));
		}
		return Tally.merge(List.of(demand), outcomes);
	}

	@Override
	public CompletionStage<StoreAnswer> acquireAsync(List<Demand> demands) {
		return CompletableFuture.completedFuture(acquire(demands));
	}

	@Override
	public StoreAnswer look(Demand demand) {
		Entry entry = this.entries.find(new Demand(demand.rule(), demand.key(), 0));
		synchronized (entry) {
			long now = this.clock.getAsLong();
			entry.advance(demand.rule(), now);
			entry.waitFor(demand.cost());
			return StoreAnswer.at(now, outcomes(demand, entry, now));
		}
	}

	@Override
	public void giveBack(List<Refund> refunds) {
		for (Refund refund : refunds) {
			Demand demand = refund.demand();
			if (demand.cost() > 0) {
				change(demand.rule(), demand.key(), (entry) -> entry.refund(demand.cost(), refund.slot()));
			}
		}
	}

	@Override
	public CompletionStage<Void> giveBackAsync(List<Refund> refunds) {
		giveBack(refunds);
		return CompletableFuture.completedFuture(null);
	}

	@Override
	public void reset(RateLimitRule rule, StoredKey key) {
		change(rule, key, (entry) -> entry.forget());
	}

	@Override
	public CompletionStage<Void> charge(List<Charge> charges) {
		charges.forEach(this::charge);
		return CompletableFuture.completedFuture(null);
	}

	private void charge(Charge charge) {
		if (!charge.isEmpty()) {
			Demand demand = new Demand(charge.rule(), charge.key(), 1);
			while (!charge(charge, this.entries.find(demand))) {
				continue;
			}
		}
	}

	private boolean charge(Charge charge, Entry entry) {
		synchronized (entry) {
			if (!entry.isGone()) {
				long now = this.clock.getAsLong();
				entry.advance(charge.rule(), now);
				entry.charge(charge.units(), charge.longestWait(), now);
			}
			return !entry.isGone();
		}
	}

	private void change(RateLimitRule rule, StoredKey key, Consumer<Entry> change) {
		Entry entry = this.entries.known(rule, key);
		if (entry != null) {
			synchronized (entry) {
				entry.advance(rule, this.clock.getAsLong());
				change.accept(entry);
			}
		}
	}

	/**
	 * What is counted at the moment.
	 */
	List<Counted> counted() {
		return this.entries.all()
			.stream()
			.map((entry) -> new Counted(entry.ruleName(), StoredKey.known(entry.key())))
			.toList();
	}

	/**
	 * Find what has been counted.
	 */
	@Nullable Entry known(RateLimitRule rule, StoredKey key) {
		return this.entries.known(rule, key);
	}

	/**
	 * Whether nothing is counted.
	 */
	boolean isEmpty() {
		return this.entries.isEmpty();
	}

	/**
	 * Drop some counts that equal unused ones, if it is time to.
	 */
	void tidy(long now) {
		this.entries.tidy(now);
	}

	long now() {
		return this.clock.getAsLong();
	}

	@Override
	public Decision.Origin origin() {
		return Decision.Origin.LOCAL;
	}

	/**
	 * A key that is counted.
	 */
	record Counted(String rule, StoredKey key) {

	}

}
