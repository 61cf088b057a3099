package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.util.Random;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.Limit;
import io.github.ratelimit.algorithm.Count;
import io.github.ratelimit.store.LimitOutcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Laws 1, 3 and 10 for a period that becomes longer: expired units do not count again,
 * counted units come back as before until a call is admitted, and a denied call is
 * admitted after exactly its {@code retryAfter}.
 */
class LongerPeriodTests {

	private static final int WALKS = Seeds.steps(10_000) / 20;

	private static final Duration LONGEST_REFILL = Duration.ofDays(3660);

	private static final long SECOND = 1_000_000;

	@UnitByUnitTest
	void remainingUnitsStayUnderALongerPeriod(AlgorithmOnStore on) {
		Counter counter = on.counter(10, Duration.ofSeconds(10)).setClock(1_700_000_000 * SECOND);
		counter.acquire(5);
		counter.advance(8 * SECOND).acquire(5);
		long remaining = counter.advance(4 * SECOND).peek().remaining();
		counter.change(on.algorithm().limit(10, Duration.ofSeconds(100)));
		assertThat(counter.peek().remaining()).isEqualTo(remaining);
	}

	@CommonTest
	void deniedCallWaitsForTheUnitsOfTheShorterPeriod(AlgorithmOnStore on) {
		Limit shorter = on.algorithm().limit(5, Duration.ofSeconds(1));
		Counter counter = on.counter(shorter);
		counter.acquire(5);
		long retryAfter = counter.advance(1_000).acquire(1).retryAfter();
		counter.change(on.algorithm().limit(5, Duration.ofHours(1)));
		assertThat(counter.acquire(1).retryAfter()).isEqualTo(retryAfter);
		assertThat(counter.advance(retryAfter - 1).acquire(1).retryAfter()).isOne();
		assertThat(counter.advance(1).acquire(1).admitted()).isTrue();
		assertThat(counter.acquire(5).retryAfter()).isGreaterThan(60 * SECOND);
	}

	@CommonTest
	void peekDoesNotBeginTheLongerPeriod(AlgorithmOnStore on) {
		Limit shorter = on.algorithm().limit(5, Duration.ofSeconds(1));
		Counter counter = on.counter(shorter);
		long resetAfter = counter.acquire(5).resetAfter();
		counter.change(on.algorithm().limit(5, Duration.ofHours(1))).peek();
		assertThat(counter.advance(resetAfter).acquire(1).admitted()).isTrue();
	}

	@CommonTest
	void callThatCanNeverBeAdmittedDoesNotBeginTheLongerPeriod(AlgorithmOnStore on) {
		Counter counter = on.counter(5, Duration.ofSeconds(10));
		Counter untouched = on.counter(5, Duration.ofSeconds(10));
		counter.acquire(1);
		untouched.acquire(1);
		Limit longer = on.algorithm().limit(5, Duration.ofHours(1));
		LimitOutcome denied = counter.advance(SECOND).change(longer).acquire(longer.capacity() + 1);
		assertThat(denied.retryAfter()).isEqualTo(Count.NEVER);
		counter.advance(100 * SECOND);
		untouched.advance(101 * SECOND).change(longer);
		assertThat(counter.peek()).isEqualTo(untouched.peek());
	}

	@UnitByUnitTest
	void denialByAShorterPeriodForgivesNothing(AlgorithmOnStore on) {
		Limit longer = on.algorithm().limit(10, Duration.ofSeconds(100));
		Counter counter = on.counter(longer);
		counter.acquire(10);
		LimitOutcome before = counter.advance(5 * SECOND).peek();
		counter.change(on.algorithm().limit(10, Duration.ofSeconds(40)));
		assertThat(counter.acquire(10).admitted()).isFalse();
		assertThat(counter.change(longer).peek().remaining()).isEqualTo(before.remaining());
	}

	@CommonWalk
	void denialsAreHonestAfterAnyCalls(AlgorithmOnStore on, long seed) {
		Random random = new Random(seed);
		for (int i = 0; i < WALKS; i++) {
			Counter counter = on.wornCounter(random);
			Limit longer = longer(on.algorithm(), counter.limit(), random);
			LimitOutcome denied = counter.change(longer).acquire(counter.peek().remaining() + 1);
			if (denied.retryAfter() > 0) {
				String description = "seed " + seed + ", walk " + i + ": " + counter;
				long cost = counter.peek().remaining() + 1;
				assertThat(counter.advance(denied.retryAfter() - 1).peek(cost).retryAfter()).as(description).isOne();
				assertThat(counter.advance(1).acquire(cost).admitted()).as(description).isTrue();
			}
		}
	}

	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource("io.github.ratelimit.store.tck.AlgorithmOnStore#admittingUnitByUnitInStep")
	void lengtheningNeitherGivesNorTakes(AlgorithmOnStore on, long seed) {
		Random random = new Random(seed);
		for (int i = 0; i < WALKS; i++) {
			Counter counter = on.wornCounter(random);
			String description = "seed " + seed + ", walk " + i + ": " + counter;
			long remaining = counter.peek().remaining();
			counter.change(longer(on.algorithm(), counter.limit(), random));
			assertThat(counter.peek().remaining()).as("%s, now %s", description, counter).isEqualTo(remaining);
		}
	}

	/**
	 * Return the limit with a period longer by more than a sub-window, if possible.
	 */
	private static Limit longer(AlgorithmUnderTest algorithm, Limit limit, Random random) {
		long millis = limit.period().toMillis();
		double refills = 0.99 * LONGEST_REFILL.toMillis() * limit.max() / limit.capacity();
		long longest = Math.min(algorithm.longestPeriod(limit.max()).toMillis(), (long) refills);
		long longer = (long) Math.min(longest, millis * (1 + Math.exp(random.nextDouble() * 8 - 2))) + 1;
		if (longer > longest || longer - millis <= millis / limit.segments() + 1) {
			return limit;
		}
		Limit changed = algorithm.limit(limit.max(), Duration.ofMillis(longer));
		return switch (algorithm) {
			case TOKEN_BUCKET, LEAKY_BUCKET -> changed.withBurst(limit.capacity());
			case SLIDING_WINDOW -> changed.withSegments(limit.segments());
			case CALENDAR_WINDOW -> Calendars.longer(limit);
			default -> changed;
		};
	}

}
