package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.DecidedCall;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.redis.process.RedisCluster;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.redis.process.RespConnection;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;

import static io.github.ratelimit.BusyMachine.awaitStore;
import static io.github.ratelimit.BusyMachine.durationOf;
import static io.github.ratelimit.BusyMachine.shortest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * One server of a cluster that hangs, or whose connections break, while the others are
 * healthy. It hangs too briefly for a failover.
 */
class RedisClusterFailureTests {

	private static final System.Logger logger = System.getLogger(RedisClusterFailureTests.class.getName());

	private static final Duration TIMEOUT = Duration.ofMillis(200);

	/**
	 * Timeout that healthy servers do not miss.
	 */
	private static final Duration PATIENT_TIMEOUT = Duration.ofSeconds(3);

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private static final RateLimitRule RULE = RateLimitRule.named("rule")
		.limit(1_000, Duration.ofDays(1))
		.algorithm(Algorithm.SLIDING_LOG)
		.build();

	private final RedisCluster cluster = ClusterUnderTest.cluster();

	private final RedisProcess sick = this.cluster.masters().get(0);

	private final Demand hanging = ClusterUnderTest.demand(RULE, (master) -> master == this.sick);

	private final Demand well = ClusterUnderTest.demand(RULE, (master) -> master != this.sick);

	@BeforeEach
	void noticeLate() {
		configure("cluster-node-timeout", "30000");
	}

	@AfterEach
	void noticeSoon() {
		this.sick.resume();
		configure("cluster-node-timeout", "1000");
		this.cluster.awaitHealthy();
	}

	private void configure(String name, String value) {
		this.cluster.nodes().forEach((node) -> node.command("CONFIG", "SET", name, value));
	}

	@Test
	void frozenServerCostsItsOwnCallsTheTimeoutAndOthersAreStillCounted() {
		whileFrozen(RunnerUnderTest.LETTUCE, (engine) -> {
			assertThat(durationOf(() -> assertThatAllFallBack(engine, 5, this.hanging))).isBetween(PATIENT_TIMEOUT,
					PATIENT_TIMEOUT.multipliedBy(5));
			assertThat(shortest(PATIENT_TIMEOUT, () -> durationOf(() -> {
				for (int i = 0; i < 100; i++) {
					assertThat(originOf(engine, this.hanging)).isEqualTo(Decision.Origin.FALLBACK);
				}
			}))).isLessThan(PATIENT_TIMEOUT);
			assertThat(originOf(engine, this.well)).isEqualTo(Decision.Origin.REDIS);
			assertThat(originOf(engine, this.well, this.hanging)).isEqualTo(Decision.Origin.FALLBACK);
			assertThat(originOf(engine, this.well)).isEqualTo(Decision.Origin.REDIS);
		});
	}

	/**
	 * Jedis blocks a thread for each call.
	 */
	@ParameterizedTest
	@EnumSource
	void callsOfOtherServersAreCountedHoweverManyWaitForAFrozenOne(RunnerUnderTest client) {
		List<Demand> many = Stream.generate(() -> ClusterUnderTest.demand(RULE, (master) -> master == this.sick))
			.limit(50)
			.toList();
		whileFrozen(client, (engine) -> {
			List<CompletableFuture<DecidedCall>> hang = many.stream()
				.map((demand) -> engine.acquireAsync(demand).toCompletableFuture())
				.toList();
			assertThat(originOf(engine, this.well)).isEqualTo(Decision.Origin.REDIS);
			assertThat(hang)
				.allSatisfy((call) -> assertThat(call.join().decision().origin()).isEqualTo(Decision.Origin.FALLBACK));
			assertThat(originOf(engine, this.well)).isEqualTo(Decision.Origin.REDIS);
			assertThat(originOf(engine, this.hanging)).isEqualTo(Decision.Origin.FALLBACK);
		});
	}

	@Test
	void callOverSeveralServersBlamesTheOneThatHangs() {
		onStore(PATIENT_TIMEOUT, (store) -> {
			try (RateLimitEngine engine = ClusterLoad.engine(store)) {
				originOf(engine, this.well, this.hanging);
				this.sick.freeze();
				assertThatAllFallBack(engine, 6, this.well, this.hanging);
				assertThat(originOf(engine, this.well)).isEqualTo(Decision.Origin.REDIS);
				awaitStore().until(() -> remaining(store, this.well) == 998);
			}
			finally {
				this.sick.resume();
			}
		});
	}

	/**
	 * Call several times at once.
	 */
	private static void assertThatAllFallBack(RateLimitEngine engine, int calls, Demand... demands) {
		List<CompletableFuture<DecidedCall>> answers = Stream.generate(() -> engine.acquireAsync(Demands.of(demands)))
			.limit(calls)
			.map(CompletionStage::toCompletableFuture)
			.toList();
		assertThat(answers)
			.allSatisfy((answer) -> assertThat(answer.join().decision().origin()).isEqualTo(Decision.Origin.FALLBACK));
	}

