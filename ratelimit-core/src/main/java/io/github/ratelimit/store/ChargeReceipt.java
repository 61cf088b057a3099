package io.github.ratelimit.store;

import java.util.stream.IntStream;

/**
 * Receipt of a charge that a store has counted, by which its units can be refunded when
 * the calls that took them end.
 *
 * @param slot the time of the store's clock at which the units were counted
 * @param whole whether each limit of the rule has counted all of them; otherwise fewer
 * were left
 * @since 0.1.0
 */
public record ChargeReceipt(long slot, boolean whole) {

	/**
	 * Create a new receipt.
	 * @param charge the charge
	 * @param slot the time of the store's clock at which its units were counted
	 * @param counted how many units each count of the rule has counted
	 * @return the receipt
	 */
	public static ChargeReceipt of(Charge charge, long slot, long[] counted) {
		return new ChargeReceipt(slot,
				IntStream.range(0, charge.units().size())
					.filter((i) -> !charge.counts().get(i).isInterval())
					.allMatch((i) -> counted[i] == charge.units().get(i)));
	}

}
