package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisConnection;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.tck.AlgorithmOnStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A sliding window is small: counts of 0 that are older than all others are not stored,
 * except while calls wait.
 */
class RedisSlidingWindowFormTests {

	private static final int HEADER = 21;

	private static final int AHEAD = 13;

	private static final long SECOND = 1_000_000;

	private static final long BEGINNING = 1_700_000_000 * SECOND;

	private final RateLimitRule rule = RateLimitRule.named("rule")
		.limit(Limit.of(100, Duration.ofSeconds(10)).withAlgorithm(Algorithm.SLIDING_WINDOW))
		.build();

	private final String key = AlgorithmOnStore.freshKey();

	private long clock = BEGINNING;

	private final RedisRateLimitStore store = RedisUnderTest.store(RedisUnderTest.connections(), "form",
			Duration.ofSeconds(20), () -> this.clock);

	@Test
	void countsReachBackToTheOldestThatIsNotZero() {
		assertThat(countsAfterTaking(0)).isOne();
		assertThat(countsAfterTaking(3)).isEqualTo(4);
		assertThat(countsAfterTaking(10)).isEqualTo(11);
		assertThat(countsAfterTaking(11)).isEqualTo(9);
		assertThat(countsAfterTaking(14)).isEqualTo(5);
		assertThat(countsAfterTaking(25)).isOne();
	}

	@Test
	void refundLeavesNoCountsOfZero() {
		countsAfterTaking(0);
		countsAfterTaking(3);
		AlgorithmOnStore.correct(this.store, List.of(Correction.refund(new Demand(this.rule, this.key, 1), BEGINNING)));
		assertThat(stored()).hasSize(HEADER + 4);
	}

	@Test
	void allThatCountsByTheClockIsKeptWhileCallsWait() {
		take(100);
		take(1);
		assertThat(stored()).hasSize(HEADER + (11 + 11) * 4 + AHEAD);
		this.clock += 4 * SECOND;
		take(1);
		assertThat(stored()).hasSize(HEADER + (11 + 7) * 4 + AHEAD);
		this.clock += 7 * SECOND;
		take(1);
		assertThat(stored()).hasSize(HEADER + 4);
	}

	private int countsAfterTaking(int second) {
		this.clock = BEGINNING + second * SECOND;
		take(1);
		return (stored().length - HEADER) / 4;
	}

	private void take(long cost) {
		this.store.acquire(new Demand(this.rule, this.key, cost, Duration.ofDays(1)));
	}

	private byte[] stored() {
		try (RedisConnection connection = RedisUnderTest.connections().getConnection()) {
			return connection.stringCommands()
				.get(RedisUnderTest.keys("form").counters(RuleCounts.of(this.rule)).first(StoredKey.of(this.key)));
		}
	}

}
