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

	private static final Limit LIMIT = AlgorithmUnderTest.SLIDING_WINDOW.limit(2, Duration.ofSeconds(10));

	@StoreTest
	void turnIsFreeAtOnceWhenCallsGiveUpNewestFirst(StoreUnderTest store) {
		Counter counter = counter(store);
		for (int waiting : new int[] { 1, 2, 9 }) {
			counter.reset();
			queue(counter, waiting);
			giveUp(counter, waiting);
			assertThat(counter.peek()).isEqualTo(new LimitOutcome(1, 0, 11 * SECOND));
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
			.limit(LIMIT.withName("first"))
			.limit(minute.withName("minute"))
			.build();
		Demand demand = new Demand(both, AlgorithmOnStore.freshKey(), 1, Duration.ofMinutes(1));
		store.setClock(BEGINNING);
		store.acquire(List.of(demand));
		store.setClock(BEGINNING + 30 * SECOND);
		store.acquire(List.of(demand));
		store.correct(List.of(Correction.refund(demand, BEGINNING + 60 * SECOND)));
		assertThat(store.peek(demand)).isEqualTo(new LimitOutcome(2, 0, 0));
	}

	@StoreTest
	void unitsTakenBeforeStillCount(StoreUnderTest store) {
		Counter counter = queue(counter(store), 1);
		giveUp(counter, 1);
		assertThat(counter.acquire(1)).isEqualTo(new LimitOutcome(0, 0, 11 * SECOND));
		assertThat(counter.advance(11 * SECOND - 1).peek()).isEqualTo(new LimitOutcome(0, 0, 1));
	}

	@StoreTest
	void turnInTheMiddlePassesUnused(StoreUnderTest store) {
		Counter counter = queue(counter(store), 3);
		LimitOutcome before = counter.peek();
		counter.refund(2, BEGINNING + 22 * SECOND).refund(2, BEGINNING + 11 * SECOND);
		assertThat(counter.peek()).isEqualTo(before);
		assertThat(counter.acquire(2).retryAfter()).isEqualTo(44 * SECOND);
	}

	@StoreTest
	void onlyUnitsOfTheCallThatGivesUpAreRefunded(StoreUnderTest store) {
		Counter counter = queue(counter(store), 3);
		assertThat(counter.refund(2, BEGINNING + 33 * SECOND).acquire(2).retryAfter()).isEqualTo(33 * SECOND);
		counter.refund(2, BEGINNING + 33 * SECOND).refund(2, BEGINNING + 22 * SECOND);
		assertThat(counter.acquire(1).retryAfter()).isEqualTo(22 * SECOND);
	}

	@StoreTest
	void unitsOfOlderSubWindowsStay(StoreUnderTest store) {
		Counter counter = counter(store).advance(-3 * SECOND);
		counter.acquire(1);
		counter.advance(3 * SECOND).acquire(1);
		assertThat(counter.refund(2, BEGINNING).peek()).isEqualTo(new LimitOutcome(1, 0, 8 * SECOND));
	}

	@StoreTest
	void newerUnitsStay(StoreUnderTest store) {
		Counter counter = counter(store).advance(-3 * SECOND);
		counter.acquire(1);
		counter.advance(3 * SECOND).acquire(1);
		assertThat(counter.refund(2, BEGINNING - 3 * SECOND).peek()).isEqualTo(new LimitOutcome(1, 0, 11 * SECOND));
	}

	private static Counter counter(StoreUnderTest store) {
		return new Counter(store, LIMIT, BEGINNING).waiting(Duration.ofDays(1));
	}

	/**
	 * The first call waits for 11 seconds, each further one for 11 more.
	 */
	private static Counter queue(Counter counter, int waiting) {
		assertThat(counter.acquire(1).retryAfter()).isZero();
		for (int i = 1; i <= waiting; i++) {
			assertThat(counter.acquire(2).retryAfter()).isEqualTo(i * 11 * SECOND);
		}
		return counter;
	}

	private static void giveUp(Counter counter, int waiting) {
		for (int i = waiting; i >= 1; i--) {
			counter.refund(2, BEGINNING + 11 * i * SECOND);
		}
	}

}
