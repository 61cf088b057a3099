package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Units that are free again when calls waiting for a {@code sliding-window} give up. One
 * of two units was taken before, and each waiting call takes both.
 */
class SlidingWindowTurnTests {

	private static final long BEGINNING = 1_700_000_000_000_000L;

	private static final long SECOND = 1_000_000;

	private final RateLimitRule rule = AlgorithmOnStore
		.rule(Limit.of(2, Duration.ofSeconds(10)).withAlgorithm(Algorithm.SLIDING_WINDOW));

	private final String key = AlgorithmOnStore.freshKey();

	@StoreTest
	void turnIsFreeAtOnceWhenCallsGiveUpNewestFirst(StoreUnderTest store) {
		for (int waiting : new int[] { 1, 2, 9 }) {
			store.reset(this.rule, this.key);
			queue(store, waiting);
			giveUp(store, waiting);
			assertThat(acquire(store, 0)).isEqualTo(new LimitOutcome(1, 0, 11 * SECOND));
		}
	}

	/**
	 * The call waits for the limit of a minute. The other one has been used before, and
	 * equals an unused one since.
	 */
	@StoreTest
	void turnInAnUnusedLimitIsFreeAtOnce(StoreUnderTest store) {
		Limit minute = Limit.of(1, Duration.ofMinutes(1)).withAlgorithm(Algorithm.SLIDING_LOG);
		RateLimitRule both = RateLimitRule.named("rule")
			.limit(this.rule.limits().get(0).withName("first"))
			.limit(minute.withName("minute"))
			.build();
		Demand demand = new Demand(both, this.key, 1, Duration.ofMinutes(1));
		store.setClock(BEGINNING);
		store.acquire(List.of(demand));
		store.setClock(BEGINNING + 30 * SECOND);
		store.acquire(List.of(demand));
		store.correct(List.of(Correction.refund(demand, BEGINNING + 60 * SECOND)));
		assertThat(store.peek(demand)).isEqualTo(new LimitOutcome(2, 0, 0));
	}

	@StoreTest
	void unitsTakenBeforeStillCount(StoreUnderTest store) {
		queue(store, 1);
		giveUp(store, 1);
		assertThat(acquire(store, 1)).isEqualTo(new LimitOutcome(0, 0, 11 * SECOND));
		store.setClock(BEGINNING + 11 * SECOND - 1);
		assertThat(acquire(store, 0)).isEqualTo(new LimitOutcome(0, 0, 1));
	}

	@StoreTest
	void turnInTheMiddlePassesUnused(StoreUnderTest store) {
		queue(store, 3);
		LimitOutcome before = acquire(store, 0);
		refund(store, 2, 22);
		refund(store, 2, 11);
		assertThat(acquire(store, 0)).isEqualTo(before);
		assertThat(acquire(store, 2).retryAfter()).isEqualTo(44 * SECOND);
	}

	@StoreTest
	void onlyUnitsOfTheCallThatGivesUpAreRefunded(StoreUnderTest store) {
		queue(store, 3);
		refund(store, 2, 33);
		assertThat(acquire(store, 2).retryAfter()).isEqualTo(33 * SECOND);
		refund(store, 2, 33);
		refund(store, 2, 22);
		assertThat(acquire(store, 1).retryAfter()).isEqualTo(22 * SECOND);
	}

	@StoreTest
	void unitsOfOlderSubWindowsStay(StoreUnderTest store) {
		store.setClock(BEGINNING - 3 * SECOND);
		acquire(store, 1);
		store.setClock(BEGINNING);
		acquire(store, 1);
		refund(store, 2, 0);
		assertThat(acquire(store, 0)).isEqualTo(new LimitOutcome(1, 0, 8 * SECOND));
	}

	@StoreTest
	void newerUnitsStay(StoreUnderTest store) {
		store.setClock(BEGINNING - 3 * SECOND);
		acquire(store, 1);
		store.setClock(BEGINNING);
		acquire(store, 1);
		refund(store, 2, -3);
		assertThat(acquire(store, 0)).isEqualTo(new LimitOutcome(1, 0, 11 * SECOND));
	}

	/**
	 * The first call waits for 11 seconds, each further one for 11 more.
	 */
	private void queue(StoreUnderTest store, int waiting) {
		store.setClock(BEGINNING);
		assertThat(acquire(store, 1).retryAfter()).isZero();
		for (int i = 1; i <= waiting; i++) {
			assertThat(acquire(store, 2).retryAfter()).isEqualTo(i * 11 * SECOND);
		}
	}

	private void giveUp(StoreUnderTest store, int waiting) {
		for (int i = waiting; i >= 1; i--) {
			refund(store, 2, 11 * i);
		}
	}

	private void refund(StoreUnderTest store, long cost, int second) {
		store.correct(List.of(Correction.refund(new Demand(this.rule, this.key, cost), BEGINNING + second * SECOND)));
	}

	private LimitOutcome acquire(StoreUnderTest store, long cost) {
		return store.acquire(List.of(new Demand(this.rule, this.key, cost, Duration.ofDays(1)))).get(0);
	}

}
