package io.github.ratelimit.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.ratelimit.store.Debt;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.StoreAnswer;

/**
 * Units that admitted calls have taken at one place. They are refunded if a call does not
 * take place, and settled when it ends. Both follow the rules in force, go to where the
 * call was counted, and never fail: units that cannot be refunded stay counted, and debts
 * that cannot be counted are lost.
 */
final class TakenUnits {

	private static final Logger logger = System.getLogger(TakenUnits.class.getName());

	private final RefundTarget target;

	private final RulesInForce rules;

	private final CallDelay delay;

	private final Consumer<Demand> whenRefunded;

	/**
	 * Create new units.
	 * @param target the place where calls are counted
	 * @param delay waits for the turn of calls
	 * @param whenRefunded gets each demand of a call after its refund
	 */
	TakenUnits(RefundTarget target, RulesInForce rules, CallDelay delay, Consumer<Demand> whenRefunded) {
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
	 * Refund a call.
	 */
	void refund(StoreAnswer call) {
		refund(call.refunds());
	}

	/**
	 * Refund a call without blocking the caller.
	 */
	void refundAsync(StoreAnswer call) {
		refundAsync(call.refunds());
	}

	/**
	 * Settle a call that ends. Does not block a thread that must not wait.
	 * @param used the units that it has used
	 */
	void settle(StoreAnswer call, UsedUnits used) {
		if (!this.target.mayBlock()) {
			settleAsync(call, used);
			return;
		}
		SettledUnits settled = SettledUnits.of(call, used);
		refund(settled.refunds());
		owe(settled.debts());
	}

	/**
	 * Settle a call that ends without blocking the caller.
	 * @param used the units that it has used
	 */
	void settleAsync(StoreAnswer call, UsedUnits used) {
		SettledUnits settled = SettledUnits.of(call, used);
		refundAsync(settled.refunds());
		oweAsync(settled.debts());
	}

	private void refund(List<Refund> refunds) {
		if (!refunds.isEmpty()) {
			attempt(() -> this.target.refund(this.rules.refunds(refunds)));
			refunded(refunds);
		}
	}

	private void refundAsync(List<Refund> refunds) {
		if (!refunds.isEmpty()) {
			attemptAsync(() -> this.target.refundAsync(this.rules.refunds(refunds)), () -> refunded(refunds));
		}
	}

	private void owe(List<Debt> debts) {
		if (!debts.isEmpty()) {
			attempt(() -> this.target.owe(this.rules.debts(debts)));
		}
	}

	private void oweAsync(List<Debt> debts) {
		if (!debts.isEmpty()) {
			attemptAsync(() -> this.target.oweAsync(this.rules.debts(debts)), () -> {
			});
		}
	}

	private void refunded(List<Refund> refunds) {
		refunds.forEach((refund) -> this.whenRefunded.accept(refund.demand()));
	}

	private static void attempt(Runnable correction) {
		try {
			correction.run();
		}
		catch (RuntimeException ex) {
			failed(ex);
		}
	}

	private static void attemptAsync(Supplier<CompletionStage<Void>> correction, Runnable whenDone) {
		try {
			correction.get().whenComplete((done, failure) -> {
				whenDone.run();
				if (failure != null) {
					failed(failure);
				}
			});
		}
		catch (RuntimeException ex) {
			failed(ex);
		}
	}

	private static void failed(Throwable failure) {
		logger.log(Level.DEBUG, "Units of a call that has ended could not be settled", failure);
	}

}
