package io.github.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.store.SummaryStore.SharedSummary;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Summaries that instances share in Redis.
 */
class RedisSummariesTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private static final String HASH = "ratelimit:{top}:rule";

	private final AtomicLong clock = new AtomicLong(1_000_000_000_000_000L);

	@ParameterizedTest
	@EnumSource
	void othersReadTheLatestSummaryOfEachInstanceForTenMinutes(RunnerUnderTest client) {
		try (RedisProcess redis = RedisProcess.start()) {
			RedisConnectionFactory connections = client
				.connections(new RedisStandaloneConfiguration("localhost", redis.port()));
			try (RedisRateLimitStore one = store(connections); RedisRateLimitStore other = store(connections)) {
				share(one, "old");
				share(one, "one");
				assertThat(one.summaries().get().summariesOfOthers("rule")).isEmpty();
				this.clock.addAndGet(1_000_000);
				assertThat(read(other)).containsExactly("1000000 one");
				share(other, "other");
				assertThat(read(one)).containsExactly("0 other");
				assertThat(redis.command("HLEN", HASH)).as("one is kept").isEqualTo(4L);
				assertThat(other.summaries().get().summariesOfOthers("another")).isEmpty();
				assertThat((Long) redis.command("PTTL", HASH)).isBetween(540_000L, 600_000L);
				this.clock.addAndGet(599_000_000);
				assertThat(read(other)).isEmpty();
				share(other, "other");
				assertThat(redis.command("HLEN", HASH)).isEqualTo(2L);
			}
			finally {
				RunnerUnderTest.destroy(connections);
			}
		}
	}

	@ParameterizedTest
	@EnumSource
	void atMostAHundredInstancesAreKept(RunnerUnderTest client) {
		try (RedisProcess redis = RedisProcess.start()) {
			for (int i = 0; i < 120; i++) {
				redis.command("HSET", HASH, "s" + i, "x", "t" + i, String.valueOf(this.clock.get() - 1000 + i));
			}
			RedisConnectionFactory connections = client
				.connections(new RedisStandaloneConfiguration("localhost", redis.port()));
			try (RedisRateLimitStore store = store(connections)) {
				for (int i = 0; i < 30; i++) {
					share(store, "one");
				}
			}
			finally {
				RunnerUnderTest.destroy(connections);
			}
			assertThat(redis.command("HLEN", HASH)).isEqualTo(200L);
			assertThat(redis.command("HEXISTS", HASH, "s20")).isEqualTo(0L);
			assertThat(redis.command("HEXISTS", HASH, "s21")).isEqualTo(1L);
		}
	}

	private RedisRateLimitStore store(RedisConnectionFactory connections) {
		RedisRateLimitStore store = new RedisRateLimitStore(connections, "ratelimit", PATIENCE, this.clock::get);
		store.connect();
		return store;
	}

	private static void share(RedisRateLimitStore store, String text) {
		store.summaries()
			.get()
			.shareSummary("rule", text.getBytes(StandardCharsets.UTF_8))
			.toCompletableFuture()
			.join();
	}

	private static List<String> read(RedisRateLimitStore store) {
		return store.summaries().get().summariesOfOthers("rule").stream().map(RedisSummariesTests::text).toList();
	}

	private static String text(SharedSummary summary) {
		return summary.age() + " " + new String(summary.content(), StandardCharsets.UTF_8);
	}

}
