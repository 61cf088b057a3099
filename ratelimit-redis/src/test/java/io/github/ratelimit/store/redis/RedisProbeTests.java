package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

import io.lettuce.core.RedisCommandExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;

import static org.assertj.core.api.Assertions.assertThat;

class RedisProbeTests {

	private final CompletableFuture<Void> connected = CompletableFuture.completedFuture(null);

	private final CompletableFuture<Void> refused = CompletableFuture.failedFuture(new IllegalStateException());

	@Test
	void connectionMayTakeAsLongAsAnAnswerButAtLeastTwoSeconds() {
		assertThat(RedisFailures.connectPatience(Duration.ofMillis(100))).isEqualTo(Duration.ofSeconds(2));
		assertThat(RedisFailures.connectPatience(Duration.ofSeconds(10))).isEqualTo(Duration.ofSeconds(10));
	}

	@Test
	void connectionThatWasBegunIsTheFirstOne() {
		Connections connections = new Connections(this.connected, this.connected);
		try (RedisRateLimitStore store = connections.store()) {
			store.beginToConnect();
			assertThat(connections.notOpened).hasSize(1);
			store.connect();
			assertThat(connections.notOpened).hasSize(1);
			store.connect();
			assertThat(connections.notOpened).as("connecting again reconnects").isEmpty();
		}
	}

	@Test
	void anotherConnectionIsOpenedAfterOneThatFailed() {
		Connections connections = new Connections(this.refused, this.connected);
		try (RedisRateLimitStore store = connections.store()) {
			store.beginToConnect();
			store.connect();
			assertThat(connections.notOpened).isEmpty();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "OOM command not allowed when used memory > 'maxmemory'.",
			"MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk.",
			"LOADING Redis is loading the dataset in memory" })
	void sickServerIsReconnectedToWithEveryTenthProbe(String error) {
		assertThat(connectionsDuringProbes(21, new RedisCommandExecutionException(error))).isEqualTo(3);
	}

	@Test
	void serverThatIsNoMasterIsReconnectedToWithEveryProbe() {
		assertThat(connectionsDuringProbes(21,
				new RedisCommandExecutionException("READONLY You can't write against a read only replica.")))
			.isEqualTo(21);
	}

	@Test
	void serverThatDoesNotAnswerIsReconnectedToWithEveryProbe() {
		assertThat(connectionsDuringProbes(21, new TimeoutException())).isEqualTo(21);
	}

	private static int connectionsDuringProbes(int probes, Exception failure) {
		AtomicInteger connections = new AtomicInteger();
		ScriptRunner runner = new ScriptRunner() {

			@Override
			public CompletableFuture<Void> connect() {
				connections.incrementAndGet();
				return CompletableFuture.completedFuture(null);
			}

			@Override
			public CompletableFuture<byte[]> run(ScriptCall call) {
				return CompletableFuture.failedFuture(failure);
			}

		};
		RateLimitRule rule = RateLimitRule.named("rule")
			.limit(1, Duration.ofDays(1))
			.algorithm(Algorithm.SLIDING_LOG)
			.build();
		try (RedisRateLimitStore store = store(runner)) {
			for (int i = 0; i < probes; i++) {
				assertThat(store.probe(new Demand(rule, "key", 0))).failsWithin(Duration.ZERO);
			}
		}
		return connections.get();
	}

	private static RedisRateLimitStore store(ScriptRunner runner) {
		return new RedisRateLimitStore(
				new RedisSetup(runner, "test", Duration.ofSeconds(1), RedisSharding.NONE, () -> 0));
	}

	private static final class Connections implements ScriptRunner {

		private final Deque<CompletableFuture<Void>> notOpened;

		Connections(CompletableFuture<Void> first, CompletableFuture<Void> second) {
			this.notOpened = new ArrayDeque<>(List.of(first, second));
		}

		RedisRateLimitStore store() {
			return RedisProbeTests.store(this);
		}

		@Override
		public CompletableFuture<Void> connect() {
			return this.notOpened.remove();
		}

		@Override
		public CompletableFuture<byte[]> run(ScriptCall call) {
			return CompletableFuture.completedFuture(new byte[0]);
		}

	}

}
