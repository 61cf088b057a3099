package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.context.SmartLifecycle;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Ban;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.store.BannedKey;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.tck.AlgorithmUnderTest;
import io.github.ratelimit.store.tck.StoreUnderTest;

import static io.github.ratelimit.BusyMachine.awaitStore;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Decisions on a cluster in good health.
 */
class RedisClusterTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	@ParameterizedTest
	@EnumSource
	void everyAlgorithmCountsOnEveryServer(RunnerUnderTest kind) {
		onStore(kind, (store) -> {
			for (AlgorithmUnderTest algorithm : AlgorithmUnderTest.values()) {
				RateLimitRule rule = RateLimitRule.named("rule").limit(algorithm.limit(3, Duration.ofDays(1))).build();
				for (RedisProcess master : ClusterUnderTest.cluster().masters()) {
					Demand demand = ClusterUnderTest.demand(rule, (owner) -> owner == master);
					long admitted = IntStream.range(0, 5).filter((i) -> admits(store, Demands.of(demand))).count();
					assertThat(admitted).as("%s", algorithm).isBetween(1L, 3L);
					assertThat(master.command("EXISTS", ClusterUnderTest.name(demand))).isEqualTo(1L);
					store.reset(demand.counts(), demand.key());
					assertThat(master.command("EXISTS", ClusterUnderTest.name(demand))).isEqualTo(0L);
				}
			}
		});
	}

	@ParameterizedTest
	@EnumSource
	void everyServerIsTaughtTheScript(RunnerUnderTest kind) {
		onStore(kind, (store) -> {
			for (RedisProcess master : ClusterUnderTest.cluster().masters()) {
				Demand demand = ClusterUnderTest.demand(rule("rule", 5), (owner) -> owner == master);
				master.command("SCRIPT", "FLUSH");
				assertThat(remaining(store, demand)).containsExactly(4L);
				assertThat(remaining(store, demand)).containsExactly(3L);
			}
		});
	}

	@Test
	void allLimitsOfARuleAndKeyShareASlot() {
		RateLimitRule rule = severalLimits();
		for (int i = 0; i < 100; i++) {
			Demand demand = new Demand(rule, AlgorithmOnStore.freshKey(), 1);
			assertThat(ClusterUnderTest.cluster().slotOf(ClusterUnderTest.name(demand, 0)))
				.isEqualTo(ClusterUnderTest.cluster().slotOf(ClusterUnderTest.name(demand, 1)))
				.isEqualTo(ScriptReach.HASH_SLOT.group(ClusterUnderTest.name(demand, 0).getBytes()));
		}
	}

	@ParameterizedTest
	@EnumSource
	void severalLimitsAreOneScriptCall(RunnerUnderTest kind) {
		onStore(kind, (store) -> {
			Demand demand = new Demand(severalLimits(), AlgorithmOnStore.freshKey(), 1);
			assertThat(remaining(store, demand)).containsExactly(1L, 9L);
			assertThat(remaining(store, demand)).containsExactly(0L, 8L);
			assertThat(admits(store, Demands.of(demand))).isFalse();
			assertThat(remaining(store, peek(demand))).containsExactly(0L, 8L);
		});
	}

	@ParameterizedTest
	@EnumSource
	void rulesOnSeveralServersAreDecidedTogether(RunnerUnderTest kind) {
		onStore(kind, (store) -> {
			Demands demands = onAllServers(5, 4, 2);
			assertThat(StoreUnderTest.outcomes(store.acquire(demands))).extracting(LimitOutcome::remaining)
				.containsExactly(4L, 3L, 1L);
			assertThat(StoreUnderTest.outcomes(join(store, demands))).extracting(LimitOutcome::remaining)
				.containsExactly(3L, 2L, 0L);
			for (StoreAnswer denied : List.of(store.acquire(demands), join(store, demands))) {
				assertThat(denied.isAdmitted()).isFalse();
				assertThat(StoreUnderTest.outcomes(denied)).extracting(LimitOutcome::remaining)
					.containsExactly(3L, 2L, 0L);
				assertThat(StoreUnderTest.outcomes(denied)).extracting(LimitOutcome::admitted)
					.containsExactly(true, true, false);
			}
			assertThat(demands.asList()).extracting((demand) -> remaining(store, peek(demand)).get(0))
				.containsExactly(3L, 2L, 0L);
		});
	}

	@ParameterizedTest
	@EnumSource
	void unitsOnSeveralServersAreRefundedAtTheTimeOfEachServer(RunnerUnderTest kind) {
		onStore(kind, (store) -> {
			Demands demands = onAllServers(5, 4, 2);
			StoreAnswer answer = store.acquire(demands);
			assertThat(IntStream.range(0, 3).mapToLong((i) -> answer.get(i).time())).isSorted();
			List<Correction> taken = answer.refunds();
			AlgorithmOnStore.correct(store, taken);
			assertThat(demands.asList()).extracting((demand) -> remaining(store, peek(demand)).get(0))
				.containsExactly(5L, 4L, 2L);
			store.correct(store.acquire(demands).refunds()).toCompletableFuture().join();
			assertThat(demands.asList()).extracting((demand) -> remaining(store, peek(demand)).get(0))
				.containsExactly(5L, 4L, 2L);
		});
	}

	@ParameterizedTest
	@EnumSource
	void ruleThatFailsRefundsTheRulesBeforeIt(RunnerUnderTest kind) {
		onStore(kind, (store) -> {
			Demands demands = onAllServers(5, 4, 2);
			Demand last = demands.get(2);
			ClusterUnderTest.masterOf(last).command("LPUSH", ClusterUnderTest.name(last), "not a string");
			assertThatExceptionOfType(StoreException.class).isThrownBy(() -> store.acquire(demands))
				.withMessageContaining("WRONGTYPE")
				.matches((failure) -> failure.concerns(store.failureDomain(last)))
				.matches((failure) -> !failure.concerns(store.failureDomain(demands.get(0))));
			assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> join(store, demands))
				.withCauseInstanceOf(StoreException.class);
			await().untilAsserted(() -> assertThat(demands.asList().subList(0, 2))
				.extracting((demand) -> remaining(store, peek(demand)).get(0))
				.containsExactly(5L, 4L));
		});
	}

	@ParameterizedTest
	@EnumSource
	void bansOfKeysOnEveryServerAreListedTogether(RunnerUnderTest kind) {
		RateLimitRule rule = RateLimitRule.named(AlgorithmOnStore.freshKey())
			.limit(1, Duration.ofDays(1))
			.algorithm(Algorithm.SLIDING_LOG)
			.ban(new Ban(1, Duration.ofMinutes(1), Duration.ofHours(1)))
			.build();
		onStore(kind, (store) -> {
			List<String> keys = new ArrayList<>();
			for (RedisProcess master : ClusterUnderTest.cluster().masters()) {
				Demand demand = ClusterUnderTest.demand(rule, (owner) -> owner == master);
				keys.add(demand.key().text());
				store.acquire(demand);
				assertThat(store.acquire(demand).violated()).containsExactly(rule.name(), rule.nameOfBan());
				assertThat(store.acquire(demand).violated()).containsExactly(rule.nameOfBan());
			}
			RuleCounts counts = RuleCounts.of(rule);
			await().untilAsserted(() -> assertThat(store.bans(counts)).extracting(BannedKey::key)
				.containsExactlyInAnyOrderElementsOf(keys));
			store.reset(counts, StoredKey.of(keys.get(1)));
			keys.remove(1);
			await().untilAsserted(() -> assertThat(store.bans(counts)).extracting(BannedKey::key)
				.containsExactlyInAnyOrderElementsOf(keys));
		});
	}

	@ParameterizedTest
	@EnumSource
	void banOnOneServerDeniesACallOverSeveral(RunnerUnderTest kind) {
		onStore(kind, (store) -> {
			List<RedisProcess> masters = ClusterUnderTest.cluster().masters();
			Demand first = ClusterUnderTest.demand(rule("first", 5), (owner) -> owner == masters.get(0));
			RateLimitRule banning = RateLimitRule.named("banning")
				.limit(1, Duration.ofDays(1))
				.algorithm(Algorithm.SLIDING_LOG)
				.ban(new Ban(1, Duration.ofMinutes(1), Duration.ofHours(1)))
				.build();
			Demand second = ClusterUnderTest.demand(banning, (owner) -> owner == masters.get(1));
			Demands both = Demands.of(first, second);
			assertThat(admits(store, both)).isTrue();
			assertThat(store.acquire(both).violated()).containsExactly("banning", "banning-ban");
			assertThat(store.acquire(both).violated()).containsExactly("banning-ban");
			assertThat(store.acquire(Demands.of(second, first)).violated()).containsExactly("banning-ban");
			assertThat(remaining(store, peek(first))).containsExactly(4L);
		});
	}

	@ParameterizedTest
	@EnumSource
	void callsAreCountedAgainAfterTheApplicationHasRestartedItsConnections(RunnerUnderTest kind) {
		RedisConnectionFactory connections = kind.connections(ClusterUnderTest.cluster());
		RunnerUnderTest.withStore(connections, ClusterUnderTest.PREFIX, PATIENCE, (store) -> {
			awaitStore().untilAsserted(store::connect);
			List<Demand> demands = onAllServers(5, 5, 5).asList();
			demands.forEach((demand) -> assertThat(remaining(store, demand)).containsExactly(4L));
			((SmartLifecycle) connections).stop();
			((SmartLifecycle) connections).start();
			await().atMost(PATIENCE)
				.until(() -> store.probe(demands.get(0))
					.handle((done, failure) -> failure == null)
					.toCompletableFuture()
					.join());
			demands.forEach((demand) -> assertThat(remaining(store, demand)).containsExactly(3L));
		});
	}

	private static Demands onAllServers(long... max) {
		List<RedisProcess> masters = ClusterUnderTest.cluster().masters();
		List<Demand> demands = new ArrayList<>();
		for (int i = 0; i < max.length; i++) {
			RedisProcess master = masters.get(i);
			demands.add(ClusterUnderTest.demand(rule("rule-" + i, max[i]), (owner) -> owner == master));
		}
		return Demands.of(demands);
	}

	private static RateLimitRule rule(String name, long max) {
		return RateLimitRule.named(name).limit(max, Duration.ofDays(1)).algorithm(Algorithm.SLIDING_LOG).build();
	}

	private static RateLimitRule severalLimits() {
		return RateLimitRule.named("several")
			.limit(Limit.of(2, Duration.ofHours(1)).withName("hour"))
			.limit(Limit.of(10, Duration.ofDays(1)).withName("day"))
			.algorithm(Algorithm.SLIDING_LOG)
			.build();
	}

	private static boolean admits(RedisRateLimitStore store, Demands demands) {
		return store.acquire(demands).isAdmitted();
	}

	private static List<Long> remaining(RedisRateLimitStore store, Demand demand) {
		return store.acquire(demand).get(0).outcomes().stream().map(LimitOutcome::remaining).toList();
	}

	private static Demand peek(Demand demand) {
		return demand.withCost(0);
	}

	private static StoreAnswer join(RedisRateLimitStore store, Demands demands) {
		return store.acquireAsync(demands).toCompletableFuture().join();
	}

	static void onStore(RunnerUnderTest kind, Consumer<RedisRateLimitStore> test) {
		RedisConnectionFactory connections = kind.connections(ClusterUnderTest.cluster());
		RunnerUnderTest.withStore(connections, ClusterUnderTest.PREFIX, PATIENCE, (store) -> {
			awaitStore().untilAsserted(store::connect);
			test.accept(store);
		});
	}

}
