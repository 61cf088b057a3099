package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.concurrent.StageFailure;
import io.github.ratelimit.redis.process.RedisCluster;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.redis.process.SlotMigration;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;

import static io.github.ratelimit.BusyMachine.awaitStore;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Hash slots that move to another server, and servers that fail, while calls are counted.
 */
class RedisClusterMovesTests {

	private static final System.Logger logger = System.getLogger(RedisClusterMovesTests.class.getName());

	private static final int THREADS = 4;

	private static final int KEYS = 10;

	private static final RateLimitRule SINGLE = RateLimitRule.named("rule")
		.limit(5, Duration.ofDays(1))
		.algorithm(Algorithm.TOKEN_BUCKET)
		.build();

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	@ParameterizedTest
	@EnumSource
	void callsFollowASlotThatMoves(RunnerUnderTest client) {
		RedisCluster cluster = ClusterUnderTest.cluster();
		onStore(client, cluster, PATIENCE, (store, demand) -> {
			assertThat(acquire(store, demand)).containsExactly(499L, 999L);
			SlotMigration migration = beginMigration(cluster, demand);
			assertThat(acquire(store, demand)).as("all still there").containsExactly(498L, 998L);
			migration.move(ClusterUnderTest.name(demand, 0));
			CompletionStage<List<Long>> divided = acquireAsync(store, demand);
			assertThat(divided).as("refused by both servers").isNotDone();
			migration.target().command("SCRIPT", "FLUSH");
			migration.move(ClusterUnderTest.name(demand, 1));
			assertThat(divided).as("ASK, and unknown there").succeedsWithin(PATIENCE).isEqualTo(List.of(497L, 997L));
			assertThat(acquire(store, demand)).as("ASK").containsExactly(496L, 996L);
			Demand unused = inSlotOf(demand);
			CompletionStage<List<Long>> several = acquireAsync(store, unused);
			Demand single = new Demand(SINGLE, unused.key().text(), 1);
			assertThat(acquire(store, single)).as("ASK for one that is new").containsExactly(4L);
			assertThat(several).as("several new keys").isNotDone();
			migration.moveKeys();
			migration.end();
			assertThat(several).succeedsWithin(PATIENCE).isEqualTo(List.of(499L, 999L));
			assertThat(acquire(store, demand)).as("MOVED").containsExactly(495L, 995L);
			assertThat(acquire(store, unused)).containsExactly(498L, 998L);
			assertThat(acquire(store, single)).containsExactly(3L);
			if (client == RunnerUnderTest.LETTUCE) {
				String target = String.valueOf(migration.target().command("CLUSTER", "MYID"));
				await().atMost(PATIENCE).untilAsserted(() -> {
					acquire(store, demand);
					assertThat(store.failureDomain(demand)).as("learned").isEqualTo(target);
				});
			}
		});
	}

	@ParameterizedTest
	@EnumSource
	void refundFollowsASlotThatMoves(RunnerUnderTest client) {
		RedisCluster cluster = ClusterUnderTest.cluster();
		onStore(client, cluster, PATIENCE, (store, demand) -> {
			StoreAnswer taken = store.acquire(demand);
			SlotMigration migration = beginMigration(cluster, demand);
			migration.move(ClusterUnderTest.name(demand, 1));
			CompletionStage<?> refund = store.correct(taken.refunds());
			assertThat(refund).isNotDone();
			migration.moveKeys();
			migration.end();
			assertThat(refund).succeedsWithin(PATIENCE);
			assertThat(acquire(store, demand.withCost(0))).containsExactly(500L, 1_000L);
		});
	}

	@Test
	void callThatAMovingSlotRefusesUntilItsTimeoutShowsNoOutage() {
		RedisCluster cluster = ClusterUnderTest.cluster();
		onStore(RunnerUnderTest.LETTUCE, cluster, Duration.ofSeconds(1), (store, demand) -> {
			acquire(store, demand);
			SlotMigration migration = beginMigration(cluster, demand);
			migration.move(ClusterUnderTest.name(demand, 0));
			CompletionStage<StoreException> refused = store.acquireAsync(demand)
				.handle((answer, failure) -> (StoreException) StageFailure.cause(failure));
			assertThat(refused).succeedsWithin(PATIENCE)
				.matches((failure) -> failure.reason().equals("tryagain"))
				.matches((failure) -> !failure.isOutage())
				.matches((failure) -> failure.remedy() == null);
			migration.moveKeys();
			migration.end();
		});
	}

