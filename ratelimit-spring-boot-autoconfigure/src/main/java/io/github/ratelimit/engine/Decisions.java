package io.github.ratelimit.engine;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
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
 * Tells what the limits said as one decision.
 */
final class Decisions {

	private static final Comparator<Verdict> TIGHTEST_OF_ALLOWED = Comparator
		.comparingLong((Verdict verdict) -> verdict.status.remaining())
		.thenComparing((verdict) -> verdict.status.resetAfter(), Comparator.reverseOrder());

	private static final Comparator<Verdict> TIGHTEST_OF_DENIED = Comparator
		.comparing((Verdict verdict) -> verdict.status.retryAfter(), Comparator.reverseOrder());

	private Decisions() {
	}

	static Decision of(List<Demand> demands, StoreAnswer answer, Decision.Origin origin) {
		List<Verdict> verdicts = new ArrayList<>(answer.outcomes().size());
		long delay = 0;
		for (Demand demand : demands) {
			for (Limit limit : demand.rule().limits()) {
				LimitOutcome outcome = answer.outcomes().get(verdicts.size());
				delay = Math.max(delay, outcome.retryAfter());
				verdicts.add(new Verdict(demand.rule().name(),
						status(demand.rule().nameOf(limit), limit, outcome, demand.maxWaitMicros())));
			}
		}
		List<LimitStatus> limits = verdicts.stream().map(Verdict::status).toList();
		List<String> violated = limits.stream().filter((status) -> !status.admitted()).map(LimitStatus::name).toList();
		boolean allowed = violated.isEmpty();
		Verdict tightest = verdicts.stream().min(allowed ? TIGHTEST_OF_ALLOWED : TIGHTEST_OF_DENIED).orElseThrow();
		return new Decision(allowed, tightest.rule, tightest.status.capacity(), tightest.status.remaining(),
				tightest.status.retryAfter(), tightest.status.resetAfter(),
				allowed ? Duration.of(delay, ChronoUnit.MICROS) : Duration.ZERO, violated, limits, origin);
	}

	/**
	 * What a call gets that nobody counted.
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
	private static LimitStatus status(String name, Limit limit, LimitOutcome outcome, long maxWait) {
		Duration retryAfter = (outcome.retryAfter() == Count.NEVER) ? Decision.NEVER
				: Duration.of(Math.max(0, outcome.retryAfter() - maxWait), ChronoUnit.MICROS);
		return new LimitStatus(name, limit.max(), limit.capacity(), limit.period(), outcome.remaining(), retryAfter,
				Duration.of(outcome.resetAfter(), ChronoUnit.MICROS));
	}

	private record Verdict(String rule, LimitStatus status) {

	}

}
