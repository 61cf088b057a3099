package io.github.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.store.SummaryStore.SharedSummary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LONG;

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
			RedisConnectionFactory connections = client.connections(redis);
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
			RedisConnectionFactory connections = client.connections(redis);
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

	@Test
	void timeOfASummaryIsThatOfTheServer() {
		this.clock.set(0);
		try (RedisProcess redis = RedisProcess.start()) {
			redis.command("HSET", HASH, "sdead", "x", "tdead", "not a time");
			LettuceConnectionFactory connections = RedisUnderTest.connectionsTo(redis);
			try (RedisRateLimitStore one = store(connections); RedisRateLimitStore other = store(connections)) {
				Long before = serverMicros(redis);
				share(one, "one");
				assertThat(times(redis)).singleElement(LONG).isBetween(before, serverMicros(redis));
				share(other, "other");
				assertThat(times(redis)).as("the latest summary of each").hasSize(2);
			}
			finally {
				connections.destroy();
			}
		}
	}

	@Test
	void atMostAHundredInstancesAreKeptAlsoIfAllShareInOneMicrosecond() {
		try (RedisProcess redis = RedisProcess.start()) {
			for (int i = 0; i < 100; i++) {
				redis.command("HSET", HASH, "s" + i, "x", "t" + i, String.valueOf(this.clock.get()));
			}
			LettuceConnectionFactory connections = RedisUnderTest.connectionsTo(redis);
			try (RedisRateLimitStore store = store(connections)) {
				share(store, "one");
			}
			finally {
				connections.destroy();
			}
			assertThat(redis.command("HLEN", HASH)).isEqualTo(200L);
		}
	}

	private static long serverMicros(RedisProcess redis) {
		return ((Number) redis.command("EVAL", "local time = redis.call('TIME') return time[1] * 1000000 + time[2]",
				"0"))
			.longValue();
	}

	/**
	 * Return the times of all summaries.
	 */
	private static List<Long> times(RedisProcess redis) {
		String times = String.valueOf(redis.command("EVAL", """
				local times, all = {}, redis.call('HGETALL', ARGV[1])
				for i = 1, #all, 2 do
				  if string.sub(all[i], 1, 1) == 't' then
				    times[#times + 1] = all[i + 1]
				  end
				end
				return table.concat(times, ' ')
				""", "0", HASH));
		return Stream.of(times.split(" ")).map(Long::valueOf).toList();
	}

	private RedisRateLimitStore store(RedisConnectionFactory connections) {
		RedisRateLimitStore store = RedisUnderTest.store(connections, "ratelimit", PATIENCE, this.clock::get);
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
