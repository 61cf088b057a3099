package io.github.ratelimit.store.local;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleValue;
import io.github.ratelimit.store.StoredKey;

/**
 * Bounded set of the entries of a store, found by rule and key.
 *
 * <p>
 * A look-up is one map access and records nothing for eviction. When the set is full, the
 * rule with the most entries loses one, {@linkplain LocalRule#evictOne chosen} by its
 * retention and its last calls. So a rule with less than its share, the maximum divided
 * by the number of rules, loses none, however many keys others are called with. Entries
 * whose calls hold slots are never evicted, and are not among the maximum: there are no
 * more than calls that run. Entries that equal unused ones are dropped without a thread
 * of their own: some are checked when an entry is added and, at intervals, with calls,
 * one rule after the other.
 *
 * <p>
 * An entry that is dropped or evicted is marked as gone under its lock, and calls that
 * have found it before look it up again.
 */
final class EntryTable {

	/** Number of entries checked when one is added. */
	private static final int CHECKS_FOR_ROOM = 4;

	/** Number of entries checked between two pauses. */
	private static final int CHECKS = 64;

	/** Pause between two searches for unused entries, apart from those that make room. */
	private static final long REST_MICROS = 10_000;

	/** Rules that have the entries of all versions and variants of a rule. */
	private final RuleValue<LocalRule> ofRule = RuleValue.shared(LocalRule::new);

	private final ReentrantLock changes = new ReentrantLock();

	private final int max;

	private final LongSupplier clock;

	private final long longer;

	/**
	 * Rules that had entries when their turn came last, the one whose turn it is first.
	 */
	private final Queue<LocalRule> inTurn = new ArrayDeque<>();

	private final LargestFirst largestFirst = new LargestFirst();

	private volatile int size;

	private int evictable;

	private int checkedInTurn;

	private volatile long restsUntil;

	/**
	 * Create a new set of entries.
	 * @param max the maximum number of entries, beside those whose calls hold slots
	 * @param clock the clock by which they become unused, in microseconds
	 * @param longer how long unused entries are kept; 0 unless the clock can be set back
	 */
	EntryTable(long max, LongSupplier clock, long longer) {
		this.max = (int) Math.min(max, Integer.MAX_VALUE - 8);
		this.clock = clock;
		this.longer = longer;
	}

	/** Find or add the entry of a call. A peek adds none. */
	Entry find(Demand demand) {
		RuleCounts counts = demand.counts();
		LocalRule rule = this.ofRule.get(counts);
		String key = demand.key().text();
		Entry known = rule.entries().get(key);
		return (known != null) ? known : add(rule, counts, key, demand.cost() > 0);
	}

	/** Find or add the entry of a call that takes something. */
	Entry find(LocalRule rule, RuleCounts counts, String key) {
		Entry known = rule.entries().get(key);
		return (known != null) ? known : add(rule, counts, key, true);
	}

	@Nullable Entry known(RuleCounts counts, StoredKey key) {
		return this.ofRule.get(counts).entries().get(key.text());
	}

	Collection<Entry> of(RuleCounts counts) {
		return this.ofRule.get(counts).entries().values();
	}

	LocalRule rule(RuleCounts counts) {
		return this.ofRule.get(counts);
	}

	private Entry add(LocalRule rule, RuleCounts counts, String key, boolean isKept) {
		long now = this.clock.getAsLong();
		Entry added = new Entry(rule, counts, key, now);
		if (!isKept) {
			return added;
		}
		this.changes.lock();
		try {
			Entry known = rule.entries().putIfAbsent(key, added);
			if (known != null) {
				return known;
			}
			makeRoom(now);
			if (!this.largestFirst.contains(rule)) {
				this.inTurn.add(rule);
				this.largestFirst.add(rule);
			}
			change(rule, () -> rule.add(added));
			return added;
		}
		finally {
			this.changes.unlock();
		}
	}

	private void makeRoom(long now) {
		dropUnused(CHECKS_FOR_ROOM, now);
		while (this.evictable >= this.max) {
			LocalRule largest = this.largestFirst.first();
			change(largest, () -> largest.evictOne(now, now - this.longer));
		}
	}

	private void change(LocalRule rule, Runnable change) {
		int sizeBefore = rule.size();
		int evictableBefore = rule.evictable();
		change.run();
		this.size += rule.size() - sizeBefore;
		this.evictable += rule.evictable() - evictableBefore;
		this.largestFirst.hasGrown(rule);
		this.largestFirst.hasShrunk(rule);
	}

	/** Drop some entries that equal unused ones, unless the pause is not over. */
	void tidy(long now) {
		if (now >= this.restsUntil) {
			tidy(now, CHECKS);
		}
	}

	/** Drop entries that equal unused ones. */
	void tidy(long now, int checks) {
		if (this.changes.tryLock()) {
			try {
				this.restsUntil = now + REST_MICROS;
				dropUnused(checks, now);
			}
			finally {
				this.changes.unlock();
			}
		}
	}

	/**
	 * Check some entries, one rule after the other. Moving on to the next rule counts as
	 * one.
	 */
	private void dropUnused(int times, long now) {
		for (int i = 0; i < times && this.size > 0; i++) {
			LocalRule rule = this.inTurn.element();
			if (this.checkedInTurn < rule.size()) {
				this.checkedInTurn++;
				change(rule, () -> rule.dropNextIfUnused(now, now - this.longer));
				continue;
			}
			this.checkedInTurn = 0;
			this.inTurn.remove();
			if (rule.size() > 0) {
				this.inTurn.add(rule);
			}
			else {
				this.largestFirst.remove(rule);
			}
		}
	}

	/** Drop all entries although they may still count. */
	void clear() {
		this.changes.lock();
		try {
			for (LocalRule rule : this.inTurn) {
				change(rule, rule::clear);
			}
		}
		finally {
			this.changes.unlock();
		}
	}

	List<Entry> all() {
		this.changes.lock();
		try {
			return this.inTurn.stream().flatMap((rule) -> rule.entries().values().stream()).toList();
		}
		finally {
			this.changes.unlock();
		}
	}

	boolean isEmpty() {
		return this.size == 0;
	}

}
