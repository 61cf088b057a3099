package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.data.redis.connection.RedisConnection;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.tck.AlgorithmUnderTest;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.StoredKey;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The clock of the Redis server counts, to the microsecond.
 */
@Tag("every-redis")
class RedisClockTests {

	private static final Duration PERIOD = Duration.ofDays(1);

	private final String key = AlgorithmOnStore.freshKey();

	private final RedisRateLimitStore store = new RedisRateLimitStore(RedisUnderTest.connections(), "clock",
			Duration.ofSeconds(20));

	@ParameterizedTest
	@EnumSource
	void waitEndsByTheClockOfTheServer(AlgorithmUnderTest algorithm) {
		Limit limit = algorithm.limit(1, PERIOD);
		long before = serverMicros();
		acquire(limit);
		long between = serverMicros();
		long retryAfter = acquire(limit).retryAfter();
		long after = serverMicros();
		assertThat(retryAfter).isBetween(before + algorithm.retryAfter(limit, before) - after,
				algorithm.retryAfter(limit, between) - 1);
	}

	@ParameterizedTest
	@EnumSource
	void storedTimeIsThatOfTheServer(AlgorithmUnderTest algorithm) {
		Limit limit = algorithm.limit(1, PERIOD);
		long before = serverMicros();
		acquire(limit);
		long after = serverMicros();
		assertThat(storedMicros(algorithm, limit)).isBetween(before, after);
	}

	@Test
	void timeOfAResetIsThatOfTheServer() {
		Limit limit = AlgorithmUnderTest.FIXED_WINDOW.limit(1, PERIOD);
		RuleCounts counts = RuleCounts.of(rule(limit));
		acquire(limit);
		long before = serverMicros();
		this.store.reset(counts, StoredKey.of(this.key));
		long after = serverMicros();
		byte[][] names = RedisUnderTest.keys("clock").counters(counts).withReset(StoredKey.of(this.key));
		assertThat(micros(names[names.length - 1], 0)).isBetween(before, after);
	}

	@Test
	void resetOfNothingStoresNothing() {
		RuleCounts counts = RuleCounts.of(rule(AlgorithmUnderTest.FIXED_WINDOW.limit(1, PERIOD)));
		this.store.reset(counts, StoredKey.of(this.key));
		byte[][] names = RedisUnderTest.keys("clock").counters(counts).withReset(StoredKey.of(this.key));
		try (RedisConnection connection = RedisUnderTest.connections().getConnection()) {
			assertThat(connection.keyCommands().exists(names)).isZero();
		}
	}

	/**
	 * Return the time at the start of every stored form; in a log it follows the width of
	 * the entries.
	 */
	private long storedMicros(AlgorithmUnderTest algorithm, Limit limit) {
		byte[] name = RedisUnderTest.keys("clock").counters(RuleCounts.of(rule(limit))).first(StoredKey.of(this.key));
		return micros(name, (algorithm == AlgorithmUnderTest.SLIDING_LOG) ? 1 : 0);
	}

	private static long micros(byte[] name, int offset) {
		try (RedisConnection connection = RedisUnderTest.connections().getConnection()) {
			byte[] stored = connection.stringCommands().get(name);
			return ByteBuffer.allocate(Long.BYTES).put((byte) 0).put(stored, offset, 7).getLong(0);
		}
	}

	private static long serverMicros() {
		List<?> time = (List<?>) RedisUnderTest.process().command("TIME");
		return Long.parseLong((String) time.get(0)) * 1_000_000 + Long.parseLong((String) time.get(1));
	}

	private LimitOutcome acquire(Limit limit) {
		return this.store.acquire(new Demand(rule(limit), this.key, 1)).get(0).outcomes().get(0);
	}

	private static RateLimitRule rule(Limit limit) {
		return RateLimitRule.named("rule").limit(limit).build();
	}

}
