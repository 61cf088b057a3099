package io.github.ratelimit.store;

import java.util.Arrays;

/**
 * Sums of the figures of candidates over all instances. Calls block for a bounded time; a
 * store that cannot answer throws {@link StoreException}, and it is unknown then whether
 * the figures were added. The instance adds them again, with later ones: the store knows
 * by what the instance has added before whether they are in the sum.
 *
 * @since 0.1.0
 */
public interface FigureStore {

	/**
	 * Add figures.
	 * @param candidate the {@linkplain RuleCounts#candidateId() identifier} of the
	 * candidate
	 * @param news the figures to add. Their keys are registers that have grown, 3 bytes
	 * each: the index and the value. The earliest {@code since} is kept.
	 * @return the sum with these figures. Its keys are all registers, 1 byte each; those
	 * at the end may be missing
	 */
	Figures add(String rule, String candidate, Added before, Figures news);

	/**
	 * What an instance has added in all, as far as it knows.
	 *
	 * @param instance identifies the instance
	 * @param calls the calls
	 * @param denied those that the candidate denied
	 * @param liveDenied those that the limits of the rule denied
	 */
	record Added(String instance, long calls, long denied, long liveDenied) {

		/** Return this with figures that were added. */
		public Added with(Figures news) {
			return new Added(this.instance, this.calls + news.calls(), this.denied + news.denied(),
					this.liveDenied + news.liveDenied());
		}

	}

	/**
	 * Figures of a candidate.
	 *
	 * @param since the beginning, in milliseconds since 1970
	 * @param calls the calls that it decided
	 * @param denied those that it denied
	 * @param liveDenied those that the limits of the rule denied
	 * @param keys registers of a sketch of the keys that it denied, see {@link #add}
	 */
	record Figures(long since, long calls, long denied, long liveDenied, byte[] keys) {

		/** Figures of no call. */
		public static final Figures NONE = new Figures(Long.MAX_VALUE, 0, 0, 0, new byte[0]);

		/**
		 * Return these sums with figures that are added.
		 * @param news the figures; their keys are registers that have grown
		 */
		public Figures with(Figures news) {
			byte[] grown = news.keys();
			byte[] registers = this.keys.clone();
			for (int at = 0; at < grown.length; at += 3) {
				int index = (grown[at] & 0xFF) << 8 | grown[at + 1] & 0xFF;
				registers = (index < registers.length) ? registers : Arrays.copyOf(registers, index + 1);
				registers[index] = (byte) Math.max(registers[index], grown[at + 2]);
			}
			return new Figures(Math.min(this.since, news.since), this.calls + news.calls, this.denied + news.denied,
					this.liveDenied + news.liveDenied, registers);
		}

	}

}
