package io.github.ratelimit.engine;

import java.util.List;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.algorithm.Count;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.StoreAnswer;

/**
 * Decisions made of the answers of stores.
 */
final class Decisions {

	private Decisions() {
	}

	static Decision of(StoreAnswer answer, Decision.Origin origin) {
		boolean allowed = answer.isAdmitted();
		RuleAnswer tightest = answer.get(0);
		int limit = 0;
		for (int i = 0; i < answer.size(); i++) {
			RuleAnswer each = answer.get(i);
			for (int j = 0; j < each.outcomes().size(); j++) {
				if (allowed ? isTighter(each.outcomes().get(j), tightest.outcomes().get(limit))
						: isLonger(each.retryAfter(j), tightest.retryAfter(limit))) {
					tightest = each;
					limit = j;
				}
			}
		}
		LimitOutcome outcome = tightest.outcomes().get(limit);
		return new Decision(allowed, tightest.demand().rule().name(),
				tightest.demand().rule().limits().get(limit).capacity(), outcome.remaining(),
				nanos(tightest.retryAfter(limit)), nanos(outcome.resetAfter()), nanos(answer.delay()),
				new LimitStatuses(answer), origin);
	}

	/**
	 * Whether an outcome is the tighter one of an allowed call: it leaves fewer units, or
	 * as many for longer.
	 */
	private static boolean isTighter(LimitOutcome outcome, LimitOutcome other) {
		return outcome.remaining() < other.remaining()
				|| outcome.remaining() == other.remaining() && outcome.resetAfter() > other.resetAfter();
	}

	private static boolean isLonger(long wait, long other) {
		return other != Count.NEVER && (wait == Count.NEVER || wait > other);
	}

	/**
	 * Return the decision on a call that nobody counted.
	 */
	static Decision uncounted(Demand demand, Decision.Origin origin) {
		long capacity = demand.rule().limits().stream().mapToLong(Limit::capacity).min().orElseThrow();
		return new Decision(true, demand.rule().name(), capacity, capacity, 0, 0, 0, List.of(), origin);
	}

	/**
	 * Return a time as decisions have it.
	 * @param micros microseconds, or {@link Count#NEVER}
	 */
	private static long nanos(long micros) {
		return (micros == Count.NEVER) ? Long.MAX_VALUE : micros * 1000;
	}

}
