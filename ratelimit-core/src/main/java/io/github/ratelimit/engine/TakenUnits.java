package io.github.ratelimit.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Correction.Kind;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.StoreAnswer;

/**
 * Units that admitted calls have taken at one place. They are refunded if a call does not
 * take place, and settled when it ends. Both follow the rules in force, go to where the
 * call was counted, and never fail: units that cannot be refunded stay counted, and debts
 * that cannot be counted are lost.
 */
final class TakenUnits {

	private static final Logger logger = System.getLogger(TakenUnits.class.getName());

	private final CorrectionTarget target;

	private final RulesInForce rules;

	private final CallDelay delay;

	private final Consumer<Demand> whenRefunded;

	/**
	 * Create new units.
	 * @param target the place where calls are counted
	 * @param delay waits for the turn of calls
	 * @param whenRefunded gets each demand of a call after its refund
	 */
	TakenUnits(CorrectionTarget target, RulesInForce rules, CallDelay delay, Consumer<Demand> whenRefunded) {
		this.target = target;
		this.rules = rules;
		this.delay = delay;
		this.whenRefunded = whenRefunded;
	}

	/**
	 * Return the delay of calls.
	 */
	CallDelay delay() {
		return this.delay;
	}

	/**
	 * Refund a call. Does not block a thread that must not wait.
	 */
	void refund(StoreAnswer call) {
		correct(call.refunds(), this.target.mayBlock());
	}

	/**
	 * Refund a call without blocking the caller.
	 */
	void refundAsync(StoreAnswer call) {
		correct(call.refunds(), false);
	}

	/**
	 * Settle a call that ends. Does not block a thread that must not wait.
	 * @param used the units that it has used
	 */
	void settle(StoreAnswer call, UsedUnits used) {
		settle(SettledUnits.of(call, used), this.target.mayBlock());
	}

	/**
	 * Settle a call that ends without blocking the caller.
	 * @param used the units that it has used
	 */
	void settleAsync(StoreAnswer call, UsedUnits used) {
		settle(SettledUnits.of(call, used), false);
	}

	private void settle(SettledUnits settled, boolean waits) {
		correct(settled.refunds(), waits);
		correct(settled.debts(), waits);
	}

	private void correct(List<Correction> taken, boolean waits) {
		if (taken.isEmpty()) {
			return;
		}
		List<Correction> corrections = this.rules.corrections(taken);
		try {
			if (waits) {
				this.target.correctNow(corrections);
			}
			else {
				this.target.correct(corrections).whenComplete((done, failure) -> corrected(taken, failure));
				return;
			}
			corrected(taken, null);
		}
		catch (RuntimeException ex) {
			corrected(taken, ex);
		}
	}

	private void corrected(List<Correction> taken, @Nullable Throwable failure) {
		for (Correction each : taken) {
			if (each.kind() == Kind.REFUND) {
				this.whenRefunded.accept(each.demand());
			}
		}
		if (failure != null) {
			logger.log(Level.DEBUG, "Units of a call that has ended could not be settled", failure);
		}
	}

}
