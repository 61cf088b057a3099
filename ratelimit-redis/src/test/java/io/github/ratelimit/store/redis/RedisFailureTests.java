package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.BusyMachine;
import io.github.ratelimit.Decision;
import io.github.ratelimit.FaultyProxy;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitInterruptedException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;

import static io.github.ratelimit.BusyMachine.awaitStore;
import static io.github.ratelimit.BusyMachine.durationOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * A Redis that hangs, is unreachable, or refuses calls.
 */
@Tag("every-redis")
class RedisFailureTests {

	private static final Duration TIMEOUT = Duration.ofMillis(200);

	private static final Duration SLACK = Duration.ofMillis(400);

	private static final RateLimitRule RULE = RateLimitRule.named("rule")
		.limit(Limit.of(5, Duration.ofDays(1)).withAlgorithm(Algorithm.SLIDING_LOG))
		.build();

	@AutoClose
	private static final RedisProcess redis = RedisProcess.start();

	private final Demand demand = new Demand(RULE, AlgorithmOnStore.freshKey(), 1);

	@ParameterizedTest
	@EnumSource
	void frozenRedisCostsTheCallerNoMoreThanTheTimeout(RunnerUnderTest kind) {
		onConnectedStore(kind, (store) -> {
			whileFrozen(() -> {
				assertThat(shortest(() -> assertThatExceptionOfType(StoreException.class)
					.isThrownBy(() -> acquire(store))
					.withMessage("Redis at 127.0.0.1:" + redis.port() + ", set by spring.data.redis.host and "
							+ "spring.data.redis.port or by spring.data.redis.url, did not answer within 200 ms")))
					.isBetween(TIMEOUT, TIMEOUT.plus(SLACK));
			});
		});
	}

	@ParameterizedTest
	@EnumSource
	void frozenRedisNeverBlocksAnAsynchronousCaller(RunnerUnderTest kind) {
		onConnectedStore(kind, (store) -> {
			whileFrozen(() -> {
				AtomicReference<CompletableFuture<StoreAnswer>> answer = new AtomicReference<>();
				Duration waits = shortest(() -> {
					Duration blocked = BusyMachine.shortest(TIMEOUT,
							() -> durationOf(() -> answer.set(store.acquireAsync(this.demand).toCompletableFuture())));
					assertThat(blocked).isLessThan(TIMEOUT);
					assertThat(answer.get()).failsWithin(BusyMachine.PATIENCE)
						.withThrowableOfType(ExecutionException.class)
						.withCauseInstanceOf(StoreException.class)
						.withMessageContaining(" did not answer within 200 ms");
				});
				assertThat(waits).isBetween(TIMEOUT, TIMEOUT.plus(SLACK));
			});
		});
	}

	@ParameterizedTest
	@EnumSource
	void lateAnswerIsNotAppliedTwice(RunnerUnderTest kind) {
		onConnectedStore(kind, (store) -> {
			whileFrozen(() -> assertThatExceptionOfType(StoreException.class).isThrownBy(() -> acquire(store)));
			awaitStore().until(() -> acquire(store) != null);
			awaitStore().during(TIMEOUT).until(() -> remaining(store) == 4);
		});
	}

	@ParameterizedTest
	@EnumSource
	void stoppedRedisFailsWithinTheTimeoutAndComesBackUncounted(RunnerUnderTest kind) {
		onConnectedStore(kind, (store) -> {
			redis.kill();
			try {
				assertThat(shortest(
						() -> assertThatExceptionOfType(StoreException.class).isThrownBy(() -> acquire(store))))
					.isLessThan(TIMEOUT.plus(SLACK));
				assertThatExceptionOfType(CompletionException.class)
					.isThrownBy(() -> store.acquireAsync(this.demand).toCompletableFuture().join())
					.withCauseInstanceOf(StoreException.class);
			}
			finally {
				redis.restart();
			}
			awaitStore().untilAsserted(() -> assertThat(remaining(store)).isEqualTo(5));
		});
	}

	@ParameterizedTest
	@EnumSource
	void redisThatWasNeverThereFailsWithinTheTimeoutAndIsFoundLater(RunnerUnderTest kind) {
		redis.kill();
		RedisConnectionFactory connections = kind.connections(redis);
		try (RedisRateLimitStore store = new RedisRateLimitStore(connections, "failures", TIMEOUT)) {
			assertThatExceptionOfType(StoreException.class).isThrownBy(store::connect);
			assertThat(shortest(() -> assertThatExceptionOfType(StoreException.class).isThrownBy(() -> acquire(store))))
				.isLessThan(TIMEOUT.plus(SLACK));
			redis.restart();
			awaitStore().until(() -> acquire(store) != null);
		}
		finally {
			RunnerUnderTest.destroy(connections);
			redis.restart();
		}
	}

