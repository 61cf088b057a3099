package io.github.ratelimit.store.local;

import java.util.Arrays;
import java.util.stream.Stream;

/**
 * Entries of one rule and retention in eviction order: CLOCK (second chance). Guarded by
 * the lock of {@link EntryTable}.
 */
final class Circle {

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

	Stream<Entry> stream() {
		return Arrays.stream(this.all, 0, this.size);
	}

}
