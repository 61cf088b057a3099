package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Align;
import io.github.ratelimit.Limit;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.redis.process.RedisSentinel;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.local.LocalFallbackStore;

import static io.github.ratelimit.BusyMachine.awaitStore;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Failover under load: the store finds the new master by itself, nothing is counted
 * twice, and only counts that were not replicated are lost. A master that is demoted
 * counts nothing in vain. What the fallback counts meanwhile is charged to the new
 * master. The duration is printed, for docs/contributing/soak.md.
 */
class RedisFailoverTests {

	private static final long MAX = 1_000_000;

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

	private static final Pattern DECISIONS = Pattern.compile("cmdstat_evalsha:calls=(\\d+)");

	private final RateLimitRule rule = RateLimitRule.named("failover")
		.limit(Limit.of(MAX, Duration.ofDays(1)).withAlgorithm(Algorithm.FIXED_WINDOW).withAlign(Align.FIRST_REQUEST))
		.onStoreFailure(OnStoreFailure.LOCAL)
		.build();

	private final String key = AlgorithmOnStore.freshKey();

	@ParameterizedTest
	@EnumSource
	void killedMasterIsReplaced(RunnerUnderTest client) {
		try (RedisSentinel redis = RedisSentinel.start()) {
			underLoad(client, redis, "killed", redis::killMaster, () -> {
			});
		}
	}

	@ParameterizedTest
	@EnumSource
	void demotedMasterIsLeftBeforeItCountsInVain(RunnerUnderTest client) {
		try (RedisSentinel redis = RedisSentinel.start()) {
			RedisProcess before = redis.master();
			Outcome outcome = underLoad(client, redis, "demoted", redis::failover,
					() -> assertThat(String.valueOf(before.command("INFO", "replication"))).as("still")
						.contains("role:master"));
			assertThat(outcome.found()).as("ten seconds before it becomes a replica").isLessThan(Duration.ofSeconds(8));
			assertThat(outcome.forgotten()).as("counted after the promotion").isLessThan(2_000);
		}
	}

	private Outcome underLoad(RunnerUnderTest client, RedisSentinel redis, String what, Runnable change,
			Runnable whenFound) {
		RedisConnectionFactory connections = client.connections(redis);
		try (RedisRateLimitStore store = new RedisRateLimitStore(connections, "failover", Duration.ofMillis(200));
				RateLimitEngine engine = new RateLimitEngine(store, () -> OnStoreFailure.LOCAL,
						new LocalFallbackStore(10, 1))) {
			engine.start();
			RedisProcess before = redis.master();
			FailoverLoad load = new FailoverLoad(engine, new Demand(this.rule, this.key, 1));
			try (load) {
				await().atMost(PATIENCE).until(() -> load.admitted() > 500);
				long start = System.nanoTime();
				change.run();
				await().atMost(PATIENCE)
					.pollInterval(Duration.ofMillis(20))
					.until(() -> redis.master() != before && decisionsOf(redis.master()) > 0);
				long found = System.nanoTime();
				whenFound.run();
				await().atMost(PATIENCE).until(() -> load.answeredAfter(found) > 500);
				load.close();
				return judge(client + " " + what, load, store, start, found);
			}
		}
		finally {
			RunnerUnderTest.destroy(connections);
		}
	}

	private Outcome judge(String what, FailoverLoad load, RedisRateLimitStore store, long start, long found) {
		LimitOutcome outcome = awaitStore().until(() -> outcome(store, 0), Objects::nonNull);
		long counted = MAX - outcome.remaining();
		long forgotten = load.admitted() - counted;
		System.out.printf(
				"%s: found after %d ms, no answer for %d ms, %d admitted, of which %d by the fallback and %d forgotten%n",
				what, TimeUnit.NANOSECONDS.toMillis(found - start), load.longestSilenceMillis(), load.admitted(),
				load.unanswered(), forgotten);
		assertThat(counted).as("what was counted is counted once")
			.isLessThanOrEqualTo(load.admitted() + load.unanswered());
		assertThat(forgotten).as("what was replicated is kept")
			.isLessThanOrEqualTo(load.admittedBetween(start - SECOND, found));
		awaitStore().untilAsserted(() -> assertThat(outcome(store, outcome.remaining() + 1).admitted()).isFalse());
		return new Outcome(Duration.ofNanos(found - start), forgotten);
	}

	private LimitOutcome outcome(RedisRateLimitStore store, long cost) {
		return store.acquire(new Demand(this.rule, this.key, cost)).get(0).outcomes().get(0);
	}

	private static long decisionsOf(RedisProcess server) {
		Matcher calls = DECISIONS.matcher(String.valueOf(server.command("INFO", "commandstats")));
		return calls.find() ? Long.parseLong(calls.group(1)) : 0;
	}

	/**
	 * Outcome of a failover.
	 *
	 * @param found the time until the new master counted
	 * @param forgotten the number of admitted calls that are not counted
	 */
	private record Outcome(Duration found, long forgotten) {

	}

}
