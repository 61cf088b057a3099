package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.data.redis.connection.RedisConnection;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.tck.LocalStoreUnderTest;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.tck.StoreUnderTest;
import io.github.ratelimit.store.RuleCounts;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A sliding log is small, and a decision reads and writes no more of it than it needs,
 * which answers alone would not show.
 */
class RedisLogFormTests {

	private static final int HEADER = 14;

	private final String key = AlgorithmOnStore.freshKey();

	private final RedisRateLimitStore store = RedisUnderTest.store(RedisUnderTest.connections(), "form",
			Duration.ofSeconds(20), () -> AlgorithmOnStore.NOW);

	@ParameterizedTest
	@CsvSource({ "PT8S, 3", "PT9S, 4", "PT1M, 4", "PT35M, 4", "PT36M, 5", "P6D, 5", "P7D, 6", "P366D, 6" })
	void entryHasAsManyBytesAsTwoPeriodsNeed(Duration period, int width) {
		Limit limit = limit(10, period);
		acquire(limit, 7);
		assertThat(stored(limit)).hasSize(HEADER + 7 * width).startsWith((byte) width);
	}

	@Test
	void logThatFitsIsReadAtOnce() {
		Limit limit = limit(64, Duration.ofMinutes(1));
		acquire(limit, 64);
		RedisUnderTest.resetStatistics();
		acquire(limit, 1);
		assertThat(RedisUnderTest.calls("getrange")).isOne();
	}

	@Test
	void longLogIsSearchedByBisection() {
		Limit limit = limit(10_000, Duration.ofMinutes(1));
		acquire(limit, 10_000);
		RedisUnderTest.resetStatistics();
		acquire(limit, 1);
		assertThat(RedisUnderTest.calls("getrange")).isBetween(2L, 20L);
	}

	@Test
	void longLogWhosePeriodBecomesLongerIsReadOnce() {
		acquire(limit(10_000, Duration.ofMinutes(35)), 9_600);
		RedisUnderTest.resetStatistics();
		acquire(limit(10_000, Duration.ofHours(1)), 1);
		assertThat(RedisUnderTest.calls("get")).isZero();
		assertThat(RedisUnderTest.calls("getrange")).isLessThanOrEqualTo(20);
		assertThat(RedisUnderTest.calls("set")).isOne();
		assertThat(stored(limit(10_000, Duration.ofHours(1)))).hasSize(HEADER + 9_601 * 5).startsWith((byte) 5);
	}

	@ParameterizedTest
	@MethodSource("io.github.ratelimit.store.tck.Seeds#seeds")
	void longLogKeepsItsTimesWhenItsPeriodBecomesLonger(long seed) {
		Random random = new Random(seed);
		StoreUnderTest local = new LocalStoreUnderTest();
		StoreUnderTest redis = new RedisStoreUnderTest();
		for (int i = 0; i < 100; i++) {
			String worn = AlgorithmOnStore.freshKey();
			long[] periods = random.longs(5, 1, 100_000).map((millis) -> millis * millis / 10 + 1).sorted().toArray();
			long now = AlgorithmOnStore.NOW + random.nextInt(Integer.MAX_VALUE);
			for (int j = 0; j < 300; j++) {
				Duration period = Duration.ofMillis(periods[j / 60]);
				Demand demand = new Demand(rule(limit(1_000, period)), worn, 1 + random.nextInt(10));
				local.setClock(now);
				redis.setClock(now);
				assertThat(redis.acquire(List.of(demand))).as("seed %d, log %d, call %d", seed, i, j)
					.isEqualTo(local.acquire(List.of(demand)));
				now += (random.nextInt(50) == 0) ? -random.nextInt(10_000)
						: (long) (random.nextDouble() * period.toNanos() / 100_000);
			}
		}
	}

	@Test
	void longLogIsAppendedTo() {
		Limit limit = limit(1_000, Duration.ofMinutes(1));
		acquire(limit, 68);
		RedisUnderTest.resetStatistics();
		acquire(limit, 1);
		assertThat(RedisUnderTest.calls("append")).isOne();
		assertThat(RedisUnderTest.calls("set")).isZero();
	}

	@Test
	void logUnderAttackHoldsAtMostTwiceMaxUnits() {
		for (int max : new int[] { 1, 5, 100, 1_000 }) {
			Limit limit = limit(max, Duration.ofMinutes(1)).withCountDenied(true);
			for (int i = 0; i < 100; i++) {
				acquire(limit, 1 + i * 7L % max);
				assertThat(stored(limit).length).isLessThanOrEqualTo(HEADER + 4 * 2 * max);
			}
			this.store.reset(RuleCounts.of(rule(limit)), StoredKey.of(this.key));
		}
	}

	private static Limit limit(long max, Duration period) {
		return Limit.of(max, period).withAlgorithm(Algorithm.SLIDING_LOG);
	}

	private void acquire(Limit limit, long cost) {
		this.store.acquire(new Demand(rule(limit), this.key, cost));
	}

	private byte[] stored(Limit limit) {
		try (RedisConnection connection = RedisUnderTest.connections().getConnection()) {
			return connection.stringCommands()
				.get(RedisUnderTest.keys("form").counters(RuleCounts.of(rule(limit))).first(StoredKey.of(this.key)));
		}
	}

	private static RateLimitRule rule(Limit limit) {
		return RateLimitRule.named("rule").limit(limit).build();
	}

}
