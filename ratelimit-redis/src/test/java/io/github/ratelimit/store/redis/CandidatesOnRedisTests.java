package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.github.ratelimit.engine.Engines;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.lettuce.core.RedisCommandExecutionException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.CandidateFigures.Sum;
import io.github.ratelimit.engine.RuleLimiter;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.FigureStore;
import io.github.ratelimit.store.FigureStore.Added;
import io.github.ratelimit.store.FigureStore.Figures;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

/**
 * Candidates in Redis: their keys, the script call that decides them, and figures of two
 * instances.
 */
class CandidatesOnRedisTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	private final String prefix = "candidates-" + UUID.randomUUID();

	@AutoClose
	private final RedisRateLimitStore first = store(RedisUnderTest.connections());

	@AutoClose
	private final RedisRateLimitStore second = store(RedisUnderTest.otherConnections());

	private final RateLimitRule rule = RateLimitRule.named("reply")
		.limit(5, HOUR)
		.algorithm(Algorithm.TOKEN_BUCKET)
		.candidate("tight", Limit.of(2, HOUR))
		.candidate("log", Limit.of(3, HOUR).withAlgorithm(Algorithm.SLIDING_LOG))
		.build();

	private RedisRateLimitStore store(RedisConnectionFactory connections) {
		RedisRateLimitStore store = new RedisRateLimitStore(connections, this.prefix, TIMEOUT);
		store.connect();
		return store;
	}

	@Test
	void keysOfCandidatesAreInTheSlotOfTheRule() {
		this.first.acquire(new Demand(RuleCounts.of(this.rule), "ann", 1));
		try (RedisConnection connection = RedisUnderTest.connections().getConnection()) {
			assertThat(connection.keyCommands().keys((this.prefix + "*").getBytes())).map(String::new)
				.satisfiesExactlyInAnyOrder((live) -> assertThat(live).isEqualTo(this.prefix + ":{reply:ann}:tokens"),
						(tight) -> assertThat(tight)
							.matches(this.prefix + ":\\{reply:ann}:candidate:tight-[0-9a-f]{8}:tokens"),
						(log) -> assertThat(log)
							.matches(this.prefix + ":\\{reply:ann}:candidate:log-[0-9a-f]{8}:times"));
		}
	}

	@Test
	void callsAndThoseToCandidatesAreOneScriptCall() {
		RuleCounts counts = RuleCounts.of(this.rule);
		// stores of other tests may run scripts meanwhile
		await().untilAsserted(() -> {
			String key = AlgorithmOnStore.freshKey();
			this.first.acquire(new Demand(counts, key, 1));
			long before = scripts();
			StoreAnswer answer = this.first.acquire(new Demand(counts, key, 1));
			assertThat(scripts() - before).isEqualTo(1);
			assertThat(answer.tried()).extracting((tried) -> tried.time()).containsOnly(answer.get(0).time());
		});
	}

	@Test
	void callThatTheLeanScriptDoesNotKnowIsSentAgainWithoutItsCandidates() {
		RuleCounts changed = RuleCounts.of(bucket(7));
		await().untilAsserted(() -> {
			String key = AlgorithmOnStore.freshKey();
			this.first.acquire(new Demand(RuleCounts.of(bucket(5)), key, 1));
			long before = scripts();
			StoreAnswer answer = this.first.acquire(new Demand(changed, key, 1));
			assertThat(scripts() - before).isEqualTo(2);
			assertThat(answer.get(0).outcomes().get(0).remaining()).isEqualTo(5);
			assertThat(answer.tried()).singleElement()
				.satisfies((tried) -> assertThat(tried.outcomes().get(0).remaining()).isZero());
			assertThat(this.first.acquire(new Demand(changed, key, 1)).tried()).singleElement()
				.satisfies((tried) -> assertThat(tried.isAdmitted()).isFalse());
		});
	}

	@Test
	void candidateThatTheLeanScriptDoesNotKnowIsDecidedByItself() {
		RuleCounts counts = RuleCounts.of(bucket(5));
		String key = this.prefix + ":{reply:ann}:candidate:" + counts.candidate(0).candidateId() + ":tokens";
		for (int i = 0; i < 2; i++) {
			this.first.acquire(new Demand(counts, "ann", 1));
		}
		try (RedisConnection connection = RedisUnderTest.connections().getConnection()) {
			connection.keyCommands().persist(key.getBytes());
			connection.scriptingCommands().scriptFlush();
			assertThat(this.first.acquire(new Demand(counts, "ann", 1)).isAdmitted()).isTrue();
			await().untilAsserted(() -> assertThat(connection.keyCommands().pTtl(key.getBytes())).isPositive());
			assertThat(this.first.acquire(new Demand(counts, "ann", 1)).tried()).singleElement()
				.satisfies((tried) -> assertThat(tried.isAdmitted()).isFalse());
		}
	}

	private static RateLimitRule bucket(long max) {
		return RateLimitRule.named("reply")
			.limit(max, HOUR)
			.algorithm(Algorithm.TOKEN_BUCKET)
			.candidate("tight", Limit.of(2, HOUR))
			.build();
	}

	private static long scripts() {
		try (RedisConnection connection = RedisUnderTest.connections().getConnection()) {
			String calls = connection.serverCommands().info("commandstats").getProperty("cmdstat_evalsha");
			return Long.parseLong(calls.replaceAll("calls=(\\d+),.*", "$1"));
		}
	}

	@Test
	void batchOfTwoInstancesIsDecidedCallByCall() {
		RuleCounts counts = RuleCounts.of(this.rule);
		List<CompletableFuture<StoreAnswer>> answers = IntStream.range(0, 400)
			.mapToObj((i) -> ((i % 2 == 0) ? this.first : this.second).acquireAsync(new Demand(counts, "hot", 1))
				.toCompletableFuture())
			.toList();
		List<StoreAnswer> decided = answers.stream().map(CompletableFuture::join).toList();
		assertThat(decided).filteredOn(StoreAnswer::isAdmitted).hasSize(5);
		assertThat(decided).allSatisfy((answer) -> assertThat(answer.tried()).hasSize(2));
		assertThat(decided).filteredOn((answer) -> answer.tried().get(0).isAdmitted()).hasSize(2);
		assertThat(decided).filteredOn((answer) -> answer.tried().get(1).isAdmitted()).hasSize(3);
	}

	@Test
	void callThatTurnsOutToBeInSeveralHashSlotsIsTriedOnce() {
		ScriptRunner redis = new SynchronousScriptRunner(RedisUnderTest.process());
		ScriptRunner cluster = (call) -> ScriptReach.HASH_SLOT.reaches(Arrays.stream(call.keys())) ? redis.run(call)
				: CompletableFuture.failedFuture(
						new RedisCommandExecutionException("CROSSSLOT Keys in request don't hash to the same slot"));
		RedisRateLimitStore store = new RedisRateLimitStore(
				new RedisSetup(cluster, this.prefix, TIMEOUT, RedisSharding.NONE, () -> 0));
		Demand tried = new Demand(RuleCounts.of(bucket(5)), "ann", 1);
		RateLimitRule other = RateLimitRule.named("other").limit(5, HOUR).algorithm(Algorithm.TOKEN_BUCKET).build();
		StoreAnswer answer = store.acquire(Demands.of(tried, new Demand(other, "bob", 1)));
		assertThat(answer.asList()).allSatisfy((each) -> assertThat(each.first().remaining()).isEqualTo(4));
		assertThat(answer.tried()).singleElement()
			.satisfies((each) -> assertThat(each.first().remaining()).isEqualTo(1));
		assertThat(store.acquire(tried).tried()).singleElement().matches(RuleAnswer::isAdmitted);
	}

	@Test
	void figuresAreThoseOfAllInstances() {
		Instance one = new Instance(this.first);
		Instance other = new Instance(this.second);
		List<CompletableFuture<?>> calls = new ArrayList<>();
		for (int i = 0; i < 3_000; i++) {
			Instance caller = (i % 3 == 0) ? other : one;
			for (int j = 0; j < 3; j++) {
				calls.add(caller.limiter.tryAcquireAsync("user-" + i, 1).toCompletableFuture());
			}
		}
		calls.forEach(CompletableFuture::join);
		one.limiter.tryAcquire("last");
		other.limiter.tryAcquire("last");
		other.figures();
		Sum sum = one.figures();
		assertThat(sum.calls()).isEqualTo(9_002);
		assertThat(sum.denied()).isEqualTo(3_000);
		assertThat(sum.liveDenied()).isZero();
		assertThat((double) sum.deniedKeys()).isCloseTo(3_000, within(60.0));
		assertThat(other.figures()).isEqualTo(sum);
	}

	@Test
	void figuresBeginAnewAtTheSameTimeInAllInstancesAfterRedisHasLostThem() {
		Instance one = new Instance(this.first);
		Instance other = new Instance(this.second);
		denyEachOf(one, 100);
		Sum before = one.figures();
		assertThat(before.deniedKeys()).isEqualTo(100);
		Instant lost = nextMillisecond();
		assertThat(other.figures()).isEqualTo(one.figures());
		loseAll();
		denyEachOf(other, 5);
		assertThat(other.figures().since()).isAfterOrEqualTo(lost);
		assertThat(one.figures()).isEqualTo(other.figures());
		denyEachOf(one, 50);
		Sum after = one.figures();
		assertThat(after.since()).isAfterOrEqualTo(lost);
		assertThat(other.figures()).isEqualTo(after);
		assertThat(after.calls()).isEqualTo(55 * 3);
		assertThat(after.denied()).isEqualTo(55 * 3 - 50 * 2);
		assertThat(after.deniedKeys()).isEqualTo(50);
	}

	@Test
	void figuresWhoseReplyWasLostAreInTheSumOnce() {
		FigureStore sums = new Instance(this.first).sums;
		Added none = new Added("one", 0, 0, 0);
		sums.add("reply", "tight", none, new Figures(1, 3, 2, 1, new byte[0]));
		sums.add("reply", "tight", new Added("other", 0, 0, 0), new Figures(1, 10, 10, 10, new byte[0]));
		Figures again = new Figures(1, 5, 3, 1, new byte[0]);
		assertThat(sums.add("reply", "tight", none, again))
			.extracting(Figures::calls, Figures::denied, Figures::liveDenied)
			.containsExactly(15L, 13L, 11L);
		assertThat(sums.add("reply", "tight", none.with(again), new Figures(1, 1, 0, 0, new byte[0])))
			.extracting(Figures::calls, Figures::denied, Figures::liveDenied)
			.containsExactly(16L, 13L, 11L);
	}

	private static void denyEachOf(Instance instance, int users) {
		for (int i = 0; i < users; i++) {
			for (int j = 0; j < 3; j++) {
				instance.limiter.tryAcquire("user-" + i);
			}
		}
	}

	private void loseAll() {
		try (RedisConnection connection = RedisUnderTest.connections().getConnection()) {
			connection.keyCommands()
				.del(connection.keyCommands().keys((this.prefix + "*").getBytes()).toArray(byte[][]::new));
		}
	}

	private static Instant nextMillisecond() {
		Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
		while (Instant.now().toEpochMilli() == now.toEpochMilli()) {
			Thread.onSpinWait();
		}
		return now.plusMillis(1);
	}

	@Test
	void wrongTypeOfACandidatesKeyFailsNoCall() {
		RuleCounts counts = RuleCounts.of(this.rule);
		String key = this.prefix + ":{reply:ann}:candidate:" + counts.candidate(0).candidateId() + ":tokens";
		try (RedisConnection connection = RedisUnderTest.connections().getConnection()) {
			connection.listCommands().rPush(key.getBytes(), "no bucket".getBytes());
		}
		StoreAnswer answer = this.first.acquire(new Demand(counts, "ann", 1));
		assertThat(answer.isAdmitted()).isTrue();
		assertThat(answer.tried()).extracting((tried) -> tried.demand().counts().candidateName())
			.containsExactly("log");
	}

	/**
	 * Instance of the application.
	 */
	private final class Instance {

		private final RuleRegistry registry;

		private final FigureStore sums;

		private final RuleLimiter limiter;

		Instance(RedisRateLimitStore store) {
			this.registry = new RuleRegistry(Engines.over(store, OnStoreFailure.DENY), Algorithm.SLIDING_LOG,
					List.of());
			this.sums = store.overrides(RedisUnderTest.connections()).figures().get();
			this.limiter = (RuleLimiter) this.registry.register(CandidatesOnRedisTests.this.rule);
		}

		Sum figures() {
			return this.registry.figures("reply", () -> this.sums).get("tight");
		}

	}

}