	@ParameterizedTest
	@EnumSource
	void callsThatTimedOutGetTheirUnitsBackWhenTheServerGoesOn(RunnerUnderTest client) {
		onStore(client, TIMEOUT, (store) -> {
			awaitStore().until(() -> remaining(store, this.hanging) + remaining(store, this.well) == 2_000);
			this.sick.freeze();
			assertThatExceptionOfType(StoreException.class).isThrownBy(() -> store.acquire(this.hanging))
				.withMessageContaining("did not answer");
			assertThatExceptionOfType(StoreException.class)
				.isThrownBy(() -> store.acquire(Demands.of(this.well, this.hanging)))
				.withMessageContaining("did not answer");
			CompletableFuture<StoreAnswer> canceled = store.acquireAsync(Demands.of(this.hanging, this.well))
				.toCompletableFuture();
			assertThat(canceled).failsWithin(PATIENCE);
			this.sick.resume();
			awaitStore().during(TIMEOUT)
				.until(() -> remaining(store, this.hanging) == 1_000 && remaining(store, this.well) == 1_000);
		});
	}

	/**
	 * {@code spring.data.redis.timeout}, after which Lettuce drops the replies to the
	 * commands of the application, on the connection to each server as well.
	 */
	@Test
	void callGetsItsUnitsBackAlsoIfTheApplicationWouldDropTheReply() {
		onStore(impatientConnections(), PATIENT_TIMEOUT, (store) -> {
			awaitStore().until(() -> remaining(store, this.hanging) == 1_000);
			this.sick.freeze();
			assertThatExceptionOfType(StoreException.class).isThrownBy(() -> store.acquire(this.hanging))
				.withMessageContaining("did not answer within 3000 ms");
			this.sick.resume();
			awaitStore().during(TIMEOUT).until(() -> remaining(store, this.hanging) == 1_000);
		});
	}

	@Test
	void callsThatAwaitTheConnectionToAServerOutlastTheTimeoutOfTheApplication() {
		onStore(impatientConnections(), PATIENCE, (store) -> {
			this.sick.command("CLIENT", "PAUSE", String.valueOf(PATIENT_TIMEOUT.toMillis()), "WRITE");
			List<CompletableFuture<StoreAnswer>> first = List.of(send(store), send(store), send(store));
			assertThat(first).allSatisfy((answer) -> assertThat(answer).succeedsWithin(PATIENCE));
			assertThat(remaining(store, this.hanging)).isEqualTo(997);
		});
	}

	/**
	 * Lettuce would send it over another connection, which nobody watches.
	 */
	@Test
	void callWhoseConnectionCannotBeOpenedIsNotSentOverAnotherOne() {
		RedisConnectionFactory connections = impatientConnections();
		ScriptRunner runner = new LettuceScriptRunner((LettuceConnectionFactory) connections, PATIENT_TIMEOUT);
		try {
			awaitStore().untilAsserted(() -> runner.connect().join());
			long before = connectionsToTheSick();
			this.sick.freeze();
			byte[][] keys = { ClusterUnderTest.name(this.hanging).getBytes() };
			ScriptCall eventual = new ScriptCall(Script.of("return ''"), keys, new byte[0][], (late) -> {
			}, false);
			assertThat(runner.run(eventual)).failsWithin(PATIENCE);
			this.sick.resume();
			assertThat(connectionsToTheSick()).as("of the call, and of this command").isEqualTo(before + 2);
		}
		finally {
			runner.close();
			RunnerUnderTest.destroy(connections);
		}
	}

	private long connectionsToTheSick() {
		return String.valueOf(this.sick.command("INFO", "stats"))
			.lines()
			.filter((line) -> line.startsWith("total_connections_received:"))
			.mapToLong((line) -> Long.parseLong(line.split(":")[1].trim()))
			.sum();
	}

	private RedisConnectionFactory impatientConnections() {
		return RedisUnderTest.start(new LettuceConnectionFactory(RunnerUnderTest.configurationOf(this.cluster),
				LettuceClientConfiguration.builder().commandTimeout(PATIENT_TIMEOUT.dividedBy(5)).build()));
	}

