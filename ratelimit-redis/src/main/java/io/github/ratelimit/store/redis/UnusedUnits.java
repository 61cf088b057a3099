package io.github.ratelimit.store.redis;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.Consumer;

import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Refund;

/**
 * Units that Redis took for calls that were over when the reply arrived. They are
 * refunded in the background, under the version of the rule that the call used.
 */
final class UnusedUnits {

	private static final Logger logger = System.getLogger(UnusedUnits.class.getName());

	private final Corrections corrections;

	private final HeldSlots slots;

	private volatile Consumer<Demand> whenRefunded = (demand) -> {
	};

	/**
	 * Create a new instance.
	 * @param slots frees slots that could not be refunded
	 */
	UnusedUnits(Corrections corrections, HeldSlots slots) {
		this.corrections = corrections;
		this.slots = slots;
	}

	/**
	 * Set the action that runs after each of these refunds.
	 */
	void whenRefunded(Consumer<Demand> action) {
		this.whenRefunded = action;
	}

	void refund(List<Refund> refunds) {
		this.corrections.refund(refunds).whenComplete((done, failure) -> {
			if (failure != null) {
				logger.log(Level.DEBUG, "Units of calls that were given up could not be refunded", failure);
				refunds.forEach((refund) -> this.slots.refundFailed(refund.demand()));
			}
			else {
				refunds.forEach((refund) -> this.slots.freed(refund.demand()));
			}
			refunds.forEach((refund) -> this.whenRefunded.accept(refund.demand()));
		});
	}

}
