package io.github.ratelimit.engine;

import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import org.jspecify.annotations.Nullable;

/**
 * Keys that are not counted by the numbers of their rule: overrides of keys, and lists of
 * rules. What is said at run time wins.
 */
final class RuledKeys {

	private final OverriddenKeys overridden = new OverriddenKeys();

	OverriddenKeys overridden() {
		return this.overridden;
	}

	/**
	 * Find what is said of the key of a call.
	 * @return the ruling, or {@code null} if its rule holds for it as for other keys
	 */
	@Nullable KeyRuling find(Demand demand) {
		KeyRuling override = this.overridden.find(demand);
		return (override != null) ? override : ListedKeys.find(demand);
	}

	/**
	 * Return a demand with the numbers of its key.
	 */
	Demand withNumbers(Demand demand) {
		return (this.overridden.find(demand) instanceof KeyNumbers numbers)
				? demand.withCounts(numbers.of(demand.counts())) : demand;
	}

	/**
	 * Find the keys of a call that are exempt or blocked.
	 * @return the call, or {@code null} if all of its demands are counted
	 */
	@Nullable RuledCall find(Demands demands) {
		if (demands instanceof Demand only && find(only) == null) {
			return null;
		}
		for (int i = 0; i < demands.size(); i++) {
			KeyRuling ruling = find(demands.get(i));
			if (ruling != null && !(ruling instanceof KeyNumbers)) {
				return new RuledCall(demands, this);
			}
		}
		return null;
	}

}