	/**
	 * Lettuce connects a cluster connection as a whole to any server, to another one each
	 * time, and so to the one that hangs at last.
	 */
	@Test
	void serverWhoseConnectionsBreakIsCalledAgainWhileAnotherHangs() {
		onStore(TIMEOUT, (store) -> {
			breakConnectionsTo(List.of(this.sick));
			awaitAnswer(store, this.well);
			awaitAnswer(store, this.hanging);
			this.sick.freeze();
			List<RedisProcess> others = this.cluster.nodes().stream().filter((node) -> node != this.sick).toList();
			long longest = 0;
			for (int i = 0; i < this.cluster.nodes().size(); i++) {
				breakConnectionsTo(others);
				longest = Math.max(longest, durationOf(() -> awaitAnswer(store, this.well)).toMillis());
			}
			logger.log(System.Logger.Level.INFO, "Connections broken while another server hung: no answer for {0} ms",
					longest);
			assertThatExceptionOfType(StoreException.class).isThrownBy(() -> remaining(store, this.hanging));
		});
	}

	private static void breakConnectionsTo(List<RedisProcess> nodes) {
		nodes.forEach((node) -> node.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"));
	}

	private static void awaitAnswer(RedisRateLimitStore store, Demand demand) {
		await().atMost(PATIENCE)
			.pollInterval(Duration.ofMillis(10))
			.ignoreExceptionsInstanceOf(StoreException.class)
			.until(() -> remaining(store, demand) == 1_000);
	}

	@Test
	void lookingForSlotsFailsNoCall() {
		onStore(PATIENCE, (store) -> {
			remaining(store, this.hanging);
			RedisProcess replica = this.cluster.replicaOf(ClusterUnderTest.name(this.hanging));
			this.sick.freeze();
			CompletableFuture<StoreAnswer> pending = store.acquireAsync(this.hanging).toCompletableFuture();
			replica.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
			store.probe(this.well).toCompletableFuture().join();
			assertThat(pending).isNotDone();
			this.sick.resume();
			assertThat(pending).succeedsWithin(PATIENCE);
		});
	}

	@RepeatedTest(3)
	void callWhoseConnectionBreaksIsCountedAtMostOnce() {
		onStore(PATIENCE, (store) -> {
			remaining(store, this.hanging);
			try (RespConnection killer = this.sick.connect(PATIENCE)) {
				killer.command("PING");
				this.sick.freeze();
				List<CompletableFuture<StoreAnswer>> pending = List.of(send(store), send(store), send(store));
				CompletableFuture<Void> kill = CompletableFuture
					.runAsync(() -> killer.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"));
				await().pollDelay(Duration.ofMillis(50)).until(() -> true);
				this.sick.resume();
				kill.join();
				await().until(() -> pending.stream().allMatch(CompletableFuture::isDone));
				long answered = pending.stream().filter((reply) -> !reply.isCompletedExceptionally()).count();
				awaitStore().during(TIMEOUT).until(() -> 1_000 - remaining(store, this.hanging) <= 3);
				assertThat(1_000 - remaining(store, this.hanging)).isBetween(answered, 3L);
			}
		});
	}

	private CompletableFuture<StoreAnswer> send(RedisRateLimitStore store) {
		return store.acquireAsync(this.hanging).toCompletableFuture();
	}

	private static Decision.Origin originOf(RateLimitEngine engine, Demand... demands) {
		return engine.acquire(Demands.of(demands)).decision().origin();
	}

	private static long remaining(RedisRateLimitStore store, Demand demand) {
		return store.acquire(peek(demand)).get(0).outcomes().get(0).remaining();
	}

	private static Demand peek(Demand demand) {
		return demand.withCost(0);
	}

	/**
	 * Run a test while a server is frozen and others are called, whose calls are
	 * answered.
	 */
	private void whileFrozen(RunnerUnderTest client, Consumer<RateLimitEngine> test) {
		onStore(client, PATIENT_TIMEOUT, (store) -> {
			try (RateLimitEngine engine = ClusterLoad.engine(store);
					ClusterLoad others = new ClusterLoad(store, 2, () -> peek(this.well))) {
				await().until(() -> originOf(engine, this.hanging) == Decision.Origin.REDIS);
				await().until(() -> others.answered() > 100);
				long unansweredBefore = others.unanswered();
				this.sick.freeze();
				test.accept(engine);
				this.sick.resume();
				await().until(() -> originOf(engine, this.hanging) == Decision.Origin.REDIS);
				assertThat(others.unanswered()).isEqualTo(unansweredBefore);
			}
			finally {
				this.sick.resume();
			}
		});
	}

	private static void onStore(Duration timeout, Consumer<RedisRateLimitStore> test) {
		onStore(RunnerUnderTest.LETTUCE, timeout, test);
	}

	private static void onStore(RunnerUnderTest client, Duration timeout, Consumer<RedisRateLimitStore> test) {
		onStore(client.connections(ClusterUnderTest.cluster()), timeout, test);
	}

	private static void onStore(RedisConnectionFactory connections, Duration timeout,
			Consumer<RedisRateLimitStore> test) {
		RunnerUnderTest.withStore(connections, ClusterUnderTest.PREFIX, timeout, (store) -> {
			awaitStore().untilAsserted(store::connect);
			test.accept(store);
		});
	}

}
