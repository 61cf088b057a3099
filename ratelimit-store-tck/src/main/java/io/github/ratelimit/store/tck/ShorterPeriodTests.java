package io.github.ratelimit.store.tck;

import java.time.Duration;

import io.github.ratelimit.Limit;
import io.github.ratelimit.store.LimitOutcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Laws 1 and 3 for windows by the clock whose period becomes shorter: the new window may
 * end later than the old one.
 */
class ShorterPeriodTests {

	private static final long MINUTE = 60_000_000;

	private static final long HOUR = 1_699_999_200_000_000L;

	private static final Limit BEFORE = AlgorithmUnderTest.FIXED_WINDOW.limit(5, Duration.ofMinutes(60));

	private static final Limit SHORTER = AlgorithmUnderTest.FIXED_WINDOW.limit(5, Duration.ofMinutes(40));

	@StoreTest
	void deniedCallIsAdmittedAtTheEndOfTheOldWindow(StoreUnderTest store) {
		Counter counter = full(store).change(SHORTER);
		assertThat(counter.setClock(HOUR + 59 * MINUTE).acquire(1).retryAfter()).isEqualTo(MINUTE);
		assertThat(counter.setClock(HOUR + 60 * MINUTE - 1).acquire(1).retryAfter()).isOne();
		assertThat(counter.advance(1).acquire(1).admitted()).isTrue();
	}

	@StoreTest
	void deniedCallForgivesNothing(StoreUnderTest store) {
		Counter counter = full(store);
		LimitOutcome before = counter.setClock(HOUR + 59 * MINUTE).peek();
		counter.change(SHORTER).acquire(1);
		assertThat(counter.change(BEFORE).peek()).isEqualTo(before);
	}

	@StoreTest
	void shorterWindowDoesNotKeepTheUnits(StoreUnderTest store) {
		Counter counter = full(store).change(SHORTER);
		counter.setClock(HOUR + 59 * MINUTE).peek();
		assertThat(counter.setClock(HOUR + 60 * MINUTE).acquire(1).admitted()).isTrue();
	}

	private static Counter full(StoreUnderTest store) {
		Counter counter = new Counter(store, BEFORE, HOUR + 58 * MINUTE);
		counter.acquire(5);
		return counter;
	}

}
