package io.github.ratelimit.store.redis;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Ban;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.tck.AlgorithmOnStore;

import static io.github.ratelimit.BusyMachine.awaitStore;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Concurrent calls by a client for a single server, whatever it is connected to.
 */
class TopologyTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private static final int KEYS = 40;

	private static final int CALLS = 40;

	private static final int MAX = 5;

	static Stream<Arguments> topologies() {
		return Stream.of(TopologyUnderTest.values())
			.flatMap((topology) -> Stream.of(RunnerUnderTest.values()).map((client) -> Arguments.of(topology, client)));
	}

	@ParameterizedTest
	@MethodSource("topologies")
	void exactlyMaxConcurrentCallsOfEachKeyAreAdmitted(TopologyUnderTest topology, RunnerUnderTest client)
			throws IOException {
		try (TopologyUnderTest.Endpoint redis = topology.start()) {
			assertThat(admitted(redis, client, RedisSharding.AUTO, (key) -> new Demand(rule("one", MAX), key, 1)))
				.hasSize(KEYS)
				.allSatisfy((key, admitted) -> assertThat(admitted).hasValue(MAX));
		}
	}

	@ParameterizedTest
	@MethodSource("topologies")
	void exactlyMaxConcurrentCallsOfSeveralRulesAreAdmitted(TopologyUnderTest topology, RunnerUnderTest client)
			throws IOException {
		try (TopologyUnderTest.Endpoint redis = topology.start()) {
			assertThat(admitted(redis, client, RedisSharding.AUTO, TopologyTests::severalRules)).hasSize(KEYS)
				.allSatisfy((key, admitted) -> assertThat(admitted).hasValue(MAX));
		}
	}

	@ParameterizedTest
	@EnumSource
	void refusedCallsShowThatAServerHasBecomeACluster(RunnerUnderTest client) throws IOException {
		try (TopologyUnderTest.Endpoint redis = TopologyUnderTest.CLUSTER_OF_ONE_NODE.start()) {
			assertThat(admitted(redis, client, RedisSharding.NONE, TopologyTests::severalRules)).hasSize(KEYS)
				.allSatisfy((key, admitted) -> assertThat(admitted).hasValue(MAX));
		}
	}

	@ParameterizedTest
	@MethodSource("topologies")
	void everyScriptReachesWhatCallsHaveCounted(TopologyUnderTest topology, RunnerUnderTest client) throws IOException {
		onStore(topology, client, RedisSharding.AUTO, TopologyTests::assertCorrectionsCount);
	}

	@ParameterizedTest
	@EnumSource
	void correctionsThatAClusterRefusesAreMadeSlotBySlot(RunnerUnderTest client) throws IOException {
		onStore(TopologyUnderTest.CLUSTER_OF_ONE_NODE, client, RedisSharding.NONE,
				TopologyTests::assertCorrectionsCount);
	}

	private static void assertCorrectionsCount(RedisRateLimitStore store) {
		RateLimitRule rule = RateLimitRule.named("settled")
			.limit(Limit.of(100, Duration.ofDays(1)).withAlgorithm(Algorithm.FIXED_WINDOW))
			.ban(new Ban(1, Duration.ofMinutes(1), Duration.ofHours(1)))
			.build();
		List<Demand> demands = keys().map((key) -> new Demand(rule, key, 10)).toList();
		List<Correction> charges = keys().map((key) -> Correction.charge(rule, key, List.of(30L))).toList();
		charges.forEach((charge) -> store.correct(List.of(charge)).toCompletableFuture().join());
		assertThat(demands).allSatisfy((demand) -> assertThat(remaining(store, demand)).isEqualTo(70));
		List<Correction> taken = demands.stream()
			.flatMap((demand) -> store.acquire(demand).refunds().stream())
			.toList();
		assertThat(demands).allSatisfy((demand) -> assertThat(remaining(store, demand)).isEqualTo(60));
		AlgorithmOnStore.correct(store, taken);
		assertThat(demands).allSatisfy((demand) -> assertThat(remaining(store, demand)).isEqualTo(70));
		AlgorithmOnStore.correct(store,
				taken.stream()
					.map((refund) -> AlgorithmOnStore.debt(refund.demand(), refund.countedAt(), false))
					.toList());
		assertThat(demands).allSatisfy((demand) -> assertThat(remaining(store, demand)).isEqualTo(60));
		demands.forEach((demand) -> assertThat(store.acquire(demand.withCost(61)).isAdmitted()).isFalse());
		await().untilAsserted(() -> assertThat(store.bans(RuleCounts.of(rule))).hasSize(KEYS));
		demands.forEach((demand) -> store.reset(demand.counts(), demand.key()));
		assertThat(demands).allSatisfy((demand) -> assertThat(remaining(store, demand)).isEqualTo(100));
		await().untilAsserted(() -> assertThat(store.bans(RuleCounts.of(rule))).isEmpty());
		assertThat(demands)
			.allSatisfy((demand) -> assertThat(store.probe(demand).toCompletableFuture()).succeedsWithin(PATIENCE));
		RedisKeyOverridesTests.assertKeeps(store.overrides(RedisUnderTest.connections()));
	}

	@ParameterizedTest
	@MethodSource("topologies")
	void slotsOfAllKeysAreHeldAsLongAsTheirInstanceLives(TopologyUnderTest topology, RunnerUnderTest client)
			throws IOException {
		assertSlotsAreHeld(topology, client, RedisSharding.AUTO);
	}

	@ParameterizedTest
	@EnumSource
	void slotsAreHeldWhenAServerHasBecomeACluster(RunnerUnderTest client) throws IOException {
		assertSlotsAreHeld(TopologyUnderTest.CLUSTER_OF_ONE_NODE, client, RedisSharding.NONE);
	}

	private static void assertSlotsAreHeld(TopologyUnderTest topology, RunnerUnderTest client, RedisSharding sharding)
			throws IOException {
		RateLimitRule rule = SharedSlots.rule(3);
		SlotInstance.SlotClock clock = new SlotInstance.SlotClock();
		String prefix = "topology-" + UUID.randomUUID();
		try (TopologyUnderTest.Endpoint redis = topology.start()) {
			RedisConnectionFactory connections = redis.connections(client);
			SlotInstance one = new SlotInstance(clock, prefix, ScriptRunnerFactory.over(connections, PATIENCE),
					sharding);
			SlotInstance other = new SlotInstance(clock, prefix, ScriptRunnerFactory.over(connections, PATIENCE),
					sharding);
			List<String> keys = keys().limit(10).toList();
			keys.forEach((key) -> {
				assertThat(one.begin(rule, key)).isNotNull();
				assertThat(other.begin(rule, key)).isNotNull();
			});
			clock.advance(SharedSlots.LEASE.multipliedBy(3));
			assertThat(keys).allSatisfy((key) -> assertThat(one.beginAll(rule, key)).as(key).hasSize(1));
			other.freeze();
			clock.advance(SharedSlots.LEASE.multipliedBy(3));
			assertThat(keys).allSatisfy((key) -> assertThat(one.beginAll(rule, key)).as(key).hasSize(1));
			one.close();
			other.close();
			RunnerUnderTest.destroy(connections);
		}
	}

	private static Stream<String> keys() {
		return IntStream.range(0, KEYS).mapToObj((i) -> "key-" + i);
	}

	private static long remaining(RedisRateLimitStore store, Demand demand) {
		return store.peek(demand.withCost(0)).outcome(0).remaining();
	}

	private static Demands severalRules(String key) {
		return Demands.of(List.of(new Demand(rule("first", 2 * CALLS), key, 1),
				new Demand(rule("all", KEYS * CALLS), "all", 1), new Demand(rule("last", MAX), key, 1)));
	}

	private static void onStore(TopologyUnderTest topology, RunnerUnderTest client, RedisSharding sharding,
			Consumer<RedisRateLimitStore> test) throws IOException {
		try (TopologyUnderTest.Endpoint redis = topology.start()) {
			onStore(redis, client, sharding, test);
		}
	}

	private static void onStore(TopologyUnderTest.Endpoint redis, RunnerUnderTest client, RedisSharding sharding,
			Consumer<RedisRateLimitStore> test) {
		RedisConnectionFactory connections = redis.connections(client);
		try (RedisRateLimitStore store = new RedisRateLimitStore(connections, "topology-" + UUID.randomUUID(), PATIENCE,
				true, KEYS * CALLS, sharding)) {
			awaitStore().untilAsserted(store::connect);
			test.accept(store);
		}
		finally {
			RunnerUnderTest.destroy(connections);
		}
	}

	private static Map<String, AtomicInteger> admitted(TopologyUnderTest.Endpoint redis, RunnerUnderTest client,
			RedisSharding sharding, Call call) {
		Map<String, AtomicInteger> admitted = new ConcurrentHashMap<>();
		ExecutorService threads = Executors.newFixedThreadPool(32);
		try {
			onStore(redis, client, sharding,
					(store) -> CompletableFuture.allOf(IntStream.range(0, KEYS * CALLS)
						.mapToObj((i) -> "key-" + i % KEYS)
						.map((key) -> CompletableFuture.runAsync(() -> {
							if (store.acquire(call.of(key)).isAdmitted()) {
								admitted.computeIfAbsent(key, (unknown) -> new AtomicInteger()).incrementAndGet();
							}
						}, threads))
						.toArray(CompletableFuture[]::new)).join());
			return new TreeMap<>(admitted);
		}
		finally {
			threads.shutdownNow();
		}
	}

	private static RateLimitRule rule(String name, long max) {
		return RateLimitRule.named(name).limit(max, Duration.ofDays(1)).algorithm(Algorithm.SLIDING_LOG).build();
	}

	/**
	 * Demands of a call of a key.
	 */
	private interface Call {

		Demands of(String key);

	}

}
