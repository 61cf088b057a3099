package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.algorithm.Count;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.StoreAnswer;

/**
 * Decisions made of the answers of several limits.
 */
final class Decisions {

	private static final Comparator<LimitStatus> TIGHTEST_OF_ALLOWED = Comparator.comparingLong(LimitStatus::remaining)
		.thenComparing(LimitStatus::resetAfter, Comparator.reverseOrder());

	private static final Comparator<LimitStatus> TIGHTEST_OF_DENIED = Comparator.comparing(LimitStatus::retryAfter,
			Comparator.reverseOrder());

	private static final long MICROS_PER_SECOND = 1_000_000;

	private Decisions() {
	}

	static Decision of(List<Demand> demands, StoreAnswer answer, Decision.Origin origin) {
		return of(demands, answer.outcomes(), origin);
	}

	static Decision of(List<Demand> demands, List<LimitOutcome> outcomes, Decision.Origin origin) {
		List<LimitStatus> limits = limits(demands, outcomes);
		List<String> violated = violated(limits);
		boolean allowed = violated.isEmpty();
		int tightest = tightest(limits, allowed ? TIGHTEST_OF_ALLOWED : TIGHTEST_OF_DENIED);
		LimitStatus status = limits.get(tightest);
		return new Decision(allowed, ruleOf(demands, tightest), status.capacity(), status.remaining(),
				status.retryAfter(), status.resetAfter(), allowed ? delay(outcomes) : Duration.ZERO, violated, limits,
				origin);
	}

	private static List<LimitStatus> limits(List<Demand> demands, List<LimitOutcome> outcomes) {
		if (outcomes.size() == 1) {
			return List.of(status(demands.get(0), demands.get(0).rule().limits().get(0), outcomes.get(0)));
		}
		LimitStatus[] limits = new LimitStatus[outcomes.size()];
		int next = 0;
		for (Demand demand : demands) {
			for (Limit limit : demand.rule().limits()) {
				limits[next] = status(demand, limit, outcomes.get(next));
				next++;
			}
		}
		return List.of(limits);
	}

	/**
	 * The limits that deny.
	 * @return their names, in order
	 */
	static List<String> violated(List<LimitStatus> limits) {
		if (limits.size() == 1) {
			return limits.get(0).admitted() ? List.of() : List.of(limits.get(0).name());
		}
		List<String> violated = new ArrayList<>();
		for (LimitStatus status : limits) {
			if (!status.admitted()) {
				violated.add(status.name());
			}
		}
		return List.copyOf(violated);
	}

	private static int tightest(List<LimitStatus> limits, Comparator<LimitStatus> tightestFirst) {
		int tightest = 0;
		for (int i = 1; i < limits.size(); i++) {
			if (tightestFirst.compare(limits.get(i), limits.get(tightest)) < 0) {
				tightest = i;
			}
		}
		return tightest;
	}

	private static String ruleOf(List<Demand> demands, int limit) {
		int demand = 0;
		for (int left = limit; left >= demands.get(demand).rule().limits().size(); demand++) {
			left -= demands.get(demand).rule().limits().size();
		}
		return demands.get(demand).rule().name();
	}

	/**
	 * Return how long a call that is admitted waits.
	 */
	static Duration delay(List<LimitOutcome> outcomes) {
		long delay = 0;
		for (int i = 0; i < outcomes.size(); i++) {
			delay = Math.max(delay, outcomes.get(i).retryAfter());
		}
		return micros(delay);
	}

	/**
	 * Return the decision of a call that is not counted.
	 */
	static Decision uncounted(Demand demand, Decision.Origin origin) {
		long capacity = demand.rule().limits().stream().mapToLong(Limit::capacity).min().orElseThrow();
		return new Decision(true, demand.rule().name(), capacity, capacity, Duration.ZERO, Duration.ZERO, Duration.ZERO,
				List.of(), List.of(), origin);
	}

	/**
	 * A call that may wait, but not so long, would be admitted as soon as the rest of the
	 * wait is short enough.
	 */
	private static LimitStatus status(Demand demand, Limit limit, LimitOutcome outcome) {
		Duration retryAfter = outcome.admitted() ? Duration.ZERO : (outcome.retryAfter() == Count.NEVER)
				? Decision.NEVER : micros(Math.max(0, outcome.retryAfter() - demand.maxWaitMicros()));
		return new LimitStatus(demand.rule().nameOf(limit), limit.max(), limit.capacity(), limit.period(),
				outcome.remaining(), retryAfter, micros(outcome.resetAfter()));
	}

	private static Duration micros(long micros) {
		return (micros == 0) ? Duration.ZERO
				: Duration.ofSeconds(micros / MICROS_PER_SECOND, micros % MICROS_PER_SECOND * 1000);
	}

}