	@ParameterizedTest
	@EnumSource
	void refusalContainsTheErrorOfRedis(RunnerUnderTest kind) {
		onConnectedStore(kind, (store) -> {
			redis.command("LPUSH", "failures:{rule:" + this.demand.key() + "}:times", "not a string");
			await().untilAsserted(() -> assertThatExceptionOfType(StoreException.class).isThrownBy(() -> acquire(store))
				.withMessageContaining("WRONGTYPE"));
			await().untilAsserted(() -> assertThatExceptionOfType(CompletionException.class)
				.isThrownBy(() -> store.acquireAsync(this.demand).toCompletableFuture().join())
				.havingCause()
				.isInstanceOf(StoreException.class)
				.withMessageStartingWith("Redis failed: ")
				.withMessageContaining("WRONGTYPE")
				.withMessageNotContaining("RedisCommandExecutionException:"));
		});
	}

	/**
	 * A demoted server closes no connection.
	 */
	@ParameterizedTest
	@EnumSource
	void callsFollowTheAddressOfAMasterThatIsDemoted(RunnerUnderTest kind) {
		try (RedisProcess demoted = RedisProcess.start();
				RedisProcess promoted = RedisProcess.start();
				FaultyProxy address = new FaultyProxy(demoted.port())) {
			onConnectedStore(kind.connections(address.host(), address.port()), (store) -> {
				try (RateLimitEngine engine = ClusterLoad.engine(store)) {
					awaitStore().until(() -> acquire(store) != null);
					demoted.command("REPLICAOF", promoted.host(), String.valueOf(promoted.port()));
					address.forwardTo(promoted.port());
					awaitStore().until(() -> engine.acquire(this.demand).decision().origin() == Decision.Origin.REDIS);
				}
			});
		}
	}

	@ParameterizedTest
	@EnumSource
	void interruptedCallerFailsAndStaysInterrupted(RunnerUnderTest kind) {
		onConnectedStore(kind, (store) -> {
			redis.freeze();
			Thread.currentThread().interrupt();
			try {
				assertThatExceptionOfType(RateLimitInterruptedException.class).isThrownBy(() -> acquire(store))
					.withCauseInstanceOf(InterruptedException.class);
				assertThat(Thread.currentThread().isInterrupted()).isTrue();
			}
			finally {
				Thread.interrupted();
				redis.resume();
			}
		});
	}

	@ParameterizedTest
	@EnumSource
	void manyCallersOfAFrozenRedisAllReturnInTime(RunnerUnderTest kind) {
		onConnectedStore(kind, (store) -> {
			whileFrozen(() -> {
				Duration inTime = Duration.ofSeconds(4);
				assertThat(BusyMachine.shortest(inTime, () -> durationOf(() -> {
					List<CompletableFuture<StoreAnswer>> answers = IntStream.range(0, 500)
						.mapToObj((i) -> store.acquireAsync(this.demand).toCompletableFuture())
						.toList();
					answers.forEach((answer) -> assertThat(answer).failsWithin(BusyMachine.PATIENCE));
				}))).isLessThan(inTime);
			});
		});
	}

	private static void whileFrozen(Runnable test) {
		redis.freeze();
		try {
			test.run();
		}
		finally {
			redis.resume();
		}
	}

	private List<LimitOutcome> acquire(RedisRateLimitStore store) {
		return store.acquire(this.demand).get(0).outcomes();
	}

	private long remaining(RedisRateLimitStore store) {
		return store.acquire(this.demand.withCost(0)).get(0).outcomes().get(0).remaining();
	}

	/**
	 * Return the shortest time that a call takes.
	 */
	private static Duration shortest(Runnable call) {
		return BusyMachine.shortest(TIMEOUT.plus(SLACK), () -> durationOf(call));
	}

	private static void onConnectedStore(RunnerUnderTest kind, Consumer<RedisRateLimitStore> test) {
		onConnectedStore(kind.connections(redis), test);
	}

	private static void onConnectedStore(RedisConnectionFactory connections, Consumer<RedisRateLimitStore> test) {
		RunnerUnderTest.withStore(connections, "failures", TIMEOUT, (store) -> {
			awaitStore().untilAsserted(store::connect);
			test.accept(store);
		});
	}

}
