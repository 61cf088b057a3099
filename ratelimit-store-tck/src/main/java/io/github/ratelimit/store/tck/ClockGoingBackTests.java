package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Tag;

import io.github.ratelimit.Limit;
import io.github.ratelimit.store.LimitOutcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Law 7: a clock set back grants nothing twice and locks no caller out for longer than
 * one period.
 */
@Tag("every-redis")
class ClockGoingBackTests {

	private static final Duration PERIOD = Duration.ofMinutes(1);

	private static final List<Duration> BACK = List.of(Duration.ofNanos(1000), Duration.ofMillis(1),
			Duration.ofSeconds(3), Duration.ofSeconds(60), Duration.ofSeconds(61), Duration.ofDays(1),
			Duration.ofDays(3000));

	@UnitByUnitTest
	void nothingIsGrantedTwice(AlgorithmOnStore on) {
		for (Duration back : BACK) {
			Counter counter = on.counter(5, PERIOD);
			assertThat(counter.drain()).isEqualTo(5);
			assertThat(counter.advance(-micros(back)).drain()).as("%s back", back).isZero();
		}
	}

	@CommonTest
	void waitIsAtMostOnePeriodAndHonestOnTheNewClock(AlgorithmOnStore on) {
		for (Duration back : BACK) {
			for (boolean peek : new boolean[] { true, false }) {
				Counter counter = on.counter(5, PERIOD);
				counter.drain();
				counter.advance(-micros(back));
				if (peek) {
					assertThat(counter.peek().resetAfter()).isBetween(1L,
							on.algorithm().resetAfter(counter.limit(), counter.now()));
				}
				long retryAfter = counter.acquire(1).retryAfter();
				assertThat(retryAfter).as("%s back", back)
					.isBetween(1L, on.algorithm().longestWait(counter.limit(), counter.now()));
				assertThat(counter.advance(retryAfter - 1).acquire(1).retryAfter()).as("%s back", back).isEqualTo(1);
				assertThat(counter.advance(1).acquire(1).admitted()).as("%s back", back).isTrue();
			}
		}
	}

	@UnitByUnitTest
	void remainingUnitsStay(AlgorithmOnStore on) {
		for (Duration back : BACK) {
			Counter counter = on.counter(5, PERIOD);
			counter.acquire(3);
			assertThat(counter.advance(-micros(back)).acquire(1)).as("%s back", back)
				.extracting(LimitOutcome::admitted, LimitOutcome::remaining)
				.containsExactly(true, 1L);
			assertThat(counter.drain()).as("%s back", back).isOne();
		}
	}

	@CommonTest
	void clockThatGoesToAndFroGrantsNothing(AlgorithmOnStore on) {
		Seeds.seeds().forEach((seed) -> {
			Random random = new Random(seed);
			Counter counter = on.counter(5, PERIOD);
			counter.drain();
			for (int i = 0; i < 200; i++) {
				counter.setClock(AlgorithmOnStore.NOW - random.nextInt(20_000_000));
				assertThat(counter.peek().remaining()).as("seed " + seed).isZero();
			}
			assertThat(counter.setClock(AlgorithmOnStore.NOW).drain()).as("seed " + seed).isZero();
		});
	}

	/**
	 * The units have moved to the earlier window, by the clock that was set back. A call
	 * with a shorter period waits for the end of that window.
	 */
	@StoreTest
	void unitsMoveBackForACallWithAShorterPeriodThatWaits(StoreUnderTest store) {
		Limit longer = AlgorithmUnderTest.WEIGHTED_WINDOW.limit(10, Duration.ofSeconds(100));
		Counter counter = new Counter(store, longer, 300_000_000L * 5_666_666 + 90_000_000);
		counter.acquire(6);
		counter.advance(10_000_000).acquire(1);
		counter.advance(-90_000_000).change(AlgorithmUnderTest.WEIGHTED_WINDOW.limit(10, PERIOD));
		assertThat(counter.waiting(PERIOD.multipliedBy(2)).acquire(8).retryAfter()).isEqualTo(92_857_143);
		assertThat(counter.advance(140_000_000).peek(1).remaining()).isEqualTo(6);
	}

	private static long micros(Duration duration) {
		return duration.toNanos() / 1000;
	}

}
