package io.github.ratelimit.store;

import java.util.stream.IntStream;

/**
 * Units of a charge that a store has counted, so that they can be refunded when the calls
 * that took them end.
 *
 * @param slot the time of the store's clock at which they were counted
 * @param units how many units each limit of the rule has counted at least; fewer than
 * charged if fewer were left
 * @since 0.1.0
 */
public record ChargeReceipt(long slot, long units) {

	/**
	 * Create a new receipt.
	 * @param counts the rule
	 * @param slot the time of the store's clock at which the units were counted
	 * @param counted how many units each of its counts has counted
	 * @return the receipt
	 */
	public static ChargeReceipt of(RuleCounts counts, long slot, long[] counted) {
		return new ChargeReceipt(slot,
				IntStream.range(0, counts.size())
					.filter((i) -> !counts.get(i).isInterval())
					.mapToLong((i) -> counted[i])
					.min()
					.orElseThrow());
	}

}
