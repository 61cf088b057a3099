package com.example.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.algorithm.BanCount;
import io.github.ratelimit.algorithm.Count;
import io.github.ratelimit.algorithm.CountType;
import io.github.ratelimit.store.BanOutcome;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.CountSpec;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoredKey;

/**
 * Store of a {@link HashMap} and one lock, as an example for authors of stores. It counts
 * by the algorithms of {@code io.github.ratelimit.algorithm}, and passes all tests.
 *
 * <p>
 * It does not have what no test asks for: it drops no keys, all calls wait for one lock,
 * it lists no bans, and it gives no receipts of charges. Slots have no leases, which free
 * those of an instance that dies: it counts for one process only.
 */
public final class HashMapStore implements RateLimitStore {

	/**
	 * By the name of the rule, whatever its numbers are now, or of a candidate, and the
	 * key.
	 */
	private final Map<List<Object>, Entry> entries = new HashMap<>();

	private final LongSupplier clock;

	/**
	 * Create an empty store.
	 * @param clock returns the time in microseconds since 1970
	 */
	public HashMapStore(LongSupplier clock) {
		this.clock = clock;
	}

	@Override
	public synchronized StoreAnswer acquire(Demands demands) {
		long now = this.clock.getAsLong();
		List<Entry> entries = new ArrayList<>();
		boolean admitted = true;
		long longest = 0;
		for (Demand demand : demands.asList()) {
			Entry entry = entry(demand, now);
			entries.add(entry);
			long wait = entry.waitFor(demand.cost());
			admitted &= demand.accepts(wait) && !entry.isBanned();
			longest = LimitOutcome.longer(longest, wait);
		}
		List<RuleAnswer> answers = new ArrayList<>();
		for (int i = 0; i < entries.size(); i++) {
			Entry entry = entries.get(i);
			if (demands.get(i).cost() > 0 && longest != Count.NEVER) {
				entry.count(demands.get(i), admitted);
			}
			answers.add(entry.answer(demands.get(i)));
		}
		return StoreAnswer.of(answers).withTried(demands.tried().stream().map((each) -> acquire(each).get(0)).toList());
	}

	@Override
	public synchronized RuleAnswer peek(Demand demand) {
		Entry entry = entry(demand, this.clock.getAsLong());
		entry.waitFor(demand.cost());
		return entry.answer(demand);
	}

	@Override
	public synchronized StoreAnswer preview(Demands demands) {
		Map<List<Object>, Entry> counted = new HashMap<>();
		for (Demand demand : demands.asList()) {
			List<Object> key = List.of(demand.rule().name(), demand.key());
			counted.put(key, entry(demand, this.clock.getAsLong()));
			this.entries.put(key, counted.get(key).copy());
		}
		StoreAnswer answer = acquire(demands);
		this.entries.putAll(counted);
		return answer;
	}

	@Override
	public synchronized CompletionStage<List<long[]>> correct(List<Correction> corrections) {
		long now = this.clock.getAsLong();
		return CompletableFuture
			.completedFuture(corrections.stream().map((each) -> entry(each.demand(), now).correct(each)).toList());
	}

	@Override
	public synchronized void reset(RuleCounts counts, StoredKey key) {
		entry(counts, key, this.clock.getAsLong()).reset();
	}

	@Override
	public Decision.Origin origin() {
		return Decision.Origin.LOCAL;
	}

	private Entry entry(Demand demand, long now) {
		return entry(demand.counts(), demand.key(), now);
	}

	/**
	 * Find or add an entry, and advance it to the time of a call.
	 */
	private Entry entry(RuleCounts counts, StoredKey key, long now) {
		Entry entry = this.entries.computeIfAbsent(List.of(counts.counters(), key), (added) -> new Entry());
		entry.advance(counts, now);
		return entry;
	}

	/**
	 * One of the counts that the rule needs now.
	 */
	private record Counted(CountSpec spec, Limit limit, Count count) {

		LimitOutcome outcome() {
			return new LimitOutcome(this.count.remainingNow(this.limit), this.count.lastWait(),
					this.count.resetAfterNow());
		}

	}

