package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.Limit;
import io.github.ratelimit.store.LimitOutcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Law 9: nothing overflows and nothing is rounded away, from the smallest limit to the
 * largest.
 */
class ExtremesTests {

	private static final List<Duration> PERIODS = List.of(Duration.ofMillis(1), Duration.ofMillis(999),
			Duration.ofSeconds(1), Duration.ofDays(30), Limit.MAX_PERIOD.minusMillis(1), Limit.MAX_PERIOD);

	@CommonTest
	void wholeCapacityIsAdmittedAtOnceAndAgainWhenUnused(AlgorithmOnStore on) {
		for (Duration period : PERIODS) {
			for (long max : new long[] { 1, 7, on.algorithm().largestMax() - 1, on.algorithm().largestMax() }) {
				Counter counter = on.counter(on.algorithm().limitUpTo(max, period));
				String description = counter.toString();
				long micros = on.algorithm().resetAfter(counter.limit(), counter.now());
				assertThat(counter.acquire(max)).as(description).isEqualTo(new LimitOutcome(0, 0, micros));
				long retryAfter = on.algorithm().retryAfter(counter.limit(), counter.now());
				assertThat(counter.acquire(max)).as(description).isEqualTo(new LimitOutcome(0, retryAfter, micros));
				assertThat(counter.advance(retryAfter - 1).acquire(max).retryAfter()).as(description).isOne();
				long again = on.algorithm().resetAfter(counter.limit(), counter.advance(micros - retryAfter + 1).now());
				assertThat(counter.acquire(max)).as(description).isEqualTo(new LimitOutcome(0, 0, again));
			}
		}
	}

	@CommonTest
	void everyCostAboveCapacityIsNeverAdmitted(AlgorithmOnStore on) {
		for (long max : new long[] { 1, on.algorithm().largestMax() }) {
			Counter counter = on.counter(on.algorithm().limitUpTo(max, Limit.MAX_PERIOD));
			for (long cost : new long[] { max + 1, 1L << 52, (1L << 53) + 1, Long.MAX_VALUE - 1, Long.MAX_VALUE }) {
				assertThat(counter.acquire(cost)).as(counter + ", cost " + cost)
					.isEqualTo(new LimitOutcome(max, -1, 0));
			}
		}
	}

	@UnitByUnitTest
	void noMoreThanMaxIsEverAdmittedInTheLongRun(AlgorithmOnStore on) {
		Counter counter = on.counter(7, Duration.ofSeconds(1));
		int admitted = 0;
		for (int i = 0; i < 3_000; i++) {
			admitted += counter.acquire(1).admitted() ? 1 : 0;
			counter.advance(counter.limit().periodMicros() / 1000);
		}
		assertThat(admitted).isBetween(18, 28);
	}

}
