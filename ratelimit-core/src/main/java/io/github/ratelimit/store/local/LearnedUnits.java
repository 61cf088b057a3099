package io.github.ratelimit.store.local;

import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.Limit;
import io.github.ratelimit.store.LimitOutcome;

/**
 * Units of a key that the store has counted, as far as its answers show them. Charges
 * alone do not bound a store that fails every other call: once it is full, the fallback
 * would still admit each call that fails.
 */
final class LearnedUnits {

	private LearnedUnits() {
	}

	/**
	 * Count that number of the newest units as of now.
	 * @param outcomes the outcome of each limit in the store
	 */
	static void renew(Entry counts, List<LimitOutcome> outcomes) {
		int i = 0;
		for (LimitOutcome outcome : outcomes) {
			counts.reconciliation(i).renew(outcome.remaining());
			i += (counts.limit(i).interval() != null) ? 2 : 1;
		}
	}

	/**
	 * Return how many units the store has counted beyond an entry.
	 * @param outcomes the outcome of each limit in the store
	 * @param uncharged how many units of the entry are not charged yet
	 */
	static List<Long> usedElsewhere(Entry entry, List<LimitOutcome> outcomes, List<Long> uncharged) {
		List<Long> units = new ArrayList<>(entry.size());
		for (LimitOutcome outcome : outcomes) {
			int i = units.size();
			Limit limit = entry.limit(i);
			long remaining = Math.max(0, outcome.remaining() - uncharged.get(i));
			units.add(entry.reconciliation(i).usedElsewhere(remaining));
			if (limit.interval() != null) {
				units.add(0L);
			}
		}
		return units;
	}

}
