package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
		BlockingScriptRunner runner = new BlockingScriptRunner(this.connections, false, "Redis", Duration.ofSeconds(20),
				BlockingScriptRunner.daemons());
		runner.close();
		assertThat(runner.connect()).isCompletedExceptionally();
	}

	@Test
	void connectionForWhichNoThreadCanBeStartedFailsLater() {
		BlockingScriptRunner runner = new BlockingScriptRunner(this.connections, false, "Redis", Duration.ofSeconds(20),
				(work) -> {
					throw new OutOfMemoryError("unable to create native thread");
				});
		assertThat(runner.connect()).isCompletedExceptionally();
		runner.close();
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
		assertThat(run(runner)).isCompletedExceptionally();
		runner.connect().join();
		runner.close();
		assertThat(opened).hasValue(1);
	}

	@Test
	void threadThatCannotBeStartedIsForgotten() {
		List<Thread> created = new ArrayList<>();
		Set<Thread> seen = ConcurrentHashMap.newKeySet();
		BlockingScriptRunner runner = new BlockingScriptRunner(this.connections, false, "Redis", Duration.ofSeconds(20),
				(work) -> {
					Thread thread = new Thread(work) {

						@Override
						public void start() {
							throw new OutOfMemoryError("unable to create native thread");
						}

						@Override
						public State getState() {
							seen.add(this);
							return super.getState();
						}

					};
					created.add(thread);
					return thread;
				});
		assertThat(run(runner)).isCompletedExceptionally();
		seen.clear();
		assertThat(run(runner)).isCompletedExceptionally();
		runner.close();
		assertThat(created).hasSize(2);
		assertThat(seen).doesNotContain(created.get(0));
	}

	private static CompletableFuture<byte[]> run(BlockingScriptRunner runner) {
		return runner.run(new ScriptCall(Script.of("return ''"), new byte[0][], new byte[0][], (late) -> {
		}, false));
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
					Duration.ofSeconds(20), BlockingScriptRunner.daemons());
			CompletableFuture.allOf(Stream.generate(runner::connect).limit(CALLS).toArray(CompletableFuture[]::new))
				.join();
			runner.close();
			assertThat(this.threads).isNotEmpty().noneMatch(Thread::isAlive);
		}
	}

}
