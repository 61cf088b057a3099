package io.github.ratelimit.store.redis;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisConnection;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.RuleCounts;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A weighted window stores the previous window's count only if there is one.
 */
class RedisWeightedWindowFormTests {

	private static final long SECOND = 1_000_000;

	private static final long BEGINNING = 1_700_000_000 * SECOND;

	private final RateLimitRule rule = RateLimitRule.named("rule")
		.limit(Limit.of(100, Duration.ofSeconds(10)).withAlgorithm(Algorithm.WEIGHTED_WINDOW))
		.build();

	private final String key = AlgorithmOnStore.freshKey();

	private long clock;

	private final RedisRateLimitStore store = new RedisRateLimitStore(RedisUnderTest.connections(), "form",
			Duration.ofSeconds(20), () -> this.clock);

	@Test
	void previousIsStoredUnlessItIsZero() {
		assertThat(storedAfterTaking(0)).hasSize(17);
		assertThat(storedAfterTaking(10)).hasSize(21);
		assertThat(storedAfterTaking(30)).hasSize(17);
	}

	private byte[] storedAfterTaking(int second) {
		this.clock = BEGINNING + second * SECOND;
		this.store.acquire(new Demand(this.rule, this.key, 1));
		try (RedisConnection connection = RedisUnderTest.connections().getConnection()) {
			return connection.stringCommands()
				.get(new RedisKeys("form").counters(RuleCounts.of(this.rule)).first(StoredKey.of(this.key)));
		}
	}

}
