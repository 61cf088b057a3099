package io.github.ratelimit.store;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Variants of a prepared rule that are prepared when they are first met. Equal numbers
 * share one. The latest ones are kept, up to a bound, twice as many at most.
 */
final class RecentVariants {

	private final int most;

	private volatile Map<Object, RuleCounts> recent = new ConcurrentHashMap<>();

	private volatile Map<Object, RuleCounts> older = Map.of();

	RecentVariants(int most) {
		this.most = most;
	}

	RuleCounts of(Object key, Supplier<RuleCounts> prepare) {
		RuleCounts known = this.recent.get(key);
		return (known != null) ? known : find(key, prepare);
	}

	private synchronized RuleCounts find(Object key, Supplier<RuleCounts> prepare) {
		RuleCounts known = this.recent.get(key);
		if (known != null) {
			return known;
		}
		RuleCounts earlier = this.older.get(key);
		RuleCounts variant = (earlier != null) ? earlier : prepare.get();
		if (this.recent.size() >= this.most) {
			this.older = this.recent;
			this.recent = new ConcurrentHashMap<>();
		}
		this.recent.put(key, variant);
		return variant;
	}

}
