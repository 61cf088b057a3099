package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitInterruptedException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.engine.DecidedCall;
import io.github.ratelimit.engine.Engines;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.tck.AlgorithmOnStore;

import static io.github.ratelimit.BusyMachine.awaitStore;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Calls that Redis counts after their callers have given up: their units are refunded.
 */
@Tag("every-redis")
class GivenUpCallTests extends OneKeyOfAnOwnRedis {

	private static final Duration TIMEOUT = Duration.ofMillis(500);

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	@AfterEach
	void resume() {
		redis.resume();
	}

	@ParameterizedTest
	@EnumSource
	void callThatTimedOutGetsItsUnitsBackWhenItsReplyComes(RunnerUnderTest client) {
		onStore(client, TIMEOUT, (store, engine) -> {
			redis.freeze();
			assertThatExceptionOfType(StoreException.class).isThrownBy(() -> store.acquire(this.demand))
				.withMessageEndingWith("did not answer within 500 ms");
			CompletableFuture<?> later = store.acquireAsync(this.demand).toCompletableFuture();
			assertThat(later).failsWithin(PATIENCE);
			redis.resume();
			awaitRefundOfAllUnits(store);
		});
	}

	/**
	 * {@code spring.data.redis.timeout}, after which Lettuce drops the replies to the
	 * commands of the application.
	 */
	@Test
	void callGetsItsUnitsBackAlsoIfTheApplicationWouldDropTheReply() {
		LettuceConnectionFactory impatient = new LettuceConnectionFactory(
				new RedisStandaloneConfiguration(redis.host(), redis.port()),
				LettuceClientConfiguration.builder().commandTimeout(TIMEOUT.dividedBy(5)).build());
		onStore(RedisUnderTest.start(impatient), TIMEOUT, (store, engine) -> {
			redis.freeze();
			assertThatExceptionOfType(StoreException.class).isThrownBy(() -> store.acquire(this.demand))
				.withMessageEndingWith("did not answer within 500 ms");
			redis.resume();
			awaitRefundOfAllUnits(store);
		});
	}

	@ParameterizedTest
	@EnumSource
	void callsThatAreLetGoBecauseTheCircuitOpensGetTheirUnitsBack(RunnerUnderTest client) {
		onStore(client, TIMEOUT, (store, engine) -> {
			redis.freeze();
			List<CompletableFuture<DecidedCall>> calls = Stream.generate(() -> engine.acquireAsync(this.demand))
				.limit(300)
				.map((call) -> call.toCompletableFuture())
				.toList();
			calls.forEach((call) -> assertThat(call).succeedsWithin(PATIENCE)
				.matches((decided) -> decided.decision().origin() == Decision.Origin.FALLBACK));
			redis.resume();
			awaitRefundOfAllUnits(store);
		});
	}

	@ParameterizedTest
	@EnumSource
	void callThatIsCanceledGetsItsUnitsBack(RunnerUnderTest client) {
		onStore(client, PATIENCE, (store, engine) -> {
			redis.freeze();
			List<CompletableFuture<DecidedCall>> calls = Stream.generate(() -> engine.acquireAsync(this.demand))
				.limit(300)
				.map((call) -> call.toCompletableFuture())
				.toList();
			calls.forEach((call) -> call.cancel(true));
			redis.resume();
			awaitRefundOfAllUnits(store);
		});
	}

