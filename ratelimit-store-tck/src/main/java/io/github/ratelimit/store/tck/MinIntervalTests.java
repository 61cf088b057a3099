package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two admitted calls of a key are at least an interval apart, with every algorithm.
 */
class MinIntervalTests {

	private static final Duration INTERVAL = Duration.ofMillis(200);

	private static final Duration MINUTE = Duration.ofMinutes(1);

	@UnitByUnitTest
	void secondCallWaitsForTheInterval(AlgorithmOnStore on) {
		Counter counter = counter(on, 5);
		assertThat(counter.acquire(1).admitted()).isTrue();
		assertThat(counter.acquire(1).retryAfter()).isEqualTo(200_000);
		assertThat(counter.advance(199_999).acquire(1).retryAfter()).isOne();
		assertThat(counter.advance(1).acquire(1).admitted()).isTrue();
	}

	@UnitByUnitTest
	void intervalDoesNotReduceTheUnitsLeft(AlgorithmOnStore on) {
		Counter counter = counter(on, 5);
		assertThat(counter.acquire(2).remaining()).isEqualTo(3);
	}

	@UnitByUnitTest
	void aCallOfAnyCostIsOneCall(AlgorithmOnStore on) {
		Counter counter = counter(on, 5);
		counter.acquire(3);
		assertThat(counter.acquire(2).retryAfter()).isEqualTo(200_000);
		assertThat(counter.advance(200_000).acquire(2).admitted()).isTrue();
	}

	@UnitByUnitTest
	void longerOfBothWaitsIsReturned(AlgorithmOnStore on) {
		Counter counter = counter(on, 1);
		counter.acquire(1);
		long limit = on.algorithm().resetAfter(counter.limit(), counter.now());
		assertThat(counter.acquire(1).retryAfter()).isEqualTo(limit);
		assertThat(counter.peek().resetAfter()).isEqualTo(limit);
	}

	@UnitByUnitTest
	void callThatTheLimitDeniesBeginsNoInterval(AlgorithmOnStore on) {
		Counter counter = counter(on, 5);
		assertThat(counter.acquire(6).retryAfter()).isEqualTo(-1);
		assertThat(counter.acquire(5).admitted()).isTrue();
	}

	@UnitByUnitTest
	void callThatTheIntervalDeniesTakesNothing(AlgorithmOnStore on) {
		Counter counter = counter(on, 5);
		counter.acquire(1);
		LimitOutcome before = counter.peek();
		counter.acquire(1);
		assertThat(counter.peek()).isEqualTo(before);
		assertThat(before.remaining()).isEqualTo(4);
	}

	@UnitByUnitTest
	void shorterIntervalCountsFromTheLastCall(AlgorithmOnStore on) {
		Counter counter = counter(on, 5);
		counter.acquire(1);
		counter.change(counter.limit().withMinInterval(Duration.ofMillis(100)));
		assertThat(counter.advance(99_999).acquire(1).retryAfter()).isOne();
		assertThat(counter.advance(1).acquire(1).admitted()).isTrue();
	}

	@UnitByUnitTest
	void longerIntervalCountsFromTheNextCall(AlgorithmOnStore on) {
		Counter counter = counter(on, 5);
		counter.acquire(1);
		counter.change(counter.limit().withMinInterval(Duration.ofSeconds(10)));
		assertThat(counter.advance(100_000).acquire(1).retryAfter()).isEqualTo(100_000);
		assertThat(counter.advance(99_999).acquire(1).retryAfter()).isOne();
		assertThat(counter.advance(1).acquire(1).admitted()).isTrue();
		assertThat(counter.acquire(1).retryAfter()).isEqualTo(10_000_000);
	}

	@UnitByUnitTest
	void callCountsByTheIntervalOfItsTime(AlgorithmOnStore on) {
		Counter counter = counter(on, 5);
		counter.acquire(1);
		counter.change(counter.limit().withMinInterval(Duration.ofMillis(100)));
		assertThat(counter.advance(100_000).acquire(1).admitted()).isTrue();
		counter.change(counter.limit().withMinInterval(Duration.ofSeconds(10)));
		assertThat(counter.acquire(1).retryAfter()).isEqualTo(100_000);
	}

	@UnitByUnitTest
	void peekDoesNotBeginALongerInterval(AlgorithmOnStore on) {
		Counter counter = counter(on, 5);
		counter.acquire(1);
		counter.change(counter.limit().withMinInterval(Duration.ofSeconds(10))).peek();
		assertThat(counter.advance(200_000).acquire(1).admitted()).isTrue();
	}

	@UnitByUnitTest
	void clockThatGoesBackTakesTheIntervalWithIt(AlgorithmOnStore on) {
		Counter counter = counter(on, 5);
		counter.acquire(1);
		assertThat(counter.advance(-86_400_000_000L).acquire(1).retryAfter()).isEqualTo(200_000);
		assertThat(counter.advance(200_000).acquire(1).admitted()).isTrue();
	}

	@UnitByUnitTest
	void waitingCallsKeepTheInterval(AlgorithmOnStore on) {
		Counter counter = counter(on, 5).waiting(MINUTE);
		for (int i = 0; i < 4; i++) {
			assertThat(counter.acquire(1).retryAfter()).isEqualTo(i * 200_000L);
		}
	}

	@UnitByUnitTest
	void eachOfSeveralLimitsHasItsOwnInterval(AlgorithmOnStore on) {
		RateLimitRule rule = RateLimitRule.named("rule")
			.limit(on.algorithm().limit(5, MINUTE).withMinInterval(INTERVAL).withName("short"))
			.limit(on.algorithm().limit(5, MINUTE).withName("none"))
			.limit(on.algorithm().limit(5, MINUTE).withMinInterval(INTERVAL.multipliedBy(2)).withName("long"))
			.build();
		String key = AlgorithmOnStore.freshKey();
		on.store().setClock(AlgorithmOnStore.NOW);
		on.store().acquire(List.of(new Demand(rule, key, 1)));
		assertThat(on.store().acquire(List.of(new Demand(rule, key, 1)))).extracting(LimitOutcome::retryAfter)
			.containsExactly(200_000L, 0L, 400_000L);
	}

	@UnitByUnitTest
	void resetForgetsTheIntervalToo(AlgorithmOnStore on) {
		Counter counter = counter(on, 5);
		counter.acquire(1);
		counter.reset();
		assertThat(counter.acquire(1).admitted()).isTrue();
	}

	private static Counter counter(AlgorithmOnStore on, long max) {
		Limit limit = on.algorithm().limit(max, MINUTE);
		return on.counter(limit.withMinInterval(INTERVAL));
	}

}