	@ParameterizedTest
	@EnumSource
	void slotThatMovesUnderLoadCountsEveryCallOnce(RunnerUnderTest client) {
		RedisCluster cluster = ClusterUnderTest.cluster();
		onStore(client, cluster, PATIENCE, (store, demand) -> {
			List<Demand> demands = Stream
				.concat(Stream.of(demand), Stream.generate(() -> inSlotOf(demand)).limit(KEYS - 1))
				.toList();
			demands.forEach((known) -> acquire(store, known));
			AtomicInteger next = new AtomicInteger();
			try (ClusterLoad load = new ClusterLoad(store, THREADS, () -> demands.get(next.getAndIncrement() % KEYS))) {
				await().atMost(PATIENCE).until(() -> load.admitted() > 50);
				SlotMigration migration = beginMigration(cluster, demand);
				for (Demand moved : demands) {
					migration.move(ClusterUnderTest.name(moved, 0));
					calls(Duration.ofMillis(10));
					migration.move(ClusterUnderTest.name(moved, 1));
					calls(Duration.ofMillis(10));
				}
				migration.end();
				long then = load.answered();
				await().atMost(PATIENCE).until(() -> load.answered() > then + 50);
				load.end();
				long counted = demands.stream()
					.mapToLong((known) -> 500 - acquire(store, known.withCost(0)).get(0))
					.sum();
				assertThat(counted).isEqualTo(load.admitted() + KEYS);
				assertThat(load.unanswered()).isZero();
				logger.log(System.Logger.Level.INFO,
						"Slot with {0} keys of two limits moved under load with {1}: {2} calls, {3} unanswered, slowest {4} ms",
						KEYS, client, load.answered(), load.unanswered(), load.slowest().toMillis());
			}
		});
	}

	private static void calls(Duration time) {
		await().pollDelay(time).until(() -> true);
	}

	@Test
	void serversThatChangePlacesUnderLoadAdmitNoMoreThanMax() {
		RedisCluster cluster = ClusterUnderTest.cluster();
		onStore(cluster, Duration.ofMillis(200), (store, demand) -> {
			try (ClusterLoad load = new ClusterLoad(store, THREADS, () -> demand)) {
				await().atMost(PATIENCE).until(() -> load.admitted() > 50);
				RedisProcess replica = cluster.replicaOf(ClusterUnderTest.name(demand));
				cluster.failover(replica);
				await().atMost(PATIENCE).until(() -> load.denied() > 50);
				assertThat(load.admitted()).isLessThanOrEqualTo(500);
				logger.log(System.Logger.Level.INFO, "Manual failover under load: {0} admitted of 500, {1} unanswered",
						load.admitted(), load.unanswered());
				String master = String.valueOf(replica.command("CLUSTER", "MYID"));
				await().atMost(PATIENCE).until(() -> store.failureDomain(demand).equals(master));
			}
		});
	}

