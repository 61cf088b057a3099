package io.github.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.local.LocalRateLimitStore;
import io.github.ratelimit.store.local.LocalFallbackStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Keys chosen by callers: regardless of their number and content, memory is bounded and
 * no two keys share a counter.
 */
class RedisEvictionTests {

	private static final int MANY = 100_000;

	private static final int AT_ONCE = 1_000;

	private static final long MEMORY = 8_000_000;

	private static final RateLimitRule RULE = RateLimitRule.named("rule")
		.limit(1, Duration.ofDays(1))
		.algorithm(Algorithm.SLIDING_LOG)
		.onStoreFailure(OnStoreFailure.LOCAL)
		.build();

	@ParameterizedTest
	@ValueSource(strings = { "volatile-ttl", "allkeys-lru" })
	void decisionsGoOnWithinTheMemoryOfARedisThatEvicts(String policy) {
		onRedisWithLittleMemory(policy, (redis, store) -> {
			takeMany(store);
			long keys = (Long) redis.command("DBSIZE");
			assertThat(keys).isBetween(1_000L, MANY - 1L);
			assertThat(usedMemory(redis)).isLessThan(MEMORY * 11 / 10);
			assertThat(admits(store, "late")).isTrue();
			assertThat(admits(store, "late")).isFalse();
		});
	}

	@Test
	void rulesFollowTheirPolicyWhenAFullRedisEvictsNothing() {
		onRedisWithLittleMemory("noeviction", (redis, store) -> {
			redis.command("CONFIG", "SET", "maxmemory", "1");
			try (RateLimitEngine engine = new RateLimitEngine(store, () -> OnStoreFailure.LOCAL,
					new LocalFallbackStore(10, 1))) {
				Demands demands = demand("full");
				assertThat(engine.acquire(demands).decision()).satisfies((decision) -> {
					assertThat(decision.allowed()).isTrue();
					assertThat(decision.origin()).isEqualTo(Decision.Origin.FALLBACK);
				});
				assertThat(engine.acquire(demands).decision().allowed()).isFalse();
			}
		});
	}

	@Test
	void localStoreKeepsNoMoreKeysThanItMay() {
		LocalRateLimitStore store = new LocalRateLimitStore(1_000);
		takeMany(store);
		long kept = IntStream.range(0, MANY).filter((i) -> !looksUnused(store, "key-" + i)).count();
		assertThat(kept).isBetween(1L, 1_000L);
	}

	static Stream<RateLimitStore> stores() {
		return Stream.of(new LocalRateLimitStore(MANY),
				new RedisRateLimitStore(RedisUnderTest.connections(), "keys", Duration.ofSeconds(20)));
	}

	@ParameterizedTest
	@MethodSource("stores")
	void strangeKeysHaveCountersOfTheirOwn(RateLimitStore store) {
		Set<String> keys = new HashSet<>(List.of("", " ", "\n", "\r\n", "\0", "{", "}", "{}", "a}:times", "{a}",
				"a\r\nDEL b", "*", "\u00ff", "\ufffd", "\ud83d\ude00",
				new String(new byte[] { 0, 1, 2, -1, -128 }, StandardCharsets.ISO_8859_1)));
		for (int last : new int[] { 1, 2 }) {
			keys.add("x".repeat(1_000_000) + last);
			keys.add("x".repeat(128) + last);
			keys.add("x".repeat(127) + last);
		}
		keys.forEach((key) -> store.reset(RuleCounts.of(RULE), StoredKey.of(key)));
		assertThat(keys).allMatch((key) -> admits(store, key));
		assertThat(keys).noneMatch((key) -> admits(store, key));
	}

	@Test
	void longKeyTakesNoMoreMemoryThanAShortOne() {
		RedisRateLimitStore store = new RedisRateLimitStore(RedisUnderTest.connections(), "long",
				Duration.ofSeconds(20));
		String key = "x".repeat(1_000_000);
		admits(store, key);
		byte[] name = RedisUnderTest.keys("long").counters(RuleCounts.of(RULE)).first(StoredKey.of(key));
		Object memory = RedisUnderTest.process().command("MEMORY", "USAGE", new String(name, StandardCharsets.UTF_8));
		assertThat((Long) memory).isLessThan(300);
	}

	private static void takeMany(RateLimitStore store) {
		for (int from = 0; from < MANY; from += AT_ONCE) {
			CompletableFuture<?>[] answers = IntStream.range(from, from + AT_ONCE)
				.mapToObj((i) -> store.acquireAsync(demand("key-" + i)).toCompletableFuture())
				.toArray(CompletableFuture<?>[]::new);
			CompletableFuture.allOf(answers).join();
		}
	}

	private static boolean admits(RateLimitStore store, String key) {
		return store.acquire(demand(key)).get(0).outcomes().get(0).admitted();
	}

	private static boolean looksUnused(RateLimitStore store, String key) {
		return store.acquire(new Demand(RULE, key, 0)).get(0).outcomes().get(0).remaining() == 1;
	}

	private static Demand demand(String key) {
		return new Demand(RULE, key, 1);
	}

	private static long usedMemory(RedisProcess redis) {
		return String.valueOf(redis.command("INFO", "memory"))
			.lines()
			.filter((line) -> line.startsWith("used_memory:"))
			.mapToLong((line) -> Long.parseLong(line.substring("used_memory:".length())))
			.findFirst()
			.orElseThrow();
	}

	private static void onRedisWithLittleMemory(String policy, BiConsumer<RedisProcess, RedisRateLimitStore> test) {
		try (RedisProcess redis = RedisProcess.start("--maxmemory", Long.toString(MEMORY), "--maxmemory-policy",
				policy)) {
			RunnerUnderTest.withStore(RunnerUnderTest.LETTUCE.connections(redis), "many", Duration.ofSeconds(20),
					(store) -> test.accept(redis, store));
		}
	}

}
