package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.tck.AlgorithmUnderTest;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleCounts;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Memory of a key in Redis.
 */
class RedisMemoryTests {

	private static final long MILLIS = 1_700_000_000_000L;

	private final String key = "user-42";

	private long clock = AlgorithmOnStore.NOW;

	private final RedisRateLimitStore store = RedisUnderTest.store(RedisUnderTest.connections(), "memory",
			Duration.ofSeconds(20), () -> this.clock);

	@BeforeEach
	void deleteKeys() {
		command("EVAL", "for _, name in ipairs(redis.call('KEYS', 'memory:*')) do redis.call('DEL', name) end", "0");
	}

	@ParameterizedTest
	@EnumSource(names = { "TOKEN_BUCKET", "LEAKY_BUCKET", "WEIGHTED_WINDOW", "FIXED_WINDOW", "CALENDAR_WINDOW" })
	void algorithmsOfAFewNumbersTakeHardlyMoreThanACounter(AlgorithmUnderTest algorithm) {
		for (int max : new int[] { 5, 100, 1_000 }) {
			Limit limit = algorithm.limit(max, Duration.ofMinutes(1));
			long bytes = memory(fill(limit, 1, max));
			long counter = counter(name(limit));
			System.out.printf("%s of %d: %d bytes, a counter: %d bytes%n", algorithm, max, bytes, counter);
			assertThat(bytes).as("max %d", max).isLessThanOrEqualTo(counter + 48);
		}
	}

	@Test
	void slidingWindowTakesAFewBytesPerSegmentForAnyMax() {
		for (int max : new int[] { 5, 100, 1_000 }) {
			Limit limit = AlgorithmUnderTest.SLIDING_WINDOW.limit(max, Duration.ofMinutes(1));
			String name = name(limit);
			command("DEL", name);
			for (int i = 0; i <= limit.segments() && i < max; i++) {
				this.clock += limit.periodMicros() / limit.segments() / 2;
				fill(limit, 1, 1);
			}
			long bytes = memory(name);
			long counter = counter(name);
			System.out.printf("sliding-window of %d: %d bytes, a counter: %d bytes%n", max, bytes, counter);
			assertThat(bytes).as("max %d", max).isLessThanOrEqualTo(counter + 30 + 5L * (limit.segments() + 1));
		}
	}

	private static long counter(String name) {
		command("DEL", name);
		command("INCRBY", name, "1000000");
		command("PEXPIRE", name, "60000");
		long counter = memory(name);
		command("DEL", name);
		return counter;
	}

	@ParameterizedTest
	@ValueSource(ints = { 5, 100, 1_000 })
	void slidingLogTakesAtMostHalfOfASortedSetOfMilliseconds(int max) {
		String name = fill(Limit.of(max, Duration.ofMinutes(1)).withAlgorithm(Algorithm.SLIDING_LOG), max, 1);
		long log = memory(name);
		command("DEL", name);
		Stream<String> members = IntStream.range(0, max)
			.mapToObj((i) -> Long.toString(MILLIS + 37L * i))
			.flatMap((millis) -> Stream.of(millis, millis));
		command(Stream.concat(Stream.of("ZADD", name), members).toArray(String[]::new));
		command("PEXPIRE", name, "61000");
		long sortedSet = memory(name);
		command("SET", name, "");
		long key = memory(name);
		System.out.printf("sliding-log of %d: %d bytes, a sorted set: %d bytes, of which %d for the key%n", max, log,
				sortedSet, key);
		assertThat(log - key).isLessThanOrEqualTo((sortedSet - key) / 2);
		assertThat(log).isLessThanOrEqualTo(sortedSet * 2 / 3);
	}

	/**
	 * Make some calls that are admitted.
	 * @return the name of the key that counts them
	 */
	private String fill(Limit limit, int calls, int cost) {
		for (int i = 0; i < calls; i++) {
			this.clock += 37;
			Demand demand = new Demand(rule(limit), this.key, cost);
			assertThat(this.store.acquire(demand).get(0).outcomes().get(0).admitted()).isTrue();
		}
		return name(limit);
	}

	private String name(Limit limit) {
		return "memory:{rule:" + this.key + "}:" + RuleCounts.of(rule(limit)).get(0).kind();
	}

	private static RateLimitRule rule(Limit limit) {
		return RateLimitRule.named("rule").limit(limit).build();
	}

	private static long memory(String name) {
		return (Long) command("MEMORY", "USAGE", name);
	}

	private static Object command(String... words) {
		return RedisUnderTest.process().command(words);
	}

}
