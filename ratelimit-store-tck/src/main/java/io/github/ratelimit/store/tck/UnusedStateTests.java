package io.github.ratelimit.store.tck;

import java.time.Duration;

import io.github.ratelimit.store.LimitOutcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Law 6: a state that equals an unused one stays so, regardless of later limits and
 * clocks.
 */
class UnusedStateTests {

	private static final Duration PERIOD = Duration.ofSeconds(100);

	@CommonTest
	void longerPeriodFindsNothingOfAStateThatWasOver(AlgorithmOnStore on) {
		for (long late : new long[] { 0, 1, 3_500_000_000L }) {
			Counter counter = on.counter(10, PERIOD);
			long resetAfter = counter.acquire(10).resetAfter();
			counter.advance(resetAfter + late).change(on.algorithm().limit(10, Duration.ofDays(1)));
			LimitOutcome unused = on.counter(counter.limit()).peek();
			assertThat(counter.peek()).as("%s late", late).isEqualTo(unused);
			assertThat(counter.acquire(1).admitted()).as("%s late", late).isTrue();
		}
	}

	@CommonTest
	void clockThatIsSetBackFindsNothingOfAStateThatWasOver(AlgorithmOnStore on) {
		Counter counter = on.counter(10, PERIOD);
		long resetAfter = counter.acquire(10).resetAfter();
		LimitOutcome unused = counter.advance(resetAfter).peek();
		assertThat(unused.resetAfter()).isZero();
		assertThat(counter.advance(-1).peek()).isEqualTo(unused);
		assertThat(counter.advance(-50_000_000).acquire(10).admitted()).isTrue();
	}

	@CommonTest
	void stateThatIsNotOverIsKept(AlgorithmOnStore on) {
		Counter counter = on.counter(10, PERIOD);
		long resetAfter = counter.acquire(10).resetAfter();
		assertThat(counter.advance(resetAfter - 1).peek().resetAfter()).isOne();
		counter.change(on.algorithm().limit(10, Duration.ofDays(1)));
		assertThat(counter.peek().resetAfter()).isPositive();
	}

}
