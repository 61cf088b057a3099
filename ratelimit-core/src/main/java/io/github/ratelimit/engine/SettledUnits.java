package io.github.ratelimit.engine;

import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.StoreAnswer;

/**
 * Difference between the units that a call took and those that it has used. The slots of
 * a rule are refunded with its units, so a rule with slots has a refund in any case.
 *
 * @param refunds the units that were not used
 * @param debts the units that were used beyond those taken
 */
record SettledUnits(List<Correction> refunds, List<Correction> debts) {

	static SettledUnits of(StoreAnswer call, UsedUnits used) {
		List<Correction> refunds = new ArrayList<>();
		List<Correction> debts = new ArrayList<>();
		for (Correction taken : call.refunds()) {
			Demand demand = taken.demand();
			long unused = demand.cost() - Math.max(0, used.of(demand));
			if (unused > 0 || demand.counts().hasSlots()) {
				refunds.add(taken.withDemand(demand.withCost(Math.max(0, unused))));
			}
			if (unused < 0) {
				debts.add(Correction.debt(demand.withCost(-unused), taken.countedAt(),
						(demand.cost() == 0) ? Correction.NEWEST : taken.decidedAt()));
			}
		}
		return new SettledUnits(refunds, debts);
	}

}
