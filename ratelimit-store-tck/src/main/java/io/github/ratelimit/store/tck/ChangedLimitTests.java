package io.github.ratelimit.store.tck;

import java.time.Duration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Law 10: a changed limit takes effect on the next call and keeps what was consumed.
 */
class ChangedLimitTests {

	private static final Duration PERIOD = Duration.ofMinutes(1);

	@UnitByUnitTest
	void twoOfHundredUsedLeaveEightOfTenAndNoneOfOne(AlgorithmOnStore on) {
		Counter counter = on.counter(100, PERIOD);
		counter.acquire(2);
		assertThat(remaining(on, counter, 10)).isEqualTo(8);
		assertThat(remaining(on, counter, 1)).isZero();
		assertThat(remaining(on, counter, 100)).isEqualTo(98);
	}

	@UnitByUnitTest
	void loweredLimitAdmitsOnlyTheRest(AlgorithmOnStore on) {
		Counter counter = on.counter(100, PERIOD);
		counter.acquire(2);
		assertThat(counter.change(on.algorithm().limit(10, PERIOD)).drain()).isEqualTo(8);
	}

	@CommonTest
	void loweredLimitLocksCallersOutNoLongerThanALimitTakenJustNow(AlgorithmOnStore on) {
		Counter counter = on.counter(100, PERIOD);
		counter.acquire(100);
		long retryAfter = counter.change(on.algorithm().limit(1, PERIOD)).acquire(1).retryAfter();
		assertThat(retryAfter).isEqualTo(on.algorithm().retryAfter(counter.limit(), counter.now()));
		assertThat(counter.advance(retryAfter).drain()).isOne();
	}

	@UnitByUnitTest
	void raisedLimitAdmitsTheDifference(AlgorithmOnStore on) {
		Counter counter = on.counter(10, PERIOD);
		counter.drain();
		assertThat(counter.change(on.algorithm().limit(100, PERIOD)).drain()).isEqualTo(90);
	}

	@UnitByUnitTest
	void changedPeriodKeepsConsumedUnits(AlgorithmOnStore on) {
		for (Duration changed : new Duration[] { Duration.ofMillis(1), Duration.ofHours(1), Duration.ofDays(366) }) {
			Counter counter = on.counter(10, PERIOD);
			counter.acquire(3);
			assertThat(counter.change(on.algorithm().limit(10, changed)).drain()).as("%s", changed).isEqualTo(7);
		}
	}

	private static long remaining(AlgorithmOnStore on, Counter counter, long max) {
		return counter.change(on.algorithm().limit(max, PERIOD)).peek().remaining();
	}

}
