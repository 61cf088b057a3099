package io.github.ratelimit.store;

import java.time.Duration;
import java.util.AbstractList;
import java.util.RandomAccess;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitCalendar;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.RateLimitRule;

/**
 * Statuses of all limits of an answer, rules and limits in order. Each is made when it is
 * read.
 */
final class LimitStatusList extends AbstractList<LimitStatus> implements RandomAccess {

	private final StoreAnswer answer;

	private final int size;

	LimitStatusList(StoreAnswer answer) {
		this.answer = answer;
		int limits = 0;
		for (int i = 0; i < answer.size(); i++) {
			limits += answer.get(i).limitCount();
		}
		this.size = limits;
	}

	@Override
	public int size() {
		return this.size;
	}

	@Override
	public LimitStatus get(int index) {
		int rule = 0;
		int limit = index;
		while (limit >= this.answer.get(rule).limitCount()) {
			limit -= this.answer.get(rule).limitCount();
			rule++;
		}
		return status(this.answer.get(rule), limit);
	}

	private static LimitStatus status(RuleAnswer answer, int index) {
		RateLimitRule rule = answer.demand().rule();
		Limit limit = rule.limits().get(index);
		LimitOutcome outcome = answer.outcome(index);
		long retryAfter = answer.retryAfter(index);
		LimitCalendar calendar = limit.calendar();
		return new LimitStatus(rule.name(), rule.nameOf(limit), limit.max(), limit.capacity(),
				limit.periodAt(answer.time()), outcome.remaining(), duration(retryAfter),
				duration(answer.resetAfter(index)), (calendar != null) ? calendar.unit() : null, limit.minInterval(),
				retryAfter == 0);
	}

	static Duration duration(long micros) {
		if (micros == LimitOutcome.UNKNOWN) {
			return Duration.ZERO;
		}
		return (micros == LimitOutcome.NEVER) ? Decision.NEVER : Duration.ofNanos(micros * 1000);
	}

}
