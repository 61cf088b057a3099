package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;

import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.redis.process.RedisCluster;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.redis.process.SlotMigration;
import io.github.ratelimit.store.AlgorithmOnStore;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.StoreException;

import static io.github.ratelimit.BusyMachine.awaitStore;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Slots that move to another server, and servers that fail, while calls are counted.
 */
class RedisClusterMovesTests {

	private static final System.Logger logger = System.getLogger(RedisClusterMovesTests.class.getName());

	private static final int THREADS = 4;

	private static final RateLimitRule SINGLE = RateLimitRule.named("rule")
		.limit(5, Duration.ofDays(1))
		.algorithm(Algorithm.TOKEN_BUCKET)
		.build();

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	@Test
	void callsFollowASlotThatMoves() {
		RedisCluster cluster = ClusterUnderTest.cluster();
		onStore(cluster, Duration.ofSeconds(5), (store, demand) -> {
			assertThat(acquire(store, demand)).containsExactly(499L, 999L);
			SlotMigration migration = beginMigration(cluster, demand);
			assertThat(acquire(store, demand)).as("all still there").containsExactly(498L, 998L);
			migration.move(ClusterUnderTest.name(demand, 0));
			assertThatExceptionOfType(StoreException.class).isThrownBy(() -> acquire(store, demand))
				.matches((failure) -> failure.reason().equals("tryagain"))
				.matches((failure) -> !failure.isOutage())
				.matches((failure) -> failure.remedy() == null);
			migration.move(ClusterUnderTest.name(demand, 1));
			migration.target().command("SCRIPT", "FLUSH");
			assertThat(acquire(store, demand)).as("ASK, and unknown there").containsExactly(497L, 997L);
			assertThat(acquire(store, demand)).as("ASK").containsExactly(496L, 996L);
			Demand unused = inSlotOf(demand);
			assertThatExceptionOfType(StoreException.class).as("several new keys")
				.isThrownBy(() -> acquire(store, unused))
				.matches((failure) -> failure.reason().equals("tryagain"));
			Demand single = new Demand(SINGLE, unused.key().text(), 1);
			assertThat(acquire(store, single)).as("ASK for one that is new").containsExactly(4L);
			migration.moveKeys();
			migration.end();
			assertThat(acquire(store, demand)).as("MOVED").containsExactly(495L, 995L);
			assertThat(acquire(store, unused)).containsExactly(499L, 999L);
			assertThat(acquire(store, single)).containsExactly(3L);
			String target = String.valueOf(migration.target().command("CLUSTER", "MYID"));
			await().atMost(PATIENCE).untilAsserted(() -> {
				acquire(store, demand);
				assertThat(store.failureDomain(demand)).as("learned").isEqualTo(target);
			});
		});
	}

	@Test
	void slotThatMovesUnderLoadAdmitsNoMoreThanMax() {
		RedisCluster cluster = ClusterUnderTest.cluster();
		onStore(cluster, Duration.ofSeconds(1), (store, demand) -> {
			try (ClusterLoad load = new ClusterLoad(store, THREADS, () -> demand)) {
				await().atMost(PATIENCE).until(() -> load.admitted() > 50);
				SlotMigration migration = beginMigration(cluster, demand);
				migration.move(ClusterUnderTest.name(demand, 0));
				await().atMost(PATIENCE).until(() -> load.unanswered() > 5);
				migration.moveKeys();
				migration.end();
				await().atMost(PATIENCE).until(() -> load.denied() > 50);
				assertThat(load.admitted()).isLessThanOrEqualTo(500);
				logger.log(System.Logger.Level.INFO, "Slot moved under load: {0} admitted of 500, {1} unanswered",
						load.admitted(), load.unanswered());
			}
		});
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
			onStore(cluster, Duration.ofMillis(200), (store, ignored) -> {
				try (ClusterLoad load = new ClusterLoad(store, THREADS, () -> counted)) {
					await().atMost(PATIENCE).until(() -> load.admitted() > 500);
					RedisProcess replica = cluster.replicaOf(ClusterUnderTest.name(counted));
					long killed = System.nanoTime();
					cluster.killMasterOf(ClusterUnderTest.name(counted));
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
			});
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
		CounterNames names = new RedisKeys(ClusterUnderTest.PREFIX).counters(demand.counts());
		while (true) {
			Demand other = new Demand(demand.rule(), AlgorithmOnStore.freshKey(), 1);
			if (names.slot(other.key()) == names.slot(demand.key())) {
				return other;
			}
		}
	}

	private static List<Long> acquire(RedisRateLimitStore store, Demand demand) {
		return store.acquire(demand).get(0).outcomes().stream().map(LimitOutcome::remaining).toList();
	}

	private static void onStore(RedisCluster cluster, Duration timeout, BiConsumer<RedisRateLimitStore, Demand> test) {
		RateLimitRule rule = RateLimitRule.named("rule")
			.limit(Limit.of(500, Duration.ofHours(12)).withName("half"))
			.limit(Limit.of(1_000, Duration.ofDays(1)).withName("day"))
			.algorithm(Algorithm.SLIDING_LOG)
			.build();
		RedisConnectionFactory connections = RunnerUnderTest.LETTUCE.connections(cluster);
		try (RedisRateLimitStore store = new RedisRateLimitStore(connections, ClusterUnderTest.PREFIX, timeout)) {
			awaitStore().untilAsserted(store::connect);
			test.accept(store, new Demand(rule, AlgorithmOnStore.freshKey(), 1));
		}
		finally {
			RunnerUnderTest.destroy(connections);
		}
	}

}
