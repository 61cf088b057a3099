package io.github.ratelimit.engine;

import io.github.ratelimit.KeyLists;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleCounts;
import org.jspecify.annotations.Nullable;

/**
 * Keys that are not counted by the numbers of their rule: overrides of keys, and lists of
 * rules. An override wins over a list.
 */
final class RuledKeys {

	private final OverriddenKeys overridden;

	/**
	 * Create an instance without overrides.
	 * @param whenUseChanges follows the first override of a rule, and the last one
	 */
	RuledKeys(Runnable whenUseChanges) {
		this.overridden = new OverriddenKeys(whenUseChanges);
	}

	OverriddenKeys overridden() {
		return this.overridden;
	}

	/**
	 * Find the ruling on the key of a call.
	 * @return the ruling, or {@code null} if the rule applies to it as to other keys
	 */
	@Nullable KeyRuling find(Demand demand) {
		KeyRuling override = this.overridden.find(demand);
		return (override != null) ? override : ListedKeys.find(demand);
	}

	/**
	 * Return a demand with the numbers of its key.
	 */
	Demand withNumbers(Demand demand) {
		return (this.overridden.findOverride(demand) instanceof KeyNumbers numbers)
				? demand.withCounts(numbers.of(demand.counts())) : demand;
	}

	/**
	 * Return whether a key is exempt or blocked, so that the numbers of its rule do not
	 * matter.
	 */
	boolean isUncounted(RuleCounts counts, String key) {
		return (!this.overridden.isEmpty() || counts.rule().lists() != KeyLists.NONE)
				&& isUncounted(new Demand(counts, key, 0));
	}

	boolean isUncounted(Demand demand) {
		KeyRuling ruling = find(demand);
		return ruling != null && !(ruling instanceof KeyNumbers);
	}

}
