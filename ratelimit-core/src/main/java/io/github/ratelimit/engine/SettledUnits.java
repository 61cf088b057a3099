package io.github.ratelimit.engine;

import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.store.Debt;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.StoreAnswer;

/**
 * Difference between the units that a call took and those that it has used. The slots of
 * a rule are refunded with its units, so a rule with slots has a refund in any case.
 *
 * @param refunds the units that were not used
 * @param debts the units that were used beyond those taken
 */
record SettledUnits(List<Refund> refunds, List<Debt> debts) {

	static SettledUnits of(StoreAnswer call, UsedUnits used) {
		List<Refund> refunds = new ArrayList<>();
		List<Debt> debts = new ArrayList<>();
		for (int i = 0; i < call.size(); i++) {
			RuleAnswer answer = call.get(i);
			Refund taken = answer.refund();
			Demand demand = taken.demand();
			long unused = demand.cost() - Math.max(0, used.of(demand));
			if (unused > 0 || demand.counts().hasSlots()) {
				refunds.add(taken.withDemand(demand.withCost(Math.max(0, unused))));
			}
			if (unused < 0) {
				debts.add(new Debt(demand.withCost(-unused), taken.slot(), demand.cost() == 0, taken.decidedAt()));
			}
		}
		return new SettledUnits(refunds, debts);
	}

}
