package io.github.ratelimit.store.local;

import java.util.Arrays;
import java.util.stream.Stream;

/**
 * Entries of one rule in eviction order: CLOCK (second chance). Guarded by the lock of
 * {@link Entries}.
 */
final class Circle {

	/**
	 * Maximum number of entries that the hand passes to drop one.
	 */
	static final int CHECKS = 16;

	private Entry[] all = new Entry[CHECKS];

	private int size;

	private int hand;

	int size() {
		return this.size;
	}

	void add(Entry entry) {
		if (this.size == this.all.length) {
			this.all = Arrays.copyOf(this.all, (int) Math.min(Integer.MAX_VALUE - 8, 2L * this.size));
		}
		this.all[this.size++] = entry;
	}

	/**
	 * Drop the entry at the hand if it equals an unused one, otherwise advance the hand.
	 * @return whether it was dropped
	 */
	boolean dropNextIfUnused(long now) {
		if (next().dropIfUnused(now)) {
			remove();
			return true;
		}
		this.hand++;
		return false;
	}

	/**
	 * Drop the next entry that is unused or was not called since the hand last passed it.
	 */
	void dropOne(long now) {
		for (int checks = 1; !dropNextIfUnused(now); checks++) {
			Entry passed = this.all[this.hand - 1];
			if (!passed.wasCalled() || checks >= CHECKS) {
				passed.drop();
				this.hand--;
				remove();
				return;
			}
		}
	}

	/**
	 * Drop the entry at the hand although it may still count.
	 */
	void dropNext() {
		next().drop();
		remove();
	}

	private Entry next() {
		this.hand = (this.hand < this.size) ? this.hand : 0;
		return this.all[this.hand];
	}

	/**
	 * Remove the entry at the hand; the last one takes its place.
	 */
	private void remove() {
		this.size--;
		this.all[this.hand] = this.all[this.size];
		this.all[this.size] = null;
		if (this.size < this.all.length / 4 && this.all.length > CHECKS) {
			this.all = Arrays.copyOf(this.all, this.all.length / 2);
		}
	}

	Stream<Entry> stream() {
		return Arrays.stream(this.all, 0, this.size);
	}

}
