package io.github.ratelimit.store.local;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Limit;
import io.github.ratelimit.algorithm.PackedBucket;

/**
 * Entries of one rule, which survive changes of its limits. They are in a {@link Circle}
 * for each {@link Retention}. An entry is in that of its last check and moves when it is
 * found to have another retention. So an entry that is not evicted is passed once,
 * however many there are. All but the map is guarded by the lock of {@link EntryTable}.
 */
final class LocalRule {

	/** Maximum number of entries that get a second chance when one is evicted. */
	static final int CHANCES = 16;

	private final ConcurrentHashMap<String, Entry> entries = new ConcurrentHashMap<>();

	private final String name;

	private final Circle recent = new Circle();

	private final Circle last = new Circle();

	private final Circle running = new Circle();

	private volatile @Nullable PackedBucket bucket;

	private int checks;

	private int place = LargestFirst.ABSENT;

	LocalRule(String name) {
		this.name = name;
	}

	String name() {
		return this.name;
	}

	Map<String, Entry> entries() {
		return this.entries;
	}

	/**
	 * Return the numbers of packed states, the same ones as long as the limit is.
	 * @param now the time, as of which new ones count
	 */
	@Nullable PackedBucket bucket(Limit limit, long now) {
		PackedBucket known = this.bucket;
		if (known == null || !known.limit().equals(limit)) {
			known = PackedBucket.of(limit, now);
			this.bucket = known;
		}
		return known;
	}

	int size() {
		return evictable() + this.running.size();
	}

	int evictable() {
		return this.recent.size() + this.last.size();
	}

	void add(Entry entry) {
		this.recent.add(entry);
	}

	/**
	 * Evict an entry, or find one that cannot be evicted. Afterwards there is one fewer
	 * that can.
	 * @param unusedAt the time as of which unused entries are dropped
	 */
	void evictOne(long now, long unusedAt) {
		int before = evictable();
		for (int chances = 0; evictable() == before;) {
			Circle circle = (this.recent.size() > 0) ? this.recent : this.last;
			Entry next = circle.next();
			Retention retention = next.evict(now, unusedAt, (circle == this.recent) ? Retention.RECENT : Retention.LAST,
					chances < CHANCES);
			if (retention == null) {
				circle.remove();
			}
			else if (circle(retention) != circle) {
				move(next, circle, circle(retention));
			}
			else {
				circle.pass();
				chances++;
			}
		}
	}

	/**
	 * Check the next entry, and drop it if it equals an unused one. Half of the checks
	 * are for entries that were found to be kept longer than others.
	 */
	void dropNextIfUnused(long now, long unusedAt) {
		Circle circle = nextChecked();
		Entry next = circle.next();
		if (next.dropIfUnused(unusedAt)) {
			circle.remove();
		}
		else if (circle != this.recent && circle(next.retention(now)) != circle) {
			move(next, circle, circle(next.retention(now)));
		}
		else {
			circle.pass();
		}
	}

	private Circle nextChecked() {
		this.checks++;
		Circle kept = (this.running.size() > 0 && (this.checks % 4 == 0 || this.last.size() == 0)) ? this.running
				: this.last;
		return (kept.size() > 0 && (this.checks % 2 == 0 || this.recent.size() == 0)) ? kept : this.recent;
	}

	private Circle circle(Retention retention) {
		return switch (retention) {
			case RECENT -> this.recent;
			case LAST -> this.last;
			case RUNNING -> this.running;
		};
	}

	private static void move(Entry entry, Circle from, Circle to) {
		from.remove();
		to.add(entry);
	}

	/** Drop all entries although they may still count. */
	void clear() {
		for (Retention retention : Retention.values()) {
			for (Circle circle = circle(retention); circle.size() > 0;) {
				circle.next().drop();
				circle.remove();
			}
		}
	}

	/** Return the index of the rule in {@link LargestFirst}. */
	int place() {
		return this.place;
	}

	void place(int changed) {
		this.place = changed;
	}

	/**
	 * How long an entry is kept when the store is full. The entries of one retention are
	 * evicted before those of the next one. It is determined when the hand of a
	 * {@link Circle} meets the entry, which then moves to the circle of its retention. So
	 * calls pay nothing for it, and the hand passes such an entry once.
	 */
	enum Retention {

		/** Kept while it is among those that were called recently. */
		RECENT,

		/**
		 * Evicted only when nothing else is left: the key is banned, owes units, or has
		 * calls that wait for their turn.
		 */
		LAST,

		/** Never evicted: calls that have not ended hold slots. */
		RUNNING

	}

	/** Entries of one retention in eviction order: CLOCK (second chance). */
	private static final class Circle {

		private static final int SMALLEST = 16;

		private Entry[] all = new Entry[0];

		private int size;

		private int hand;

		int size() {
			return this.size;
		}

		void add(Entry entry) {
			if (this.size == this.all.length) {
				this.all = Arrays.copyOf(this.all,
						(int) Math.min(Integer.MAX_VALUE - 8, Math.max(SMALLEST, 2L * this.size)));
			}
			this.all[this.size++] = entry;
		}

		/** Return the entry at the hand. */
		Entry next() {
			this.hand = (this.hand < this.size) ? this.hand : 0;
			return this.all[this.hand];
		}

		/** Advance the hand. */
		void pass() {
			this.hand++;
		}

		void remove() {
			this.size--;
			this.all[this.hand] = this.all[this.size];
			this.all[this.size] = null;
			if (this.size < this.all.length / 4 && this.all.length > SMALLEST) {
				this.all = Arrays.copyOf(this.all, this.all.length / 2);
			}
		}

	}

}