	/**
	 * Counts of one key under one rule. Each call first advances them.
	 */
	private static final class Entry {

		private final Map<String, Count> counts = new HashMap<>();

		private final List<Counted> now = new ArrayList<>();

		private BanCount ban = new BanCount(0);

		private RuleCounts rule;

		private long time;

		private long resetAt = Long.MIN_VALUE;

		Entry copy() {
			Entry copy = new Entry();
			this.counts.forEach((meaning, count) -> copy.counts.put(meaning, count.copy()));
			copy.ban = this.ban.copy();
			copy.resetAt = this.resetAt;
			return copy;
		}

		void advance(RuleCounts current, long to) {
			this.rule = current;
			this.time = to;
			this.now.clear();
			for (int i = 0; i < current.size(); i++) {
				CountSpec spec = current.get(i);
				Count count = this.counts.computeIfAbsent(spec.meaning(),
						(meaning) -> CountType.of(spec.limit(), spec.isInterval()).unused());
				count.setSettled(spec.settled());
				count.advance(spec.limit(), to);
				this.now.add(new Counted(spec, spec.limit(), count));
			}
			if (hasBan()) {
				this.ban.advance(to);
			}
		}

		private boolean hasBan() {
			return this.rule.rule().ban() != null;
		}

		boolean isBanned() {
			return hasBan() && this.ban.retryAfter() > 0;
		}

		long waitFor(long cost) {
			long longest = 0;
			for (Counted each : this.now) {
				longest = LimitOutcome.longer(longest, each.count.waitFor(each.limit, each.spec.units(cost)));
			}
			return longest;
		}

		void count(Demand demand, boolean admitted) {
			long wait = this.now.stream().mapToLong((each) -> each.count.lastWait()).max().orElseThrow();
			for (Counted each : this.now) {
				each.count.of(demand.call());
				if (admitted) {
					each.count.take(each.limit, each.spec.units(demand.cost()), wait);
				}
				else if (each.limit.countDenied()) {
					each.count.countDenied(each.limit, demand.cost());
					each.count.waitFor(each.limit, demand.cost());
				}
				else {
					each.count.settle(each.limit);
				}
			}
			if (hasBan()) {
				if (!demand.accepts(wait) && !isBanned()) {
					this.ban.takeDenied(this.rule.rule().ban());
				}
				this.ban.settle();
			}
		}

		RuleAnswer answer(Demand demand) {
			RuleAnswer answer = RuleAnswer.of(demand, this.time, (i) -> this.now.get(i).outcome());
			return isBanned()
					? answer.bannedBy(new BanOutcome(this.ban.begins(), this.ban.retryAfter(), this.ban.resetAfter()))
					: answer;
		}

		long[] correct(Correction correction) {
			boolean isForgotten = correction.isForgotten(this.resetAt);
			long[] charged = new long[this.now.size()];
			for (int i = 0; i < charged.length; i++) {
				Counted each = this.now.get(i);
				long units = correction.units(i);
				if (units > 0 && !(isForgotten && !each.spec.hasSlots())) {
					charged[i] = correct(each, units, correction);
				}
			}
			return charged;
		}

		private long correct(Counted each, long units, Correction correction) {
			each.count.of(correction.demand().call());
			long countedAt = each.spec.hasSlots() ? Correction.NEWEST : correction.countedAt();
			switch (correction.kind()) {
				case CHARGE -> {
					return each.count.charge(each.limit, units, correction.demand().maxWaitMicros());
				}
				case DEBT -> each.count.owe(each.limit, units, countedAt, correction.mayBeFirst());
				case REFUND -> {
					if (each.count.refund(each.limit, units, countedAt) && each.count.isUnusedNow()) {
						forget(each);
					}
				}
			}
			return 0;
		}

		/**
		 * Forget all counts, and the calls that have waited: the counts do not show when
		 * they were decided.
		 */
		void reset() {
			this.resetAt = this.time;
			this.now.forEach(this::forget);
			if (hasBan()) {
				this.ban = new BanCount(this.time);
			}
		}

		private void forget(Counted unused) {
			this.counts.remove(unused.spec.meaning());
		}

	}

}
