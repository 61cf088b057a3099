package io.github.ratelimit.store.local;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;

/**
 * The entries of a store, found by rule and key, and no more of them than there may be.
 *
 * <p>
 * Finding one is a look at a map. Who goes is decided by a hand that walks over all of
 * them in a circle: an entry that equals an unused one is dropped when the hand comes by,
 * and when there is no room for a new one also the next that was not called since the
 * hand came by before. New entries move the hand, and the others' calls now and then, so
 * no thread is needed for it.
 *
 * <p>
 * An entry that is dropped as unused is marked as gone under its lock: who has found it
 * before looks again. One that still counts is not marked, as what was found just before
 * counts just before it is dropped.
 */
final class Entries {

	/**
	 * How many entries the hand passes at most to make room.
	 */
	private static final int LOOKS = 16;

	/**
	 * How long the hand rests at least between calls that need no room.
	 */
	private static final long REST_MICROS = 10_000;

	/**
	 * How long a new entry is kept for the call that made it.
	 */
	private static final long NEW_MICROS = 1_000_000;

	private final ConcurrentHashMap<String, LocalRule> rules = new ConcurrentHashMap<>();

	private final ReentrantLock changes = new ReentrantLock();

	private final int max;

	private final LongSupplier clock;

	private final long longer;

	private Entry[] all = new Entry[LOOKS];

	private int size;

	private int hand;

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
		LocalRule rule = rule(demand.rule());
		Entry known = rule.entries().get(demand.key());
		return (known != null) ? known : add(rule, demand);
	}

	/**
	 * Find what has been counted.
	 */
	@Nullable Entry known(RateLimitRule rule, String key) {
		return rule(rule).entries().get(key);
	}

	private LocalRule rule(RateLimitRule rule) {
		LocalRule known = this.rules.get(rule.name());
		return (known != null) ? known : this.rules.computeIfAbsent(rule.name(), (name) -> new LocalRule(rule));
	}

	private Entry add(LocalRule rule, Demand demand) {
		long now = this.clock.getAsLong();
		Entry added = new Entry(rule, rule.plan(demand.rule()), demand.key(), now + NEW_MICROS);
		if (demand.cost() == 0) {
			return added;
		}
		this.changes.lock();
		try {
			Entry known = rule.entries().putIfAbsent(demand.key(), added);
			if (known != null) {
				return known;
			}
			makeRoom(now);
			this.all[this.size++] = added;
			return added;
		}
		finally {
			this.changes.unlock();
		}
	}

	private void makeRoom(long now) {
		look(4, now);
		for (int looks = 1; this.size >= this.max; looks++) {
			Entry next = next();
			if (next.dropIfUnused(now - this.longer)) {
				remove();
			}
			else if (!next.wasCalled() || looks >= LOOKS) {
				next.drop();
				remove();
			}
			else {
				this.hand++;
			}
		}
		if (this.size == this.all.length) {
			this.all = Arrays.copyOf(this.all, (int) Math.min(this.max, 2L * this.size));
		}
	}

	/**
	 * Drop some of those that are as unused, if it is time to.
	 */
	void tidy(long now) {
		if (now >= this.restsUntil && this.changes.tryLock()) {
			try {
				this.restsUntil = now + REST_MICROS;
				look(4 * LOOKS, now);
			}
			finally {
				this.changes.unlock();
			}
		}
	}

	private void look(int times, long now) {
		for (int i = 0; i < times && this.size > 0; i++) {
			if (next().dropIfUnused(now - this.longer)) {
				remove();
			}
			else {
				this.hand++;
			}
		}
	}

	private Entry next() {
		this.hand = (this.hand < this.size) ? this.hand : 0;
		return this.all[this.hand];
	}

	/**
	 * Take the entry at the hand out; the last one takes its place.
	 */
	private void remove() {
		this.size--;
		this.all[this.hand] = this.all[this.size];
		this.all[this.size] = null;
	}

	/**
	 * All entries there are at the moment.
	 */
	List<Entry> all() {
		this.changes.lock();
		try {
			return List.of(Arrays.copyOf(this.all, this.size));
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
