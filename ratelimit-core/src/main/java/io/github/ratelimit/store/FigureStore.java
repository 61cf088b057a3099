package io.github.ratelimit.store;

/**
 * Sums of the figures of candidates over all instances. Calls block for a bounded time; a
 * store that cannot answer throws {@link StoreException}, and it is unknown then whether
 * the figures were added.
 *
 * @since 0.1.0
 */
public interface FigureStore {

	/**
	 * Add figures.
	 * @param rule the name of the rule
	 * @param candidate the {@linkplain RuleCounts#candidateId() identifier} of the
	 * candidate
	 * @param news the figures to add. Their keys are registers that have grown, 3 bytes
	 * each: the index and the value. The earliest {@code since} is kept.
	 * @return the sum with these figures. Its keys are all registers, 1 byte each; those
	 * at the end may be missing
	 */
	Figures add(String rule, String candidate, Figures news);

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

	}

}
