package io.github.ratelimit.store.local;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleValue;
import io.github.ratelimit.store.StoredKey;

/**
 * Entries of a store, found by rule and key, and no more of them than there may be.
 *
 * <p>
 * Finding one is a look at a map, and nothing is noted for eviction. When there is no
 * room for a new entry, the rule with the most entries loses one, which its
 * {@link Circle} chooses: so a rule that has fewer than its share, the room divided by
 * the number of rules, loses none, however many keys others are called with. Entries that
 * equal unused ones are looked for when one is added, and now and then with the others'
 * calls, in one rule after the other, so no thread is needed for it.
 *
 * <p>
 * An entry that is dropped as unused is marked as gone under its lock: who has found it
 * before looks again. One that still counts is not marked, as what was found just before
 * counts just before it is dropped.
 */
final class Entries {

	/**
	 * How many entries are looked at when one is added.
	 */
	private static final int LOOKS_FOR_ROOM = 4;

	/**
	 * How many entries are looked at between two rests.
	 */
	private static final int LOOKS = 64;

	/**
	 * How long nobody looks for unused entries but to make room.
	 */
	private static final long REST_MICROS = 10_000;

	/**
	 * How long a new entry is kept for the call that made it.
	 */
	private static final long NEW_MICROS = 1_000_000;

	/**
	 * By name: the entries of a rule stay when it changes.
	 */
	private final ConcurrentHashMap<String, LocalRule> rules = new ConcurrentHashMap<>();

	private final RuleValue<LocalRule> ofRule = new RuleValue<>(this::rule);

	private final ReentrantLock changes = new ReentrantLock();

	private final int max;

	private final LongSupplier clock;

	private final long longer;

	private final List<LocalRule> inTurn = new ArrayList<>();

	private final LargestFirst largestFirst = new LargestFirst();

	private int size;

	private int turn;

	private int looksInTurn;

	private volatile long restsUntil;

	/**
	 * Create a new set of entries.
	 * @param max how many at most
	 * @param clock by which they become unused, in microseconds
	 * @param longer how long they are kept then; nothing, unless the clock can be set
	 * back
	 */
	Entries(long max, LongSupplier clock, long longer) {
		this.max = (int) Math.min(max, Integer.MAX_VALUE - 8);
		this.clock = clock;
		this.longer = longer;
	}

	/**
	 * Find what a call counts by. A mere look makes no entry that others would find.
	 */
	Entry find(Demand demand) {
		LocalRule rule = this.ofRule.get(demand.counts());
		Entry known = rule.entries().get(demand.key().text());
		return (known != null) ? known : add(rule, demand);
	}

	/**
	 * Find what has been counted.
	 */
	@Nullable Entry known(RuleCounts counts, StoredKey key) {
		return this.ofRule.get(counts).entries().get(key.text());
	}

	private LocalRule rule(RuleCounts counts) {
		return this.rules.computeIfAbsent(counts.rule().name(), (name) -> add(new LocalRule(name)));
	}

	private LocalRule add(LocalRule rule) {
		this.changes.lock();
		try {
			this.inTurn.add(rule);
			this.largestFirst.add(rule);
			return rule;
		}
		finally {
			this.changes.unlock();
		}
	}

	private Entry add(LocalRule rule, Demand demand) {
		long now = this.clock.getAsLong();
		String key = demand.key().text();
		Entry added = new Entry(rule, demand.counts(), key, now + NEW_MICROS);
		if (demand.cost() == 0) {
			return added;
		}
		this.changes.lock();
		try {
			Entry known = rule.entries().putIfAbsent(key, added);
			if (known != null) {
				return known;
			}
			makeRoom(now);
			rule.circle().add(added);
			this.largestFirst.hasGrown(rule);
			this.size++;
			return added;
		}
		finally {
			this.changes.unlock();
		}
	}

	private void makeRoom(long now) {
		look(LOOKS_FOR_ROOM, now);
		if (this.size >= this.max) {
			LocalRule largest = this.largestFirst.first();
			largest.circle().dropOne(now - this.longer);
			hasLostOne(largest);
		}
	}

	private void hasLostOne(LocalRule rule) {
		this.largestFirst.hasShrunk(rule);
		this.size--;
	}

	/**
	 * Drop some of those that are as unused, if it is time to.
	 */
	void tidy(long now) {
		if (now >= this.restsUntil && this.changes.tryLock()) {
			try {
				this.restsUntil = now + REST_MICROS;
				look(LOOKS, now);
			}
			finally {
				this.changes.unlock();
			}
		}
	}

	/**
	 * Look at some entries, of one rule after the other. To go on to the next rule counts
	 * as a look.
	 */
	private void look(int times, long now) {
		for (int i = 0; i < times && this.size > 0; i++) {
			LocalRule rule = this.inTurn.get(this.turn);
			if (this.looksInTurn >= rule.circle().size()) {
				this.turn = (this.turn + 1) % this.inTurn.size();
				this.looksInTurn = 0;
			}
			else if (rule.circle().dropNextIfUnused(now - this.longer)) {
				hasLostOne(rule);
			}
			else {
				this.looksInTurn++;
			}
		}
	}

	/**
	 * All entries there are at the moment.
	 */
	List<Entry> all() {
		this.changes.lock();
		try {
			return this.inTurn.stream().flatMap((rule) -> rule.circle().stream()).toList();
		}
		finally {
			this.changes.unlock();
		}
	}

	/**
	 * Whether there are none.
	 */
	boolean isEmpty() {
		for (LocalRule rule : this.rules.values()) {
			if (!rule.entries().isEmpty()) {
				return false;
			}
		}
		return true;
	}

}