	@ParameterizedTest
	@EnumSource
	void threadsThatAreInterruptedStaySoAndTheirUnitsComeBack(RunnerUnderTest client) {
		onStore(client, PATIENCE, (store, engine) -> {
			Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
			Queue<Boolean> interrupted = new ConcurrentLinkedQueue<>();
			CountDownLatch started = new CountDownLatch(1_000);
			List<Thread> threads = IntStream.range(0, 1_000).mapToObj((i) -> new Thread(() -> {
				started.countDown();
				try {
					engine.acquire(this.demand);
				}
				catch (RuntimeException ex) {
					thrown.add(ex);
				}
				interrupted.add(Thread.currentThread().isInterrupted());
			})).toList();
			redis.freeze();
			threads.forEach(Thread::start);
			// on a busy machine some do not wait yet
			await().until(() -> started.getCount() == 0);
			threads.forEach(Thread::interrupt);
			threads.forEach(GivenUpCallTests::join);
			assertThat(interrupted).hasSize(1_000).containsOnly(true);
			assertThat(thrown).hasSize(1_000)
				.allSatisfy((ex) -> assertThat(ex).isInstanceOf(RateLimitInterruptedException.class)
					.hasCauseInstanceOf(InterruptedException.class)
					.hasMessageContaining("\"rule\""));
			redis.resume();
			assertThat(engine.acquire(this.demand).decision().origin()).isEqualTo(Decision.Origin.REDIS);
			AlgorithmOnStore.correct(store, List.of(Correction.refund(this.demand, Correction.NEWEST)));
			awaitRefundOfAllUnits(store);
		});
	}

	@ParameterizedTest
	@EnumSource
	void programThatMayWaitGetsTheInterruptionAsEverywhere(RunnerUnderTest client) {
		onStore(client, PATIENCE, (store, engine) -> {
			RateLimiter limiter = new RuleRegistry(engine, Algorithm.SLIDING_LOG, List.of()).register(RULE);
			CompletableFuture<Boolean> stillInterrupted = new CompletableFuture<>();
			redis.freeze();
			Thread thread = new Thread(() -> {
				try {
					limiter.acquire(this.demand.key().text(), 1, Duration.ZERO);
				}
				catch (InterruptedException ex) {
					stillInterrupted.complete(Thread.currentThread().isInterrupted());
				}
			});
			thread.start();
			await().atMost(PATIENCE).until(() -> thread.getState() == Thread.State.TIMED_WAITING);
			thread.interrupt();
			assertThat(stillInterrupted).succeedsWithin(PATIENCE).isEqualTo(false);
			redis.resume();
			awaitRefundOfAllUnits(store);
		});
	}

	@ParameterizedTest
	@EnumSource
	void threadThatIsInterruptedBeforehandTakesNothing(RunnerUnderTest client) {
		onStore(client, PATIENCE, (store, engine) -> {
			Thread.currentThread().interrupt();
			try {
				assertThatExceptionOfType(RateLimitInterruptedException.class)
					.isThrownBy(() -> engine.acquire(this.demand));
			}
			finally {
				assertThat(Thread.interrupted()).isTrue();
			}
			assertThat(remaining(store)).isEqualTo(MAX);
		});
	}

	private void awaitRefundOfAllUnits(RedisRateLimitStore store) {
		awaitStore().during(Duration.ofMillis(300)).until(() -> remaining(store) == MAX);
	}

	private static void join(Thread thread) {
		try {
			thread.join(PATIENCE.toMillis());
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void onStore(RunnerUnderTest client, Duration timeout,
			BiConsumer<RedisRateLimitStore, RateLimitEngine> test) {
		onStore(client.patientConnections(redis.host(), redis.port()), timeout, test);
	}

	private static void onStore(RedisConnectionFactory connections, Duration timeout,
			BiConsumer<RedisRateLimitStore, RateLimitEngine> test) {
		try (RedisRateLimitStore store = new RedisRateLimitStore(connections, "given-up", timeout);
				RateLimitEngine engine = Engines.over(store, OnStoreFailure.ALLOW)) {
			engine.start();
			await().atMost(PATIENCE).until(() -> isAnsweredByRedis(engine));
			test.accept(store, engine);
		}
		finally {
			RunnerUnderTest.destroy(connections);
		}
	}

	private static boolean isAnsweredByRedis(RateLimitEngine engine) {
		return engine.acquire(new Demand(RULE, "any", 0)).decision().origin() == Decision.Origin.REDIS;
	}

}
