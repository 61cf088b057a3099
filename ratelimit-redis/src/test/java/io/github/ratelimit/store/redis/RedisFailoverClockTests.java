package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.tck.AlgorithmUnderTest;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Law 7 across servers: a replica whose clock is behind or ahead becomes the master. No
 * counted unit is granted again before it is due on one of the two clocks, and no caller
 * is locked out for more than one extra period.
 */
class RedisFailoverClockTests {

	private static final Duration PERIOD = Duration.ofMinutes(1);

	private static final long SKEW = 10_000_000;

	private static final int MAX = 5;

	private long now = AlgorithmOnStore.NOW;

	@ParameterizedTest(name = "{0} µs")
	@ValueSource(longs = { -SKEW, SKEW })
	void serverWithAnotherClockGrantsNothingTwiceAndLocksNoCallerOut(long skew) {
		try (RedisProcess master = RedisProcess.start("--repl-diskless-sync", "yes", "--repl-diskless-sync-delay", "0");
				RedisProcess replica = RedisProcess.start()) {
			Map<AlgorithmUnderTest, Long> waits = new EnumMap<>(AlgorithmUnderTest.class);
			onStore(master, (store) -> {
				for (AlgorithmUnderTest algorithm : AlgorithmUnderTest.values()) {
					drain(store, algorithm);
					waits.put(algorithm, acquire(store, algorithm).retryAfter());
				}
			});
			failOver(master, replica);
			onStore(replica, (store) -> waits
				.forEach((algorithm, waitBefore) -> assertLawHolds(store, algorithm, skew, waitBefore)));
		}
	}

	private void assertLawHolds(RedisRateLimitStore store, AlgorithmUnderTest algorithm, long skew, long waitBefore) {
		this.now = AlgorithmOnStore.NOW + skew;
		assertThat(drain(store, algorithm)).as("%s, granted at once", algorithm)
			.isLessThanOrEqualTo(earned(algorithm, skew));
		long wait = acquire(store, algorithm).retryAfter();
		assertThat(wait).as("%s, wait", algorithm)
			.isBetween(1L, waitBefore + algorithm.limit(MAX, PERIOD).periodMicros());
		this.now += wait - 1;
		assertThat(acquire(store, algorithm).admitted()).as("%s, just before", algorithm).isFalse();
		this.now++;
		assertThat(acquire(store, algorithm).admitted()).as("%s, after its wait", algorithm).isTrue();
	}

	/**
	 * Return the units that come back in the skipped time.
	 */
	private static long earned(AlgorithmUnderTest algorithm, long skew) {
		return switch (algorithm) {
			case TOKEN_BUCKET, LEAKY_BUCKET, WARM_UP -> Math.max(0, MAX * skew / (PERIOD.toMillis() * 1000));
			default -> 0;
		};
	}

	private static void failOver(RedisProcess master, RedisProcess replica) {
		replica.command("REPLICAOF", master.host(), Integer.toString(master.port()));
		await().atMost(Duration.ofSeconds(30))
			.until(() -> String.valueOf(replica.command("INFO", "replication")).contains("master_link_status:up"));
		assertThat(replica.command("DBSIZE")).isEqualTo(master.command("DBSIZE"));
		replica.command("REPLICAOF", "NO", "ONE");
	}

	private long drain(RedisRateLimitStore store, AlgorithmUnderTest algorithm) {
		long admitted = 0;
		while (acquire(store, algorithm).admitted()) {
			admitted++;
		}
		return admitted;
	}

	private LimitOutcome acquire(RedisRateLimitStore store, AlgorithmUnderTest algorithm) {
		RateLimitRule rule = RateLimitRule.named("rule").limit(algorithm.limit(MAX, PERIOD)).build();
		return store.acquire(new Demand(rule, algorithm.toString(), 1)).get(0).outcomes().get(0);
	}

	private void onStore(RedisProcess redis, Consumer<RedisRateLimitStore> test) {
		RedisConnectionFactory connections = RunnerUnderTest.LETTUCE.connections(redis);
		try (RedisRateLimitStore store = RedisUnderTest.store(connections, "clock", Duration.ofSeconds(20),
				() -> this.now)) {
			test.accept(store);
		}
		finally {
			RunnerUnderTest.destroy(connections);
		}
	}

}
