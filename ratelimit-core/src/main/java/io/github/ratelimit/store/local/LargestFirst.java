package io.github.ratelimit.store.local;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Rules ordered by the number of their entries that can be evicted, the largest first: a
 * binary heap in which each rule has its index, so a rule moves in logarithmic time when
 * it grows or shrinks. Guarded by the lock of {@link EntryTable}.
 */
final class LargestFirst {

	/** Index of a rule that is not among these. */
	static final int ABSENT = -1;

	private final List<LocalRule> heap = new ArrayList<>();

	LocalRule first() {
		return this.heap.get(0);
	}

	/** Add a rule without entries. */
	void add(LocalRule rule) {
		rule.place(this.heap.size());
		this.heap.add(rule);
	}

	boolean contains(LocalRule rule) {
		return rule.place() != ABSENT;
	}

	/** Remove a rule without entries. Those below it have none either. */
	void remove(LocalRule rule) {
		int end = this.heap.size() - 1;
		LocalRule last = this.heap.get(end);
		swap(rule.place(), end);
		this.heap.remove(end);
		rule.place(ABSENT);
		hasGrown(last);
	}

	void hasGrown(LocalRule rule) {
		int place = rule.place();
		while (place > 0 && isLarger(place, (place - 1) / 2)) {
			swap(place, (place - 1) / 2);
			place = (place - 1) / 2;
		}
	}

	void hasShrunk(LocalRule rule) {
		int place = rule.place();
		for (int larger = largerChild(place); larger < this.heap.size() && isLarger(larger, place);) {
			swap(place, larger);
			place = larger;
			larger = largerChild(place);
		}
	}

	private int largerChild(int place) {
		int left = 2 * place + 1;
		return (left + 1 < this.heap.size() && isLarger(left + 1, left)) ? left + 1 : left;
	}

	private boolean isLarger(int place, int other) {
		return this.heap.get(place).evictable() > this.heap.get(other).evictable();
	}

	private void swap(int place, int other) {
		Collections.swap(this.heap, place, other);
		this.heap.get(place).place(place);
		this.heap.get(other).place(other);
	}

}
