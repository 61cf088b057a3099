package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.data.redis.connection.RedisConnection;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.tck.AlgorithmUnderTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Instances of earlier versions read and write states without the last bytes of today's,
 * and count together with those of this version.
 */
class RedisFormerFormTests {

	private static final long BEGINNING = 1_700_000_000_000_000L;

	private final String key = AlgorithmOnStore.freshKey();

	private long clock = BEGINNING;

	private final RedisRateLimitStore store = RedisUnderTest.store(RedisUnderTest.connections(), "form",
			Duration.ofSeconds(20), () -> this.clock);

	@ParameterizedTest
	@CsvSource({ "TOKEN_BUCKET, 27, 35", "LEAKY_BUCKET, 27, 35", "WEIGHTED_WINDOW, 17, 28", "WEIGHTED_WINDOW, 21, 28",
			"FIXED_WINDOW, 17, 24", "CALENDAR_WINDOW, 23, 30" })
	void stateWithoutTheLastBytesCounts(AlgorithmUnderTest algorithm, int former, int size) {
		RateLimitRule rule = RateLimitRule.named("rule").limit(algorithm.limit(100, Duration.ofHours(1))).build();
		take(rule, 10);
		this.clock += 1_000;
		take(rule, 20);
		assertThat(stored(rule)).hasSize(size);
		store(rule, Arrays.copyOf(stored(rule), former));
		assertThat(remaining(rule)).isEqualTo(70);
		AlgorithmOnStore.correct(this.store, List.of(Correction.refund(new Demand(rule, this.key, 20), this.clock)));
		assertThat(remaining(rule)).isEqualTo(90);
	}

	private void take(RateLimitRule rule, long cost) {
		this.store.acquire(new Demand(rule, this.key, cost));
	}

	private long remaining(RateLimitRule rule) {
		return this.store.peek(new Demand(rule, this.key, 1)).outcome(0).remaining();
	}

	private byte[] stored(RateLimitRule rule) {
		try (RedisConnection connection = RedisUnderTest.connections().getConnection()) {
			return connection.stringCommands().get(storedKey(rule));
		}
	}

	private void store(RateLimitRule rule, byte[] changed) {
		try (RedisConnection connection = RedisUnderTest.connections().getConnection()) {
			connection.stringCommands().set(storedKey(rule), changed);
		}
	}

	private byte[] storedKey(RateLimitRule rule) {
		return RedisUnderTest.keys("form").counters(RuleCounts.of(rule)).first(StoredKey.of(this.key));
	}

}
