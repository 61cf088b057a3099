package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.StoreAnswer;

/**
 * Decisions made of the answers of stores.
 */
final class Decisions {

	private Decisions() {
	}

	static Decision of(StoreAnswer answer, Decision.Origin origin) {
		return new Decision(answer, origin);
	}

	/**
	 * Return the decision on a call that is not counted.
	 */
	static Decision uncounted(Demand demand, Decision.Origin origin) {
		long capacity = demand.rule().limits().stream().mapToLong(Limit::capacity).min().orElseThrow();
		return new Decision(true, demand.rule().name(), capacity, capacity, Duration.ZERO, Duration.ZERO, Duration.ZERO,
				List.of(), List.of(), origin);
	}

}
