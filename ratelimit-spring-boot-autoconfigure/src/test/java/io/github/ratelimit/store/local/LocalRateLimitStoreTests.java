package io.github.ratelimit.store.local;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.algorithm.AlgorithmUnderTest;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How long the local store keeps what: law 6, and the bound on its keys.
 */
class LocalRateLimitStoreTests {

	private static final Duration PERIOD = Duration.ofMinutes(1);

	private long clock = 1_000_000_000;

	private long ticker;

	private final LocalRateLimitStore store = new LocalRateLimitStore(100, () -> this.clock, () -> this.ticker);

	@ParameterizedTest
	@EnumSource
	void keepsStateAsLongAsItDiffersFromAnUnusedOne(AlgorithmUnderTest algorithm) {
		Limit limit = algorithm.limit(5, PERIOD);
		long resetAfter = acquire(limit, 2).resetAfter();
		this.ticker = TimeUnit.MICROSECONDS.toNanos(resetAfter) - 1;
		assertThat(acquire(limit, 0).resetAfter()).isEqualTo(resetAfter);
		this.ticker++;
		assertThat(acquire(limit, 0)).isEqualTo(new LimitOutcome(5, 0, 0));
	}

	@ParameterizedTest
	@EnumSource
	void neitherDenialNorLookLengthensTheLifeOfAState(AlgorithmUnderTest algorithm) {
		Limit limit = algorithm.limit(5, PERIOD);
		long resetAfter = acquire(limit, 5).resetAfter();
		this.ticker = TimeUnit.MICROSECONDS.toNanos(resetAfter) - 1;
		assertThat(acquire(limit, 1).admitted()).isFalse();
		acquire(limit, 0);
		this.ticker++;
		assertThat(acquire(limit, 0).remaining()).isEqualTo(5);
	}

	@ParameterizedTest
	@EnumSource
	void keepsStateThatAClockTookBackForItsNewTime(AlgorithmUnderTest algorithm) {
		Limit limit = algorithm.limit(5, PERIOD);
		long resetAfter = acquire(limit, 5).resetAfter();
		this.clock -= PERIOD.toNanos() / 1000;
		this.ticker = TimeUnit.MICROSECONDS.toNanos(resetAfter) - 1;
		LimitOutcome denied = acquire(limit, 1);
		assertThat(denied.admitted()).isFalse();
		this.ticker += TimeUnit.MICROSECONDS.toNanos(denied.resetAfter()) - 1;
		assertThat(acquire(limit, 0).remaining()).isZero();
	}

	@Test
	void keepsStateUnderALoweredLimitForThePeriodOfThatLimit() {
		acquire(AlgorithmUnderTest.TOKEN_BUCKET.limit(100, PERIOD), 100);
		Limit lowered = AlgorithmUnderTest.TOKEN_BUCKET.limit(10, Duration.ofDays(1));
		assertThat(acquire(lowered, 1).admitted()).isFalse();
		this.ticker = Duration.ofDays(1).toNanos() - 1;
		assertThat(acquire(lowered, 0).remaining()).isZero();
	}

	@Test
	void keepsNoMoreKeysThanItMay() {
		Limit limit = AlgorithmUnderTest.SLIDING_LOG.limit(1, PERIOD);
		IntStream.range(0, 5_000).forEach((key) -> acquire(limit, "key-" + key, 1));
		assertThat(IntStream.range(0, 5_000).filter((key) -> acquire(limit, "key-" + key, 0).remaining() == 0).count())
			.isBetween(1L, 1_000L);
	}

	@Test
	void algorithmsDoNotShareState() {
		acquire(AlgorithmUnderTest.SLIDING_LOG.limit(5, PERIOD), 5);
		assertThat(acquire(AlgorithmUnderTest.TOKEN_BUCKET.limit(5, PERIOD), 0).remaining()).isEqualTo(5);
	}

	@Test
	void asynchronousAnswerIsThereAtOnce() {
		RateLimitRule rule = RateLimitRule.named("rule").limit(AlgorithmUnderTest.SLIDING_LOG.limit(5, PERIOD)).build();
		assertThat(this.store.acquireAsync(List.of(new Demand(rule, "key", 2)))).isCompletedWithValueMatching(
				(answer) -> answer.outcomes().equals(List.of(new LimitOutcome(3, 0, 60_000_000))));
	}

	@Test
	void decidesInTheNameOfThisProcess() {
		assertThat(this.store.origin()).isEqualTo(Decision.Origin.LOCAL);
	}

	private LimitOutcome acquire(Limit limit, long cost) {
		return acquire(limit, "key", cost);
	}

	private LimitOutcome acquire(Limit limit, String key, long cost) {
		RateLimitRule rule = RateLimitRule.named("rule").limit(limit).build();
		return this.store.acquire(List.of(new Demand(rule, key, cost))).outcomes().get(0);
	}

}
