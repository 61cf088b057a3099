package io.github.ratelimit.store.local;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

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
		this.clock = clock;
		this.entries = new Entries(maxKeys, clock);
	}

	/**
	 * The monotonic clock, told as Unix time, which windows by the clock begin by.
	 */
	private static long monotonicMicros() {
		return EPOCH_MICROS + System.nanoTime() / 1000;
	}

	@Override
	public StoreAnswer acquire(List<Demand> demands) {
		Entry[] asked = lock(demands);
		long now;
		LimitOutcome[] outcomes;
		try {
			now = this.clock.getAsLong();
			outcomes = decide(demands, asked, now);
		}
		finally {
			unlock(asked);
		}
		this.entries.tidy(now);
		List<LimitOutcome> merged = (outcomes.length > 1) ? Tally.merge(demands, Arrays.asList(outcomes))
				: List.of(outcomes);
		return new StoreAnswer(merged, Collections.nCopies(asked.length, now));
	}

	private static LimitOutcome[] decide(List<Demand> demands, Entry[] asked, long now) {
		long[] waits = new long[asked.length];
		boolean admitted = true;
		boolean never = false;
		int counts = 0;
		for (int i = 0; i < asked.length; i++) {
			Demand demand = demands.get(i);
			counts += asked[i].read(demand.rule(), now);
			waits[i] = asked[i].waitFor(demand.cost());
			never |= waits[i] == Count.NEVER;
			admitted &= waits[i] <= demand.maxWaitMicros();
		}
		LimitOutcome[] outcomes = new LimitOutcome[counts];
		int next = 0;
		for (int i = 0; i < asked.length; i++) {
			long cost = demands.get(i).cost();
			if (cost > 0 && admitted && !never) {
				asked[i].take(cost, waits[i]);
			}
			else if (cost > 0) {
				asked[i].deny(cost, never);
			}
			next = asked[i].answer(outcomes, next, now);
		}
		return outcomes;
	}

	/**
	 * Find and lock what a call counts by.
	 */
	private Entry[] lock(List<Demand> demands) {
		Entry[] asked = new Entry[demands.size()];
		do {
			for (int i = 0; i < asked.length; i++) {
				asked[i] = this.entries.find(demands.get(i));
			}
		}
		while (!lock(asked));
		return asked;
	}

	private static boolean lock(Entry[] asked) {
		Entry[] ordered = asked;
		if (asked.length > 1) {
			ordered = asked.clone();
			Arrays.sort(ordered, ORDER);
		}
		for (int i = 0; i < ordered.length; i++) {
			if (!ordered[i].lockUnlessGone()) {
				unlock(Arrays.copyOf(ordered, i));
				return false;
			}
		}
		return true;
	}

	private static void unlock(Entry[] held) {
		for (Entry entry : held) {
			entry.unlock();
		}
	}

	@Override
	public CompletionStage<StoreAnswer> acquireAsync(List<Demand> demands) {
		return CompletableFuture.completedFuture(acquire(demands));
	}

	@Override
	public void giveBack(List<Refund> refunds) {
		for (Refund refund : refunds) {
			Demand demand = refund.demand();
			if (demand.cost() > 0) {
				change(demand.rule(), demand.key(), (entry) -> entry.giveBack(demand.cost(), refund.slot()));
			}
		}
	}

	@Override
	public CompletionStage<Void> giveBackAsync(List<Refund> refunds) {
		giveBack(refunds);
		return CompletableFuture.completedFuture(null);
	}

	@Override
	public void reset(RateLimitRule rule, String key) {
		change(rule, key, (entry) -> entry.forget());
	}

	@Override
	public CompletionStage<Void> charge(List<Charge> charges) {
		charges.forEach(this::charge);
		return CompletableFuture.completedFuture(null);
	}

	private void charge(Charge charge) {
		if (!charge.isEmpty()) {
			Entry[] charged = lock(List.of(new Demand(charge.rule(), charge.key(), 1)));
			try {
				long now = this.clock.getAsLong();
				charged[0].read(charge.rule(), now);
				charged[0].charge(charge.units(), now);
			}
			finally {
				unlock(charged);
			}
		}
	}

	/**
	 * Forget what was counted, to count it elsewhere.
	 * @param rule the rule
	 * @param key who or what was counted
	 * @return what still counted
	 */
	public Charge drain(RateLimitRule rule, String key) {
		List<Long> used = new ArrayList<>();
		change(rule, key, (entry) -> {
			used.addAll(entry.used());
			entry.forget();
		});
		return new Charge(rule, key, used);
	}

	private void change(RateLimitRule rule, String key, Consumer<Entry> change) {
		Entry entry = this.entries.known(rule, key);
		if (entry != null) {
			entry.lock();
			try {
				entry.read(rule, this.clock.getAsLong());
				change.accept(entry);
			}
			finally {
				entry.unlock();
			}
		}
	}

	/**
	 * What is counted at the moment.
	 */
	List<Counted> counted() {
		return this.entries.all().stream().map((entry) -> new Counted(entry.ruleName(), entry.key())).toList();
	}

	@Override
	public Decision.Origin origin() {
		return Decision.Origin.LOCAL;
	}

	/**
	 * A key that is counted.
	 */
	record Counted(String rule, String key) {

	}

}
