package io.github.ratelimit.store;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Demands of a call that is subject to several rules, or to none.
 *
 * @param asList the demands
 */
record SeveralDemands(List<Demand> asList) implements Demands {

	@Override
	public List<Demand> tried() {
		List<Demand> tried = List.of();
		for (Demand demand : this.asList) {
			if (demand.counts().candidateCount() > 0) {
				tried = new ArrayList<>(tried);
				tried.addAll(demand.tried());
			}
		}
		return tried;
	}

	@Override
	public boolean needsEnd() {
		return this.asList.stream().anyMatch(Demand::needsEnd);
	}

	@Override
	public Demands map(UnaryOperator<Demand> change) {
		return new SeveralDemands(this.asList.stream().map(change).toList());
	}

}
