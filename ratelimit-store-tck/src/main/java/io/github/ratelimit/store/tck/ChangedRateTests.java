package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.Limit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Law 10 for buckets: units refilled before a change stay. A higher rate applies from the
 * next call on, a lower one from the next admitted call on.
 */
class ChangedRateTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	@ParameterizedTest
	@MethodSource("buckets")
	void refilledUnitsStayAndMissingUnitsStayMissing(AlgorithmOnStore on) {
		Counter lowered = on.counter(on.algorithm().limit(100, MINUTE).withBurst(100));
		lowered.acquire(50);
		lowered.advance(28_800_000).change(on.algorithm().limit(10, MINUTE).withBurst(10));
		assertThat(lowered.peek().remaining()).isEqualTo(8);
		Counter raised = on.counter(on.algorithm().limit(10, MINUTE).withBurst(100));
		raised.acquire(50);
		raised.advance(30_000_000).change(on.algorithm().limit(100, MINUTE).withBurst(100));
		assertThat(raised.peek().remaining()).isEqualTo(55);
	}

	@ParameterizedTest
	@MethodSource("buckets")
	void exhaustedKeyIsNotDeniedForADayOnceTheLimitIsRaised(AlgorithmOnStore on) {
		Counter counter = on.counter(on.algorithm().limit(1, Duration.ofDays(1)));
		counter.acquire(1);
		counter.change(on.algorithm().limit(1, Duration.ofSeconds(1)));
		for (int i = 0; i < 10; i++) {
			assertThat(counter.acquire(1).retryAfter()).isEqualTo(1_000_000 - i * 100_000);
			counter.advance(100_000);
		}
		assertThat(counter.acquire(1).admitted()).isTrue();
	}

	/**
	 * Alternating limits occur if two nodes with adaptive limits share a key.
	 */
	@ParameterizedTest
	@MethodSource("bucketsInStep")
	void deniedCallsWithAlternatingRatesGainNoMoreThanTheHigherRateGives(AlgorithmOnStore on) {
		for (long[] rates : new long[][] { { 100, 10 }, { 7, 3 }, { 1_000, 1 } }) {
			for (long gap : new long[] { 1, 997, 10_007 }) {
				Counter counter = on.counter(alternating(on, rates[0]));
				counter.acquire(1_000);
				int flips = 2_000;
				for (int i = 1; i <= flips; i++) {
					counter.advance(gap).change(alternating(on, rates[i % 2])).acquire(1_000);
				}
				long exact = flips * gap * rates[0] / 60_000_000;
				assertThat(counter.peek().remaining()).as("%s, %s", rates, gap).isEqualTo(exact);
			}
		}
	}

	@ParameterizedTest
	@MethodSource("bucketsInStep")
	void admittedCallsWithAlternatingRatesLoseAndGainNothing(AlgorithmOnStore on) {
		for (long[] rates : new long[][] { { 100, 10 }, { 7, 3 }, { 1_000, 1 } }) {
			for (long gap : new long[] { 10_007, 100_003 }) {
				Counter counter = on.counter(alternating(on, rates[0]));
				counter.acquire(500);
				int flips = 200;
				for (int i = 1; i <= flips; i++) {
					assertThat(counter.advance(gap).change(alternating(on, rates[i % 2])).acquire(1).admitted())
						.isTrue();
				}
				long exact = 500 - flips + flips / 2 * gap * (rates[0] + rates[1]) / 60_000_000;
				assertThat(counter.peek().remaining()).as("%s, %s", rates, gap).isBetween(exact - 1, exact);
			}
		}
	}

	private static Limit alternating(AlgorithmOnStore on, long max) {
		return on.algorithm().limit(max, MINUTE).withBurst(1_000);
	}

	static Stream<AlgorithmOnStore> buckets() {
		return AlgorithmOnStore.all().filter((on) -> on.algorithm().isBucket());
	}

	/**
	 * Return the buckets on all stores in step, on which many calls take less time.
	 */
	static Stream<AlgorithmOnStore> bucketsInStep() {
		return Stream.of(AlgorithmUnderTest.TOKEN_BUCKET, AlgorithmUnderTest.LEAKY_BUCKET)
			.map(AlgorithmOnStore::inStep);
	}

}
