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

	private final Consumer<List<Demand>> whenRefunded;

	/**
	 * Create new refunds.
	 * @param whenRefunded gets the demands of a call after its refund
	 */
	Refunds(RefundTarget target, RulesInForce rules, Consumer<List<Demand>> whenRefunded) {
		this.target = target;
		this.rules = rules;
		this.whenRefunded = whenRefunded;
	}

	/**
	 * Refund a call.
	 * @param demands the demands of the call
	 * @param taken the units it took
	 */
	void refund(List<Demand> demands, List<Refund> taken) {
		try {
			this.target.refund(this.rules.refunds(taken));
		}
		catch (StoreException | RateLimitInterruptedException ex) {
			kept(ex);
		}
		this.whenRefunded.accept(demands);
	}

	/**
	 * Refund a call without blocking the caller.
	 * @param demands the demands of the call
	 * @param taken the units it took
	 */
	void refundAsync(List<Demand> demands, List<Refund> taken) {
		this.target.refundAsync(this.rules.refunds(taken)).whenComplete((done, failure) -> {
			this.whenRefunded.accept(demands);
			if (failure != null) {
				kept(failure);
			}
		});
	}

	private static void kept(Throwable failure) {
		logger.log(Level.DEBUG, "Units of a call that did not take place could not be refunded", failure);
	}

}
