package io.github.ratelimit.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.Consumer;

import io.github.ratelimit.RateLimitInterruptedException;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.StoreException;

/**
 * Refunds of admitted calls that do not take place. They follow the rules in force, go to
 * where the call was counted, and never fail: units that cannot be refunded stay counted.
 */
final class Refunds {

	private static final Logger logger = System.getLogger(Refunds.class.getName());

	private final RefundTarget target;

	private final RulesInForce rules;

	private final Consumer<Demand> whenRefunded;

	/**
	 * Create new refunds.
	 * @param whenRefunded gets each demand of a call after its refund
	 */
	Refunds(RefundTarget target, RulesInForce rules, Consumer<Demand> whenRefunded) {
		this.target = target;
		this.rules = rules;
		this.whenRefunded = whenRefunded;
	}

	/**
	 * Refund a call.
	 * @param taken the units it took
	 */
	void refund(List<Refund> taken) {
		try {
			this.target.refund(this.rules.refunds(taken));
		}
		catch (StoreException | RateLimitInterruptedException ex) {
			kept(ex);
		}
		refunded(taken);
	}

	/**
	 * Refund a call without blocking the caller.
	 * @param taken the units it took
	 */
	void refundAsync(List<Refund> taken) {
		this.target.refundAsync(this.rules.refunds(taken)).whenComplete((done, failure) -> {
			refunded(taken);
			if (failure != null) {
				kept(failure);
			}
		});
	}

	private void refunded(List<Refund> taken) {
		taken.forEach((refund) -> this.whenRefunded.accept(refund.demand()));
	}

	private static void kept(Throwable failure) {
		logger.log(Level.DEBUG, "Units of a call that did not take place could not be refunded", failure);
	}

}
