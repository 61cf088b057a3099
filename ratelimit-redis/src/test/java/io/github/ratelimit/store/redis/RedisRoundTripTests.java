package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.StoreAnswer;

import static io.github.ratelimit.BusyMachine.awaitStore;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Round trips of a decision and their bytes, with each runner.
 */
@Tag("every-redis")
class RedisRoundTripTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	/**
	 * Separate from the shared Redis, since its scripts are flushed.
	 */
	@AutoClose
	private static final RedisProcess REDIS = RedisProcess.start();

	private final List<AutoCloseable> opened = new ArrayList<>();

	@AfterEach
	void close() throws Exception {
		for (AutoCloseable each : this.opened) {
			each.close();
		}
	}

	static Stream<RunnerUnderTest> runners() {
		return Stream.of(RunnerUnderTest.values());
	}

	@ParameterizedTest
	@MethodSource("runners")
	void decisionIsOneCommand(RunnerUnderTest kind) {
		RedisRateLimitStore store = store(kind, REDIS);
		Demands demands = Demands.of(demand("first", Algorithm.SLIDING_LOG), demand("second", Algorithm.TOKEN_BUCKET));
		store.acquire(demands);
		command("CONFIG", "RESETSTAT");
		for (int i = 0; i < 10; i++) {
			store.acquire(demands);
			store.acquireAsync(demands).toCompletableFuture().join();
		}
		assertThat(RedisUnderTest.calls(REDIS, "evalsha")).isEqualTo(20);
		assertThat(RedisUnderTest.calls(REDIS, "eval")).isZero();
		assertThat(RedisUnderTest.calls(REDIS, "script")).isZero();
	}

	static Stream<Arguments> rulesWithBytes() {
		Limit bucket = Limit.of(50, Duration.ofDays(1)).withAlgorithm(Algorithm.TOKEN_BUCKET);
		Limit log = bucket.withAlgorithm(Algorithm.SLIDING_LOG);
		Limit window = bucket.withAlgorithm(Algorithm.FIXED_WINDOW);
		Limit weighted = bucket.withAlgorithm(Algorithm.WEIGHTED_WINDOW);
		return Stream.of(Arguments.of(List.of(bucket), 168, 37), Arguments.of(List.of(log), 167, 43),
				Arguments.of(List.of(bucket.withName("a"), log.withName("b")), 240, 71),
				Arguments.of(
						List.of(bucket.withName("a"), log.withName("b"), window.withName("c"), weighted.withName("d")),
						383, 120));
	}

	@ParameterizedTest
	@MethodSource("rulesWithBytes")
	void decisionHasFewBytesWhetherAdmittedOrDenied(List<Limit> limits, int sent, int received) {
		RateLimitRule.Builder rule = RateLimitRule.named("reply");
		limits.forEach(rule::limit);
		Demand call = new Demand(rule.build(), "ann", 1);
		for (RunnerUnderTest kind : RunnerUnderTest.values()) {
			RedisRateLimitStore store = store(kind, REDIS);
			store.reset(call.counts(), call.key());
			List<String> statistics = Stream.generate(() -> statisticsOf(store, call)).limit(3).toList();
			assertThat(leastBytes(statistics, "input")).as(kind + " sends").isLessThanOrEqualTo(sent);
			assertThat(leastBytes(statistics, "output")).as(kind + " receives").isLessThanOrEqualTo(received);
		}
	}

	private static String statisticsOf(RedisRateLimitStore store, Demand call) {
		store.acquire(call);
		command("CONFIG", "RESETSTAT");
		for (int i = 0; i < 100; i++) {
			store.acquire(call);
		}
		return String.valueOf(command("INFO", "stats"));
	}

	/** Return the bytes per call, without those of a command in the background. */
	private static long leastBytes(List<String> statistics, String direction) {
		return statistics.stream().mapToLong((each) -> bytes(each, direction) / 100).min().getAsLong();
	}

	private static long bytes(String statistics, String direction) {
		Matcher bytes = Pattern.compile("total_net_" + direction + "_bytes:(\\d+)").matcher(statistics);
		assertThat(bytes.find()).as(statistics).isTrue();
		return Long.parseLong(bytes.group(1));
	}

	@ParameterizedTest
	@MethodSource("runners")
	void unknownScriptCostsOneMoreRoundTripAndIsCountedOnce(RunnerUnderTest kind) {
		RedisRateLimitStore store = store(kind, REDIS);
		for (Function<Demands, StoreAnswer> way : ways(store)) {
			Demands demands = demand("rule", Algorithm.SLIDING_LOG);
			way.apply(demands);
			command("SCRIPT", "FLUSH");
			command("CONFIG", "RESETSTAT");
			assertThat(way.apply(demands).get(0).outcomes()).extracting(LimitOutcome::remaining).containsExactly(3L);
			assertThat(way.apply(demands).get(0).outcomes()).extracting(LimitOutcome::remaining).containsExactly(2L);
			assertThat(RedisUnderTest.calls(REDIS, "evalsha")).isEqualTo(2);
			assertThat(RedisUnderTest.calls(REDIS, "eval")).isEqualTo(1);
		}
	}

	@ParameterizedTest
	@MethodSource("runners")
	void restartedRedisIsTaughtTheScriptAgain(RunnerUnderTest kind) {
		RedisProcess redis = RedisProcess.start();
		RedisRateLimitStore store = store(kind, redis);
		this.opened.add(redis);
		Demands demands = demand("rule", Algorithm.TOKEN_BUCKET);
		store.acquire(demands);
		redis.restart();
		awaitStore().untilAsserted(
				() -> assertThat(store.acquire(demands).get(0).outcomes()).extracting(LimitOutcome::remaining)
					.containsExactly(4L));
		assertThat(store.acquire(demands).get(0).outcomes()).extracting(LimitOutcome::remaining).containsExactly(3L);
	}

	@ParameterizedTest
	@MethodSource("runners")
	void resetIsOneCommand(RunnerUnderTest kind) {
		RedisRateLimitStore store = store(kind, REDIS);
		Demand demand = demand("rule", Algorithm.SLIDING_LOG);
		store.reset(demand.counts(), demand.key());
		store.acquire(demand);
		command("CONFIG", "RESETSTAT");
		store.reset(demand.counts(), demand.key());
		assertThat(RedisUnderTest.calls(REDIS, "evalsha")).isOne();
		assertThat(store.acquire(demand).get(0).outcomes()).extracting(LimitOutcome::remaining).containsExactly(4L);
	}

	@Test
	void connectTeachesTheScriptBeforehand() {
		command("SCRIPT", "FLUSH");
		RedisRateLimitStore store = store(RunnerUnderTest.LETTUCE, REDIS);
		store.connect();
		command("CONFIG", "RESETSTAT");
		store.acquire(demand("rule", Algorithm.SLIDING_LOG));
		assertThat(RedisUnderTest.calls(REDIS, "evalsha")).isOne();
		assertThat(RedisUnderTest.calls(REDIS, "eval")).isZero();
	}

	@Test
	void runnerFollowsFromTheConnections() {
		assertThat(ScriptRunnerFactory.over(RedisUnderTest.connections(), PATIENCE))
			.isInstanceOf(LettuceScriptRunner.class);
		RedisConnectionFactory own = RunnerUnderTest.JEDIS.connections(RedisUnderTest.process());
		this.opened.add(() -> RunnerUnderTest.destroy(own));
		assertThat(ScriptRunnerFactory.over(own, PATIENCE)).isInstanceOf(BlockingScriptRunner.class);
	}

	private static List<Function<Demands, StoreAnswer>> ways(RedisRateLimitStore store) {
		return List.of(store::acquire, (demands) -> store.acquireAsync(demands).toCompletableFuture().join());
	}

	private RedisRateLimitStore store(RunnerUnderTest kind, RedisProcess redis) {
		RedisConnectionFactory connections = kind.connections(redis);
		RedisRateLimitStore store = new RedisRateLimitStore(connections, "trips", PATIENCE);
		this.opened.add(store);
		this.opened.add(() -> RunnerUnderTest.destroy(connections));
		return store;
	}

	private static Demand demand(String rule, Algorithm algorithm) {
		Limit limit = Limit.of(5, Duration.ofDays(1)).withAlgorithm(algorithm);
		return new Demand(RateLimitRule.named(rule).limit(limit).build(), AlgorithmOnStore.freshKey(), 1);
	}

	private static Object command(String... words) {
		return REDIS.command(words);
	}

}
