package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Ban;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.concurrent.StageFailure;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.FallbackStore.Uncharged;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.local.LocalFallbackStore;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.tck.AlgorithmUnderTest;

import static io.github.ratelimit.BusyMachine.awaitStore;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Refunds in one script call, and charges: if one fails, because its key holds a list,
 * the others still succeed.
 */
class CorrectionsTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private static final int BROKEN = 50;

	@AutoClose
	private final RedisRateLimitStore store = new RedisRateLimitStore(RedisUnderTest.connections(), "corrections",
			PATIENCE);

	private final List<String> keys = IntStream.range(0, 100).mapToObj((i) -> AlgorithmOnStore.freshKey()).toList();

	@ParameterizedTest
	@EnumSource
	void chargesAreCountedBesideOneThatFails(AlgorithmUnderTest algorithm) {
		RateLimitRule rule = rule(algorithm.limit(10, Duration.ofDays(1)));
		List<Correction> charges = this.keys.stream().map((key) -> Correction.charge(rule, key, List.of(3L))).toList();
		breakKey(rule, this.keys.get(BROKEN), 0);
		assertThat(failures(this.store, charges)).containsOnlyKeys(charges.get(BROKEN))
			.allSatisfy((charge, failure) -> assertIsWrongType(failure));
		assertThat(others()).allSatisfy((key) -> assertThat(exists(rule, key, 0)).isTrue());
	}

	@ParameterizedTest
	@EnumSource
	void refundsAreDoneBesideOneThatFails(AlgorithmUnderTest algorithm) {
		RateLimitRule rule = rule(algorithm.limit(10, Duration.ofDays(1)));
		others().forEach((key) -> this.store.acquire(new Demand(rule, key, 3)));
		List<Correction> refunds = this.keys.stream()
			.map((key) -> Correction.refund(new Demand(rule, key, 3), Correction.NEWEST))
			.toList();
		List<Long> unused = others().stream().map((key) -> remaining(rule, key + " never used")).toList();
		breakKey(rule, this.keys.get(BROKEN), 0);
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> AlgorithmOnStore.correct(this.store, refunds))
			.satisfies(CorrectionsTests::assertIsWrongType);
		assertThat(others()).extracting((key) -> remaining(rule, key)).isEqualTo(unused);
	}

	@Test
	void longLogsAreChargedOnceBesideOneThatFails() {
		RateLimitRule rule = rule(log(1_000));
		LocalFallbackStore fallback = new LocalFallbackStore(1_000, 1);
		this.keys.forEach((key) -> fallback.acquire(new Demand(rule, key, 500)));
		others().forEach((key) -> this.store.acquire(new Demand(rule, key, 100)));
		String broken = this.keys.get(BROKEN);
		breakKey(rule, broken, 0);
		for (int i = 0; i < 3; i++) {
			assertThat(charge(fallback)).extracting((charge) -> charge.demand().key().text()).containsExactly(broken);
			assertThat(others()).allSatisfy((key) -> assertThat(remaining(rule, key)).isEqualTo(400));
		}
		this.store.reset(RuleCounts.of(rule), StoredKey.of(broken));
		assertThat(charge(fallback)).isEmpty();
		assertThat(remaining(rule, broken)).isEqualTo(500);
	}

	/**
	 * Charge the counts of the fallback.
	 * @return the charges that failed
	 */
	private Set<Correction> charge(LocalFallbackStore fallback) {
		Map<Correction, Uncharged> charges = new LinkedHashMap<>();
		fallback.uncharged().forEach((uncharged) -> charges.put(Objects.requireNonNull(uncharged.begin()), uncharged));
		Set<Correction> failed = failures(this.store, charges.keySet()).keySet();
		charges.forEach((charge, uncharged) -> {
			if (failed.contains(charge)) {
				uncharged.failed();
			}
			else {
				uncharged.succeeded(new long[] { charge.charged().get(0) });
			}
		});
		return failed;
	}

	/**
	 * Charge units, all at once.
	 * @return the failures
	 */
	private static Map<Correction, Throwable> failures(RedisRateLimitStore store, Collection<Correction> charges) {
		Map<Correction, Throwable> failures = new ConcurrentHashMap<>();
		CompletableFuture<?>[] ends = charges.stream()
			.map((charge) -> store.correct(List.of(charge)).toCompletableFuture().handle((done, failure) -> {
				if (failure != null) {
					failures.put(charge, StageFailure.cause(failure));
				}
				return done;
			}))
			.toArray(CompletableFuture<?>[]::new);
		CompletableFuture.allOf(ends).join();
		return failures;
	}

	static Stream<RateLimitRule> rulesWithMoreThanCounts() {
		return Stream
			.of(RateLimitRule.named("banning")
				.limit(log(10))
				.ban(new Ban(5, Duration.ofMinutes(1), Duration.ofMinutes(1))),
					RateLimitRule.named("prefetching").limit(log(10)).prefetch(Duration.ofMillis(20)),
					RateLimitRule.named("running")
						.limit(log(10).withName("rate"))
						.limit(Limit.builder().name("run").max(10).algorithm(Algorithm.CONCURRENCY).build()))
			.map(RateLimitRule.Builder::build);
	}

	@ParameterizedTest
	@MethodSource("rulesWithMoreThanCounts")
	void keyThatIsChargedLeavesTheFallback(RateLimitRule rule) {
		LocalFallbackStore fallback = new LocalFallbackStore(1_000, 1);
		List<String> charged = this.keys.subList(0, 2);
		charged.forEach((key) -> fallback.acquire(new Demand(rule, key, 3)));
		List<Uncharged> journal = List.copyOf(fallback.uncharged());
		List<Correction> charges = journal.stream().map(Uncharged::begin).toList();
		List<long[]> counted = this.store.correct(charges).toCompletableFuture().join();
		IntStream.range(0, 2).forEach((i) -> journal.get(i).succeeded(counted.get(i)));
		assertThat(fallback.uncharged()).isEmpty();
		assertThat(charged).allSatisfy((key) -> assertThat(remaining(rule, key)).isEqualTo(7));
	}

	/**
	 * A repeated charge would count twice.
	 */
	@ParameterizedTest
	@EnumSource
	void chargeWhoseReplyIsLateIsCountedOnce(RunnerUnderTest kind) {
		RateLimitRule rule = rule(log(10));
		try (RedisProcess redis = RedisProcess.start()) {
			RunnerUnderTest.withStore(kind.connections(redis), "corrections", Duration.ofMillis(200), (slow) -> {
				awaitStore().untilAsserted(slow::connect);
				redis.freeze();
				CompletableFuture<?> charged = slow.correct(List.of(Correction.charge(rule, "late", List.of(3L))))
					.toCompletableFuture();
				assertThatExceptionOfType(StoreException.class)
					.isThrownBy(() -> slow.acquire(new Demand(rule, "other", 1)));
				assertThat(charged).isNotDone();
				redis.resume();
				assertThat(charged).succeedsWithin(PATIENCE);
				awaitStore().untilAsserted(
						() -> assertThat(slow.peek(new Demand(rule, "late", 1)).outcomes().get(0).remaining())
							.isEqualTo(7));
			});
		}
	}

	@Test
	void callOfWhichOneCountFailsChangesNothing() {
		RateLimitRule rule = RateLimitRule.named("rule")
			.limit(log(1_000).withName("log"))
			.limit(AlgorithmUnderTest.TOKEN_BUCKET.limit(1_000, Duration.ofDays(1)).withName("bucket"))
			.build();
		String key = this.keys.get(0);
		this.store.acquire(new Demand(rule, key, 200));
		breakKey(rule, key, 1);
		assertThat(failures(this.store, List.of(Correction.charge(rule, key, List.of(300L, 300L))))).hasSize(1);
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> AlgorithmOnStore.correct(this.store,
				List.of(Correction.refund(new Demand(rule, key, 100), Correction.NEWEST))));
		command("DEL", name(rule, key, 1));
		assertThat(this.store.peek(new Demand(rule, key, 1)).outcomes().get(0).remaining()).isEqualTo(800);
	}

	@Test
	void lookAtAKeyOfAnotherTypeFails() {
		RateLimitRule rule = rule(log(10));
		breakKey(rule, this.keys.get(0), 0);
		assertThatExceptionOfType(StoreException.class)
			.isThrownBy(() -> this.store.peek(new Demand(rule, this.keys.get(0), 1)))
			.satisfies(CorrectionsTests::assertIsWrongType);
	}

	@Test
	void whenRedisDoesNotAnswerAllChargesFail() {
		RateLimitRule rule = rule(log(10));
		List<Correction> charges = this.keys.stream().map((key) -> Correction.charge(rule, key, List.of(3L))).toList();
		try (RedisProcess redis = RedisProcess.start()) {
			RunnerUnderTest.withStore(RedisUnderTest.connectionsTo(redis), "test", Duration.ofMillis(100), (silent) -> {
				awaitStore().untilAsserted(silent::connect);
				redis.freeze();
				assertThat(failures(silent, charges)).hasSameSizeAs(charges)
					.allSatisfy((charge, failure) -> assertThat(((StoreException) failure).isOutage()).isTrue());
				redis.resume();
			});
		}
	}

	@ParameterizedTest
	@EnumSource
	void chargesOfAClusterAreCountedBesideOneThatFails(RunnerUnderTest kind) {
		RateLimitRule rule = rule(log(10));
		List<Correction> charges = this.keys.stream()
			.limit(20)
			.map((key) -> Correction.charge(rule, key, List.of(3L)))
			.toList();
		Correction broken = charges.get(7);
		Demand demand = broken.demand().withCost(0);
		RedisProcess owner = ClusterUnderTest.masterOf(demand);
		owner.command("LPUSH", ClusterUnderTest.name(demand), "not a string");
		RedisConnectionFactory connections = kind.connections(ClusterUnderTest.cluster());
		try (RedisRateLimitStore cluster = new RedisRateLimitStore(connections, ClusterUnderTest.PREFIX, PATIENCE)) {
			assertThat(failures(cluster, charges)).containsOnlyKeys(broken)
				.allSatisfy((charge, failure) -> assertIsWrongType(failure));
			List<Correction> others = new ArrayList<>(charges);
			others.remove(broken);
			assertThat(others).allSatisfy(
					(charge) -> assertThat(cluster.peek(charge.demand().withCost(1)).outcomes().get(0).remaining())
						.isEqualTo(7));
		}
		finally {
			RunnerUnderTest.destroy(connections);
			owner.command("DEL", ClusterUnderTest.name(demand));
		}
	}

	private static void assertIsWrongType(Throwable failure) {
		assertThat(failure).isInstanceOfSatisfying(StoreException.class, (known) -> {
			assertThat(known.reason()).isEqualTo("wrongtype");
			assertThat(known.isOutage()).isFalse();
			assertThat(known.remedy()).contains("ratelimit.key-prefix");
		});
	}

	private List<String> others() {
		return Stream.concat(this.keys.stream().limit(BROKEN), this.keys.stream().skip(BROKEN + 1)).toList();
	}

	private long remaining(RateLimitRule rule, String key) {
		return this.store.peek(new Demand(rule, key, 1)).outcomes().get(0).remaining();
	}

	private void breakKey(RateLimitRule rule, String key, int count) {
		command("DEL", name(rule, key, count));
		command("LPUSH", name(rule, key, count), "not a string");
	}

	private boolean exists(RateLimitRule rule, String key, int count) {
		return command("EXISTS", name(rule, key, count)).equals(1L);
	}

	private static String name(RateLimitRule rule, String key, int count) {
		return new String(
				RedisUnderTest.keys("corrections").counters(RuleCounts.of(rule)).of(StoredKey.of(key))[count]);
	}

	private static Object command(String... words) {
		return RedisUnderTest.process().command(words);
	}

	private static Limit log(long max) {
		return Limit.of(max, Duration.ofDays(1)).withAlgorithm(Algorithm.SLIDING_LOG);
	}

	private static RateLimitRule rule(Limit limit) {
		return RateLimitRule.named("rule").limit(limit).build();
	}

}
