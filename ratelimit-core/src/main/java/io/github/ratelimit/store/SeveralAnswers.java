package io.github.ratelimit.store;

import java.util.ArrayList;
import java.util.List;

/**
 * Answer to a call that is subject to several rules, or that candidates have decided.
 *
 * @param asList the answer of each rule
 * @param tried the answers of candidates
 */
record SeveralAnswers(List<RuleAnswer> asList, List<RuleAnswer> tried) implements StoreAnswer {

	@Override
	public boolean isAdmitted() {
		for (RuleAnswer answer : this.asList) {
			if (!answer.isAdmitted()) {
				return false;
			}
		}
		return true;
	}

	@Override
	public boolean needsEnd() {
		return this.asList.stream().anyMatch(RuleAnswer::needsEnd);
	}

	@Override
	public long delay() {
		return isAdmitted() ? this.asList.stream().mapToLong(RuleAnswer::delay).max().orElse(0) : 0;
	}

	@Override
	public RuleAnswer tightest() {
		boolean allowed = isAdmitted();
		RuleAnswer tightest = this.asList.get(0);
		for (RuleAnswer answer : this.asList) {
			tightest = answer.isTighter(allowed, tightest) ? answer : tightest;
		}
		return tightest;
	}

	@Override
	public List<Correction> refunds() {
		List<Correction> refunds = new ArrayList<>();
		if (isAdmitted()) {
			this.asList.forEach((answer) -> refunds.add(answer.refund()));
		}
		for (RuleAnswer answer : this.tried) {
			if (answer.isAdmitted()) {
				refunds.add(answer.refund());
			}
		}
		return refunds;
	}

}
