package io.github.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.engine.RecordedLog;
import io.github.ratelimit.redis.process.RedisProcess;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;

import static io.github.ratelimit.BusyMachine.durationOf;
import static io.github.ratelimit.BusyMachine.shortest;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls of an application while its Redis hangs, is killed and recovers.
 */
class OutageTests {

	private static final int THREADS = 64;

	private static final Duration TIMEOUT = Duration.ofMillis(500);

	/**
	 * Tolerance for threads that wait for a core.
	 */
	private static final Duration SLACK = Duration.ofMillis(400);

	/**
	 * Longest wait of one of many threads: shorter than the timeouts of the clients.
	 */
	private static final Duration LONGEST = Duration.ofSeconds(2);

	@AutoClose
	private RedisProcess redis;

	@AutoClose
	private RecordedLog log;

	@BeforeEach
	void start() throws ClassNotFoundException {
		this.redis = RedisProcess.start();
		this.log = new RecordedLog(Class.forName("io.github.ratelimit.engine.StoreReport"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void frozenRedisCostsFewCallersTheTimeoutAndTheOthersNothing(String client) {
		run(client, (limiter) -> {
			assertThat(shortest(LONGEST, () -> longestCallWhileRedisIsFrozen(limiter))).isLessThan(LONGEST);
			// more lines if a busy machine lets Redis answer late again
			assertThat(lines().get(0)).isEqualTo("WARNING The store of rate limits cannot answer (Redis at localhost:"
					+ this.redis.port() + ", set by spring.data.redis.host and spring.data.redis.port or by "
					+ "spring.data.redis.url, did not answer within 500 ms). Until it can, rules follow their on-store-failure policy, by default local.");
			assertThat(lines().get(1)).isEqualTo("INFO The store of rate limits answers again.");
		});
	}

	private Duration longestCallWhileRedisIsFrozen(RateLimiter limiter) {
		try (Load load = new Load(limiter)) {
			load.untilDecidedBy(Decision.Origin.REDIS);
			int before = lines().size();
			this.redis.freeze();
			load.untilDecidedBy(Decision.Origin.FALLBACK);
			Awaitility.await().until(() -> lines().size() > before);
			load.forget();
			load.untilCalls(1_000);
			assertThat(load.median()).isLessThan(TIMEOUT.dividedBy(50));
			this.redis.resume();
			load.untilDecidedBy(Decision.Origin.REDIS);
			Awaitility.await().until(() -> lines().size() >= before + 2);
			assertThat(load.slow()).as("those under way, and those that began before they had failed")
				.isBetween(1L, 2L * THREADS);
			return load.longest();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void killedRedisIsFoundWithinASecondOfItsReturn(String client) {
		run(client, (limiter) -> {
			Duration withinASecond = Duration.ofSeconds(1).plus(SLACK);
			for (int round = 0; round < 2; round++) {
				assertThat(shortest(withinASecond, () -> returnOfKilledRedis(limiter))).isLessThan(withinASecond);
			}
		});
	}

	private Duration returnOfKilledRedis(RateLimiter limiter) {
		Awaitility.await().until(() -> limiter.peek("key").origin() == Decision.Origin.REDIS);
		this.redis.kill();
		for (int i = 0; i < 10; i++) {
			assertThat(limiter.tryAcquire("key").origin()).isEqualTo(Decision.Origin.FALLBACK);
		}
		this.redis.restart();
		return durationOf(() -> Awaitility.await()
			.pollInterval(Duration.ofMillis(10))
			.until(() -> limiter.peek("key").origin() == Decision.Origin.REDIS));
	}

	/**
	 * Redis decides the call that was given up when it is back, and its unit is refunded,
	 * maybe only after the quota of the fallback has been charged.
	 */
	@Test
	void nobodyGetsASecondQuotaWhenRedisIsBack() {
		run("lettuce", (limiter) -> {
			take(limiter, "before", 6);
			this.redis.freeze();
			Awaitility.await().until(() -> limiter.tryAcquire("meanwhile").origin() == Decision.Origin.FALLBACK);
			while (limiter.tryAcquire("meanwhile").allowed()) {
				assertThat(limiter.rule().name()).isEqualTo("rule");
			}
			take(limiter, "before", 3);
			this.redis.resume();
			Awaitility.await().untilAsserted(() -> {
				assertThat(limiter.peek("meanwhile").origin()).isEqualTo(Decision.Origin.REDIS);
				assertThat(limiter.peek("meanwhile").remaining()).isLessThanOrEqualTo(1);
			});
			assertThat(IntStream.range(0, 10).filter((call) -> limiter.tryAcquire("meanwhile").allowed()).count())
				.isLessThanOrEqualTo(1);
			Awaitility.await()
				.untilAsserted(() -> assertThat(limiter.peek("before").remaining()).isLessThanOrEqualTo(1));
		});
	}

	@Test
	void applicationThatStartsWithoutRedisFindsItLater() {
		this.redis.kill();
		run("lettuce", Duration.ofSeconds(20), (limiter) -> {
			assertThat(limiter.tryAcquire("key").origin()).isEqualTo(Decision.Origin.FALLBACK);
			this.redis.restart();
			Awaitility.await().until(() -> limiter.peek("key").origin() == Decision.Origin.REDIS);
			assertThat(limiter.peek("key").remaining()).isEqualTo(9);
			Awaitility.await().untilAsserted(() -> assertThat(lines()).hasSize(2));
		});
	}

	@Test
	void foreignDataUnderOneKeyOpensNoCircuitForOthers() {
		run("lettuce", Duration.ofSeconds(20), (limiter) -> {
			this.redis.command("LPUSH", "ratelimit:{rule:taken}:times", "not ours");
			for (int i = 0; i < 20; i++) {
				assertThat(limiter.tryAcquire("taken").origin()).isEqualTo(Decision.Origin.FALLBACK);
				assertThat(limiter.peek("free").origin()).isEqualTo(Decision.Origin.REDIS);
			}
			assertThat(lines()).singleElement()
				.asString()
				.startsWith("SEVERE The store of rate limits refuses calls (Redis failed: WRONGTYPE")
				.contains("set ratelimit.key-prefix")
				.doesNotContain("taken");
		});
	}

	@Test
	void closedApplicationStopsProbingRedis() {
		run("lettuce", (limiter) -> {
			this.redis.kill();
			for (int i = 0; i < 10; i++) {
				limiter.tryAcquire("key");
			}
		});
		this.redis.restart();
		String connected = "total_connections_received";
		Object before = this.redis.command("INFO", "stats");
		Awaitility.await().pollDelay(Duration.ofSeconds(1)).until(() -> true);
		assertThat(number(this.redis.command("INFO", "stats"), connected)).isEqualTo(number(before, connected) + 1);
	}

	private static long number(Object info, String name) {
		return info.toString()
			.lines()
			.filter((line) -> line.startsWith(name + ':'))
			.mapToLong((line) -> Long.parseLong(line.substring(name.length() + 1).trim()))
			.findFirst()
			.orElseThrow();
	}

	private static void take(RateLimiter limiter, String key, int calls) {
		for (int i = 0; i < calls; i++) {
			assertThat(limiter.tryAcquire(key).allowed()).isTrue();
		}
	}

	private List<String> lines() {
		return this.log.lines().stream().filter((line) -> !line.startsWith("FINE")).toList();
	}

	private void run(String client, Consumer<RateLimiter> test) {
		run(client, TIMEOUT, test);
	}

	private void run(String client, Duration timeout, Consumer<RateLimiter> test) {
		LimitedApplication.runner(RedisAutoConfiguration.class)
			.withPropertyValues("spring.data.redis.port=" + this.redis.port(),
					"spring.data.redis.client-type=" + client, "ratelimit.redis.timeout=" + timeout.toMillis() + "ms",
					"ratelimit.rules.rule.max=10", "ratelimit.rules.rule.period=1d")
			.run((context) -> test.accept(context.getBean(RateLimiterRegistry.class).limiter("rule")));
	}

	/**
	 * Threads that call almost without pause.
	 */
	private static final class Load implements AutoCloseable {

		private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

		private final List<Future<?>> callers = new ArrayList<>();

		private final Queue<Long> durations = new ConcurrentLinkedQueue<>();

		private volatile Decision.Origin origin;

		private final LongAccumulator longest = new LongAccumulator(Math::max, 0);

		/**
		 * Number of calls that took the timeout or longer.
		 */
		private final LongAdder slow = new LongAdder();

		private volatile boolean ended;

		Load(RateLimiter limiter) {
			for (int i = 0; i < THREADS; i++) {
				int caller = i;
				this.callers.add(this.threads.submit(() -> call(limiter, caller)));
			}
		}

		private void call(RateLimiter limiter, int caller) {
			for (int i = 0; !this.ended; i++) {
				long start = System.nanoTime();
				this.origin = limiter.tryAcquire("key-" + caller + '-' + i % 100).origin();
				long duration = System.nanoTime() - start;
				this.durations.add(duration);
				this.longest.accumulate(duration);
				if (duration >= TIMEOUT.toNanos()) {
					this.slow.increment();
				}
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
			}
		}

		void untilDecidedBy(Decision.Origin expected) {
			Awaitility.await().until(() -> this.origin == expected);
		}

		void forget() {
			this.durations.clear();
		}

		void untilCalls(int calls) {
			Awaitility.await().until(() -> this.durations.size() >= calls);
		}

		Duration median() {
			List<Long> sorted = this.durations.stream().sorted().toList();
			return Duration.ofNanos(sorted.get(sorted.size() / 2));
		}

		Duration longest() {
			return Duration.ofNanos(this.longest.get());
		}

		long slow() {
			return this.slow.sum();
		}

		@Override
		public void close() {
			this.ended = true;
			this.threads.shutdown();
			try {
				assertThat(this.threads.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
				for (Future<?> caller : this.callers) {
					caller.get();
				}
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

}