	@Test
	void replicaOfAKilledMasterTakesOver() {
		try (RedisCluster cluster = RedisCluster.start()) {
			RateLimitRule rule = RateLimitRule.named("failover")
				.limit(50_000, Duration.ofDays(1))
				.algorithm(Algorithm.FIXED_WINDOW)
				.build();
			Demand counted = new Demand(rule, AlgorithmOnStore.freshKey(), 1);
			onStore(cluster, PATIENCE, (patient, none) -> onStore(cluster, Duration.ofMillis(200), (store, ignored) -> {
				RedisProcess master = cluster.masterOf(ClusterUnderTest.name(counted));
				List<Demand> others = Stream.generate(() -> new Demand(rule, AlgorithmOnStore.freshKey(), 1))
					.filter((other) -> cluster.masterOf(ClusterUnderTest.name(other)) == master)
					.limit(3)
					.toList();
				acquire(patient, others.get(0));
				try (ClusterLoad load = new ClusterLoad(store, THREADS, () -> counted)) {
					await().atMost(PATIENCE).until(() -> load.admitted() > 500);
					RedisProcess replica = cluster.replicaOf(ClusterUnderTest.name(counted));
					master.freeze();
					List<CompletionStage<String>> inFlight = others.stream()
						.map((other) -> patient.acquireAsync(other)
							.handle((answer, failure) -> ((StoreException) StageFailure.cause(failure)).reason()))
						.toList();
					long killed = System.nanoTime();
					master.kill();
					assertThat(inFlight).as("given up with their connection")
						.allSatisfy((call) -> assertThat(call).succeedsWithin(PATIENCE.dividedBy(2))
							.isEqualTo("connection"));
					await().atMost(PATIENCE).until(() -> load.unanswered() > 0);
					long acknowledged = load.admitted();
					cluster.awaitHealthy();
					long healthy = System.nanoTime();
					assertThat(cluster.masterOf(ClusterUnderTest.name(counted))).isSameAs(replica);
					await().atMost(PATIENCE).until(() -> load.admitted() > acknowledged + 100);
					load.end();
					long used = 50_000 - acquire(store, new Demand(rule, counted.key().text(), 0)).get(0);
					long lost = load.admitted() - used;
					logger.log(System.Logger.Level.INFO,
							"Killed master: cluster well after {0} ms, last unanswered call after {1} ms, slowest call {2} ms; "
									+ "{3} admitted and not replicated of {4}",
							millis(healthy - killed), millis(load.lastUnanswered() - killed), load.slowest().toMillis(),
							Math.max(0, lost), acknowledged);
					assertThat(load.lastUnanswered() - healthy).isLessThan(Duration.ofSeconds(5).toNanos());
					assertThat(lost).as("written in the moment of the death").isLessThan(acknowledged / 10);
				}
			}));
		}
	}

	private static long millis(long nanoseconds) {
		return Duration.ofNanos(nanoseconds).toMillis();
	}

	private static SlotMigration beginMigration(RedisCluster cluster, Demand demand) {
		int slot = cluster.slotOf(ClusterUnderTest.name(demand));
		RedisProcess source = cluster.masterOf(slot);
		return cluster.beginMigration(slot,
				cluster.masters().stream().filter((master) -> master != source).findFirst().orElseThrow());
	}

	private static Demand inSlotOf(Demand demand) {
		while (true) {
			Demand other = new Demand(demand.rule(), AlgorithmOnStore.freshKey(), 1);
			if (slot(other).equals(slot(demand))) {
				return other;
			}
		}
	}

	private static Object slot(Demand demand) {
		return ScriptReach.HASH_SLOT.group(ClusterUnderTest.name(demand).getBytes());
	}

	private static List<Long> acquire(RedisRateLimitStore store, Demand demand) {
		return remaining(store.acquire(demand));
	}

	private static CompletionStage<List<Long>> acquireAsync(RedisRateLimitStore store, Demand demand) {
		return store.acquireAsync(demand).thenApply(RedisClusterMovesTests::remaining);
	}

	private static List<Long> remaining(StoreAnswer answer) {
		return answer.get(0).outcomes().stream().map(LimitOutcome::remaining).toList();
	}

	private static void onStore(RedisCluster cluster, Duration timeout, BiConsumer<RedisRateLimitStore, Demand> test) {
		onStore(RunnerUnderTest.LETTUCE, cluster, timeout, test);
	}

	private static void onStore(RunnerUnderTest client, RedisCluster cluster, Duration timeout,
			BiConsumer<RedisRateLimitStore, Demand> test) {
		RateLimitRule rule = RateLimitRule.named("rule")
			.limit(Limit.of(500, Duration.ofHours(12)).withName("half"))
			.limit(Limit.of(1_000, Duration.ofDays(1)).withName("day"))
			.algorithm(Algorithm.SLIDING_LOG)
			.build();
		RunnerUnderTest.withStore(client.connections(cluster), ClusterUnderTest.PREFIX, timeout, (store) -> {
			awaitStore().untilAsserted(store::connect);
			test.accept(store, new Demand(rule, AlgorithmOnStore.freshKey(), 1));
		});
	}

}
