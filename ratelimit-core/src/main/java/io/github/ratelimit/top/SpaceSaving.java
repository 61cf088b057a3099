package io.github.ratelimit.top;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import io.github.ratelimit.store.StoredKey;

/**
 * Summary of a stream of keys with a fixed number of counters: the algorithm Space-Saving
 * of A. Metwally, D. Agrawal and A. El Abbadi, <i>Efficient Computation of Frequent and
 * Top-k Elements in Data Streams</i>, ICDT 2005. A key without a counter takes over the
 * counter with the smallest count, increases it, and notes what it took over as its
 * possible error.
 *
 * <p>
 * With {@code m} counters and {@code n} calls, the counts add up to {@code n}, so the
 * smallest is at most {@code n / m}. A count is never too small, and too large by at most
 * its error, which was the smallest count once. A key without a counter has occurred at
 * most as often as the smallest count says. So each key with more than {@code n / m}
 * calls has a counter.
 *
 * <p>
 * The counters are a heap by their counts, found by the fingerprints of their keys, which
 * have 128 bytes at most. Not thread-safe.
 */
final class SpaceSaving {

	/** Bytes of an encoded summary beside its keys. */
	private static final int HEADER = 2 * Long.BYTES + Integer.BYTES;

	private static final int PER_KEY = 2 * Long.BYTES + Integer.BYTES;

	private static final int FIRST_CAPACITY = 8;

	private static final int FREE = -1;

	private final int size;

	private String[] keys;

	private long[] prints;

	private long[] errors;

	/** Counts by their place in the heap. */
	private long[] counts;

	/** Counters by their place in the heap. */
	private int[] heap;

	/** Places in the heap by counter. */
	private int[] places;

	/** Counters by fingerprint, with linear probing. */
	private int[] table;

	private int used;

	private long total;

	/** Create an empty summary with so many counters, at least 1. */
	SpaceSaving(int size) {
		this.size = size;
		int capacity = Math.min(size, FIRST_CAPACITY);
		this.keys = new String[capacity];
		this.prints = new long[capacity];
		this.counts = new long[capacity];
		this.errors = new long[capacity];
		this.heap = new int[capacity];
		this.places = new int[capacity];
		this.table = newTable(capacity);
	}

	private static int[] newTable(int capacity) {
		int[] table = new int[Integer.highestOneBit(capacity) << 2];
		Arrays.fill(table, FREE);
		return table;
	}

	void add(StoredKey key, long times) {
		long print = key.fingerprint();
		int cell = cell(print);
		int counter = this.table[cell];
		this.total += times;
		if (counter == FREE) {
			counter = (this.used < this.size) ? unused() : takenOver();
			this.keys[counter] = key.text();
			this.prints[counter] = print;
			this.table[cell(print)] = counter;
		}
		int place = this.places[counter];
		sink(place, counter, this.counts[place] + times);
	}

	/** Return the cell of a fingerprint, or the free one where it belongs. */
	private int cell(long print) {
		int cell = home(print);
		while (this.table[cell] != FREE && this.prints[this.table[cell]] != print) {
			cell = next(cell);
		}
		return cell;
	}

	private int home(long print) {
		return (int) (print >>> Integer.SIZE) & (this.table.length - 1);
	}

	private int next(int cell) {
		return (cell + 1) & (this.table.length - 1);
	}

	/** Return a counter with the count 0, which comes to the top of the heap. */
	private int unused() {
		if (this.used == this.keys.length) {
			grow(Math.min(this.size, 2 * this.used));
		}
		int counter = this.used++;
		int place = counter;
		while (place > 0) {
			int parent = (place - 1) >>> 1;
			put(place, this.heap[parent], this.counts[parent]);
			place = parent;
		}
		put(0, counter, 0);
		return counter;
	}

	/** Grow, or stay as before if there is no memory. */
	private void grow(int capacity) {
		String[] moreKeys = Arrays.copyOf(this.keys, capacity);
		long[] morePrints = Arrays.copyOf(this.prints, capacity);
		long[] moreCounts = Arrays.copyOf(this.counts, capacity);
		long[] moreErrors = Arrays.copyOf(this.errors, capacity);
		int[] moreHeap = Arrays.copyOf(this.heap, capacity);
		int[] morePlaces = Arrays.copyOf(this.places, capacity);
		this.table = newTable(capacity);
		this.keys = moreKeys;
		this.prints = morePrints;
		this.counts = moreCounts;
		this.errors = moreErrors;
		this.heap = moreHeap;
		this.places = morePlaces;
		for (int counter = 0; counter < this.used; counter++) {
			this.table[cell(this.prints[counter])] = counter;
		}
	}

	private int takenOver() {
		int counter = this.heap[0];
		remove(cell(this.prints[counter]));
		this.errors[counter] = this.counts[0];
		return counter;
	}

	/** Free a cell, and move those that were put beyond it. */
	private void remove(int removed) {
		int gap = removed;
		for (int cell = next(gap); this.table[cell] != FREE; cell = next(cell)) {
			int home = home(this.prints[this.table[cell]]);
			boolean reachesGap = ((cell - home) & (this.table.length - 1)) >= ((cell - gap) & (this.table.length - 1));
			if (reachesGap) {
				this.table[gap] = this.table[cell];
				gap = cell;
			}
		}
		this.table[gap] = FREE;
	}

	private void sink(int from, int counter, long count) {
		int place = from;
		for (int child = 2 * place + 1; child < this.used; child = 2 * place + 1) {
			if (child + 1 < this.used && this.counts[child + 1] < this.counts[child]) {
				child++;
			}
			if (this.counts[child] >= count) {
				break;
			}
			put(place, this.heap[child], this.counts[child]);
			place = child;
		}
		put(place, counter, count);
	}

	private void put(int place, int counter, long count) {
		this.counts[place] = count;
		this.heap[place] = counter;
		this.places[counter] = place;
	}

	/** Return the summary as bytes, which {@link TalkerMerge} reads. */
	byte[] encode() {
		byte[][] texts = new byte[this.used][];
		int length = HEADER + PER_KEY * this.used;
		for (int i = 0; i < this.used; i++) {
			texts[i] = StoredKey.known(this.keys[i]).textInUtf8().getBytes(StandardCharsets.UTF_8);
			length += texts[i].length;
		}
		ByteBuffer buffer = ByteBuffer.allocate(length)
			.putLong(this.total)
			.putLong((this.used < this.size) ? 0 : this.counts[0])
			.putInt(this.used);
		for (int i = 0; i < this.used; i++) {
			buffer.putLong(this.counts[this.places[i]]).putLong(this.errors[i]).putInt(texts[i].length).put(texts[i]);
		}
		return buffer.array();
	}

}
