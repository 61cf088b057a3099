package io.github.ratelimit.engine;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.BitSet;

import io.github.ratelimit.store.StoredKey;

/**
 * Sketch of the number of distinct keys: a HyperLogLog of 16384 registers, whose standard
 * error is 0.8 %, with the estimator of Otmar Ertl, "New cardinality estimation
 * algorithms for HyperLogLog sketches" (2017), which Redis uses too. Sketches of several
 * instances are merged register by register.
 */
final class DistinctKeys {

	private static final int INDEX_BITS = 14;

	static final int REGISTERS = 1 << INDEX_BITS;

	private static final int RANKS = Long.SIZE - INDEX_BITS;

	private static final double ALPHA = 0.5 / Math.log(2);

	private final byte[] registers = new byte[REGISTERS];

	private final BitSet changed = new BitSet(REGISTERS);

	/** Add a key. Most calls find that nothing changes, without the lock. */
	void add(StoredKey key) {
		long hash = hash(key.text());
		int index = (int) (hash & REGISTERS - 1);
		int rank = Math.min(Long.numberOfTrailingZeros(hash >>> INDEX_BITS), RANKS) + 1;
		if (this.registers[index] < rank) {
			grow(index, (byte) rank);
		}
	}

	private synchronized void grow(int index, byte rank) {
		if (this.registers[index] < rank) {
			this.registers[index] = rank;
			this.changed.set(index);
		}
	}

	/**
	 * Take some of the registers that have grown since they were taken last.
	 * @return 3 bytes for each one
	 */
	synchronized byte[] takeChanges(int most) {
		ByteArrayOutputStream changes = new ByteArrayOutputStream();
		int taken = 0;
		for (int i = this.changed.nextSetBit(0); i >= 0 && taken < most; i = this.changed.nextSetBit(i + 1)) {
			changes.write(i >>> 8);
			changes.write(i);
			changes.write(this.registers[i]);
			this.changed.clear(i);
			taken++;
		}
		return changes.toByteArray();
	}

	/** Take changes again that were not stored. */
	synchronized void giveBack(byte[] changes) {
		for (int at = 0; at < changes.length; at += 3) {
			this.changed.set((changes[at] & 0xFF) << 8 | changes[at + 1] & 0xFF);
		}
	}

	synchronized void clear() {
		Arrays.fill(this.registers, (byte) 0);
		this.changed.clear();
	}

	/**
	 * FNV-1a of the characters, and the finalizer of MurmurHash3. All instances hash
	 * alike.
	 */
	private static long hash(String text) {
		long hash = 0xcbf29ce484222325L;
		for (int i = 0; i < text.length(); i++) {
			hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
		}
		hash = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
		hash = (hash ^ hash >>> 33) * 0xc4ceb9fe1a85ec53L;
		return hash ^ hash >>> 33;
	}

	/**
	 * Estimate how many distinct keys were added.
	 * @param registers the registers; those at the end that are missing are 0
	 */
	static long estimate(byte[] registers) {
		int[] counts = new int[RANKS + 2];
		counts[0] = REGISTERS - registers.length;
		for (byte register : registers) {
			counts[Math.min(register, RANKS + 1)]++;
		}
		double z = REGISTERS * tau(1 - (double) counts[RANKS + 1] / REGISTERS);
		for (int rank = RANKS; rank >= 1; rank--) {
			z = (z + counts[rank]) * 0.5;
		}
		z += REGISTERS * sigma((double) counts[0] / REGISTERS);
		return Math.round(ALPHA * REGISTERS * REGISTERS / z);
	}

	private static double sigma(double empty) {
		if (empty == 1) {
			return Double.POSITIVE_INFINITY;
		}
		double x = empty;
		double sum = empty;
		double before = -1;
		for (double y = 1; sum != before; y += y) {
			x *= x;
			before = sum;
			sum += x * y;
		}
		return sum;
	}

	private static double tau(double notFull) {
		double x = notFull;
		double rest = 1 - x;
		double before = -1;
		for (double y = 0.5; rest != before; y *= 0.5) {
			x = Math.sqrt(x);
			before = rest;
			rest -= (1 - x) * (1 - x) * y;
		}
		return rest / 3;
	}

}
