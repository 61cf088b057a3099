package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.ratelimit.redis.process.RespConnection;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.Demand;

import static io.github.ratelimit.BusyMachine.awaitStore;
import static io.github.ratelimit.BusyMachine.durationOf;
import static io.github.ratelimit.BusyMachine.shortest;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A Redis that is never silent, but slow: another client's scripts take most of its time.
 */
@Tag("every-redis")
class SlowRedisTests extends OneKeyOfAnOwnRedis {

	private static final Duration TIMEOUT = Duration.ofMillis(100);

	private static final Duration SLACK = Duration.ofMillis(2_500);

	private static final int CALLS = 3_000;

	private static final String BUSY = """
			local function now() local t = redis.call('TIME') return t[1] * 1000000 + t[2] end
			local from = now()
			while now() - from < 60000 do end""";

	/**
	 * More than any wait.
	 */
	private static final Duration NOT_SLOW = Duration.ofDays(1);

	static Stream<Arguments> clients() {
		return Stream.of(RunnerUnderTest.values())
			.flatMap((client) -> Stream.of(true, false).map((batching) -> Arguments.of(client, batching)));
	}

	@ParameterizedTest(name = "{0}, batching {1}")
	@MethodSource("clients")
	void callsWaitNoLongerThanTheTimeoutAndOnlyThoseAnsweredInTimeAreCounted(RunnerUnderTest client, boolean batching) {
		RedisConnectionFactory connections = client.connections(redis);
		try (RedisRateLimitStore store = new RedisRateLimitStore(connections, "slow", TIMEOUT, batching, CALLS,
				RedisSharding.AUTO)) {
			awaitStore().untilAsserted(store::connect);
			assertThat(shortest(TIMEOUT.plus(SLACK), () -> longestWait(store))).isLessThan(TIMEOUT.plus(SLACK));
		}
		finally {
			RunnerUnderTest.destroy(connections);
		}
	}

	/**
	 * Call for a new key while Redis is slow.
	 * @return the longest wait of a call, {@link #NOT_SLOW} if all were answered in time
	 */
	private static Duration longestWait(RedisRateLimitStore store) {
		Demand demand = new Demand(RULE, AlgorithmOnStore.freshKey(), 1);
		List<CompletableFuture<?>> calls;
		Duration longest;
		try (AnotherClient busy = new AnotherClient()) {
			busy.begin();
			calls = Stream.<CompletableFuture<?>>generate(() -> store.acquireAsync(demand).toCompletableFuture())
				.limit(CALLS)
				.toList();
			CompletableFuture<Void> all = CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new));
			longest = durationOf(() -> all.exceptionally((failure) -> null).join());
		}
		long answered = calls.stream().filter((call) -> !call.isCompletedExceptionally()).count();
		awaitStore().until(() -> MAX - remaining(store, demand) == answered);
		return (answered < CALLS) ? longest : NOT_SLOW;
	}

	private static final class AnotherClient implements AutoCloseable {

		private final AtomicBoolean ends = new AtomicBoolean();

		private final CompletableFuture<Void> begun = new CompletableFuture<>();

		private final List<Thread> threads = IntStream.range(0, 2).mapToObj((i) -> new Thread(this::run)).toList();

		void begin() {
			this.threads.forEach(Thread::start);
			this.begun.join();
		}

		private void run() {
			try (RespConnection connection = redis.connect(Duration.ofSeconds(10))) {
				while (!this.ends.get()) {
					connection.command("EVAL", BUSY, "0");
					this.begun.complete(null);
				}
			}
		}

		@Override
		public void close() {
			this.ends.set(true);
			this.threads.forEach((thread) -> {
				try {
					thread.join();
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
			});
		}

	}

}
