package io.github.ratelimit.store.local;

import java.util.ArrayDeque;
import java.util.Deque;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.ChargeReceipt;

/**
 * Latest charges of a key, by which the units of its calls are found in the store.
 */
final class RecentCharges {

	private static final int MOST = 8;

	private final Deque<Charged> charges = new ArrayDeque<>();

	private long unknownUntil = Long.MIN_VALUE;

	/**
	 * Begin a charge of all units that were counted before some time.
	 */
	Charged begin(long time) {
		if (this.charges.size() == MOST) {
			this.unknownUntil = this.charges.remove().begun;
		}
		Charged begun = new Charged(time);
		this.charges.add(begun);
		return begun;
	}

	/**
	 * Find the charge of a call: the first one that began after its units were counted.
	 * @return {@code null} if they are not charged yet, or too many charges followed
	 */
	@Nullable Charged find(long counted) {
		if (counted <= this.unknownUntil) {
			return null;
		}
		return this.charges.stream().filter((each) -> counted < each.begun).findFirst().orElse(null);
	}

	/**
	 * Remove a charge that has failed: the next one includes its units.
	 */
	void remove(Charged failed) {
		this.charges.remove(failed);
	}

	void clear() {
		this.charges.clear();
	}

	/**
	 * Charge of a key.
	 */
	static final class Charged {

		private final long begun;

		private long slot;

		private long units;

		private Charged(long begun) {
			this.begun = begun;
		}

		/**
		 * Keep the receipt of a charge. If not all of it was counted, it is unknown which
		 * calls the units belong to, and none can be taken.
		 * @param charged the units that were charged to every limit
		 */
		void keep(ChargeReceipt receipt, long charged) {
			this.slot = receipt.slot();
			this.units = receipt.whole() ? charged : 0;
		}

		long slot() {
			return this.slot;
		}

		/**
		 * Take units that have not been taken yet.
		 * @return how many, at most as many as there are
		 */
		long take(long wanted) {
			long taken = Math.min(wanted, this.units);
			this.units -= taken;
			return taken;
		}

	}

}
