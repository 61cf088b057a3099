package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import org.junit.jupiter.api.Test;

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

	private static final class Connections implements ScriptRunner {

		private final Deque<CompletableFuture<Void>> notOpened;

		Connections(CompletableFuture<Void> first, CompletableFuture<Void> second) {
			this.notOpened = new ArrayDeque<>(List.of(first, second));
		}

		RedisRateLimitStore store() {
			return new RedisRateLimitStore(this, "test", Duration.ofSeconds(1), true, 10, () -> 0);
		}

		@Override
		public CompletableFuture<Void> connect() {
			return this.notOpened.remove();
		}

		@Override
		public CompletableFuture<byte[]> run(Script script, byte[][] keys, byte[][] arguments, Consumer<byte[]> late) {
			return CompletableFuture.completedFuture(new byte[0]);
		}

	}

}
