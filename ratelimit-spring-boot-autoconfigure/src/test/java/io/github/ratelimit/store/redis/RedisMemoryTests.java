package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.AlgorithmOnStore;
import io.github.ratelimit.store.Demand;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How much memory a key takes in Redis.
 */
class RedisMemoryTests {

	private static final long MILLIS = 1_700_000_000_000L;

	private final String key = AlgorithmOnStore.freshKey();

	private long clock = AlgorithmOnStore.NOW;

	private final RedisRateLimitStore store = new RedisRateLimitStore(RedisUnderTest.connections(), "memory",
			Duration.ofSeconds(20), () -> this.clock);

	@Test
	void tokenBucketTakesHardlyMoreThanACounter() {
		fill(Limit.of(1_000_000, Duration.ofDays(1)).withAlgorithm(Algorithm.TOKEN_BUCKET), 1_000);
		String name = "memory:{rule:" + this.key + "}:bucket";
		long bucket = memory(name);
		command("DEL", name);
		command("INCRBY", name, "1000000");
		command("PEXPIRE", name, "60000");
		long counter = memory(name);
		System.out.printf("token-bucket: %d bytes, a counter: %d bytes%n", bucket, counter);
		assertThat(bucket).isLessThanOrEqualTo(counter + 30);
	}

	@ParameterizedTest
	@ValueSource(ints = { 5, 100, 1_000 })
	void slidingLogTakesAtMostHalfOfASortedSetOfMilliseconds(int max) {
		fill(Limit.of(max, Duration.ofMinutes(1)).withAlgorithm(Algorithm.SLIDING_LOG), max);
		String name = "memory:{rule:" + this.key + "}:log";
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
		assertThat(log).isLessThanOrEqualTo(sortedSet * 3 / 5);
	}

	private void fill(Limit limit, int calls) {
		RateLimitRule rule = RateLimitRule.named("rule").limit(limit).build();
		for (int i = 0; i < calls; i++) {
			this.clock += 37;
			assertThat(this.store.acquire(List.of(new Demand(rule, this.key, 1))).get(0).admitted()).isTrue();
		}
	}

	private static long memory(String name) {
		return (Long) command("MEMORY", "USAGE", name);
	}

	private static Object command(String... words) {
		return RedisUnderTest.process().command(words);
	}

}
