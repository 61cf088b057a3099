package io.github.ratelimit.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.RateLimitInterruptedException;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Correction.Kind;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;

/**
 * Units that admitted calls have taken at one place. They are refunded if a call does not
 * take place, and settled when it ends. Both follow the rules in force, go to where the
 * call was counted, and never fail: units that cannot be refunded stay counted, and debts
 * that cannot be counted are lost.
 */
final class TakenUnits {

	private static final Logger logger = System.getLogger(TakenUnits.class.getName());

	private final Target target;

	private final RulesInForce rules;

	private final CallDelay delay;

	private final Consumer<Demand> whenRefunded;

	/**
	 * Create new units.
	 * @param whenRefunded gets each demand of a call after its refund
	 */
	TakenUnits(Target target, RulesInForce rules, CallDelay delay, Consumer<Demand> whenRefunded) {
		this.target = target;
		this.rules = rules;
		this.delay = delay;
		this.whenRefunded = whenRefunded;
	}

	CallDelay delay() {
		return this.delay;
	}

	/**
	 * Refund a call, if it took units. One that was denied may have taken units of
	 * candidates alone.
	 * @param waits whether the caller waits for it, unless its thread must not
	 */
	void refund(StoreAnswer call, boolean waits) {
		if (call.isAdmitted() || !call.tried().isEmpty()) {
			correct(call.refunds(), waits);
		}
	}

	/**
	 * Settle a call that ends: refund the units that it has not used, and what it holds
	 * until it ends, and count those that it has used beyond.
	 */
	void settle(StoreAnswer call, UsedUnits used, boolean waits) {
		List<Correction> refunds = new ArrayList<>();
		List<Correction> debts = new ArrayList<>();
		for (Correction taken : call.refunds()) {
			Demand demand = taken.demand();
			long unused = demand.cost() - Math.max(0, used.of(demand));
			Correction refund = taken.withDemand(demand.withCost(Math.max(0, unused)));
			if (!refund.isEmpty()) {
				refunds.add(refund);
			}
			if (unused < 0) {
				Demand owed = demand.withCost(-unused);
				if (demand.cost() > 0) {
					debts.add(Correction.debt(owed, taken.countedAt(), taken.decidedAt()));
				}
				else {
					// candidates were not asked by a call of no cost, and owe as much
					Stream.concat(Stream.of(owed), owed.tried().stream())
						.forEach((each) -> debts.add(Correction.debt(each, taken.countedAt(), Correction.NEWEST)));
				}
			}
		}
		correct(refunds, waits);
		correct(debts, waits);
	}

	private void correct(List<Correction> taken, boolean waits) {
		if (taken.isEmpty()) {
			return;
		}
		try {
			List<Correction> corrections = this.rules.corrections(taken);
			if (waits && this.target.mayBlock()) {
				this.target.correctNow(corrections);
				corrected(taken, null);
			}
			else {
				this.target.correct(corrections).whenComplete((done, failure) -> corrected(taken, failure));
			}
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

	/** Place where calls are counted, and what they have taken is corrected. */
	interface Target {

		/** Return whether the current thread may wait for the place. */
		default boolean mayBlock() {
			return true;
		}

		/**
		 * Correct counts without blocking the caller.
		 * @param corrections at least one
		 * @return a stage that fails if one could not be made
		 */
		CompletionStage<?> correct(List<Correction> corrections);

		/**
		 * Correct counts, and wait until that is done.
		 * @throws StoreException if a correction could not be made
		 * @throws RateLimitInterruptedException if the thread is interrupted, and stays
		 * so; the correction goes on
		 */
		default void correctNow(List<Correction> corrections) {
			try {
				correct(corrections).toCompletableFuture().get();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new RateLimitInterruptedException(corrections.get(0).demand().rule().name(), ex);
			}
			catch (ExecutionException ex) {
				if (ex.getCause() instanceof RuntimeException failure) {
					throw failure;
				}
				throw new IllegalStateException(ex.getCause());
			}
		}

	}

}
