package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.withSettings;

class BlockingScriptRunnerTests {

	private static final int ATTEMPTS = 500;

	private static final int CALLS = 16;

	private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

	private final RedisConnectionFactory connections = mock(RedisConnectionFactory.class, withSettings().stubOnly());

	@Test
	void connectionForWhichThereIsNoThreadFailsLater() {
		BlockingScriptRunner runner = new BlockingScriptRunner(this.connections, false, "Redis",
				Duration.ofSeconds(20));
		runner.close();
		assertThat(runner.connect()).isCompletedExceptionally();
	}

	@Test
	void callForWhichThereIsNoThreadIsNotSentByALaterOne() {
		AtomicInteger started = new AtomicInteger();
		AtomicInteger opened = new AtomicInteger();
		RedisConnection connection = mock(RedisConnection.class, withSettings().stubOnly());
		given(this.connections.getConnection()).willAnswer((call) -> {
			opened.incrementAndGet();
			return connection;
		});
		BlockingScriptRunner runner = new BlockingScriptRunner(this.connections, false, "Redis", Duration.ofSeconds(20),
				(work) -> {
					if (started.getAndIncrement() == 0) {
						throw new OutOfMemoryError("no thread");
					}
					return new Thread(work);
				});
		ScriptCall call = new ScriptCall(Script.of("return ''"), new byte[0][], new byte[0][], (late) -> {
		}, false);
		assertThat(runner.run(call)).isCompletedExceptionally();
		runner.connect().join();
		runner.close();
		assertThat(opened).hasValue(1);
	}

	/**
	 * Threads that end at the same time wait for each other.
	 */
	@Test
	void noThreadIsLeftWhenItIsClosed() {
		RedisConnection connection = mock(RedisConnection.class, withSettings().stubOnly());
		given(this.connections.getConnection()).willAnswer((call) -> {
			this.threads.add(Thread.currentThread());
			return connection;
		});
		for (int i = 0; i < ATTEMPTS; i++) {
			this.threads.clear();
			BlockingScriptRunner runner = new BlockingScriptRunner(this.connections, false, "Redis",
					Duration.ofSeconds(20));
			CompletableFuture.allOf(Stream.generate(runner::connect).limit(CALLS).toArray(CompletableFuture[]::new))
				.join();
			runner.close();
			assertThat(this.threads).isNotEmpty().noneMatch(Thread::isAlive);
		}
	}

}
