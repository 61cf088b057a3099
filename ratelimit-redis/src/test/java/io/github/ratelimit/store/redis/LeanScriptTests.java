package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.data.redis.connection.RedisConnection;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.algorithm.CountType;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.tck.AlgorithmUnderTest;
import io.github.ratelimit.store.tck.Seeds;
import io.github.ratelimit.store.tck.Walk;
import io.github.ratelimit.store.tck.Walk.Step;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Lean scripts decide as the general ones do, and store the same.
 */
class LeanScriptTests {

	private static final int STEPS = Seeds.steps(5_000);

	private static final int STEPS_PER_WALK = 30;

	private final Instance lean = new Instance("lean", CountingScripts.deciding());

	private final Instance general = new Instance("general", new CountingScripts("decide"));

	private long now = AlgorithmOnStore.NOW;

	static Stream<Arguments> algorithmsWithSeeds() {
		return Stream
			.of(AlgorithmUnderTest.TOKEN_BUCKET, AlgorithmUnderTest.LEAKY_BUCKET, AlgorithmUnderTest.SLIDING_LOG)
			.flatMap((algorithm) -> Seeds.seeds().mapToObj((seed) -> Arguments.of(algorithm, seed)));
	}

	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource("algorithmsWithSeeds")
	void answersAndStatesAreThoseOfTheGeneralScript(AlgorithmUnderTest algorithm, long seed) {
		Random random = new Random(seed);
		for (int number = 0; number < STEPS / STEPS_PER_WALK; number++) {
			walk(random, algorithm, number);
		}
		assertThat(this.lean.leanRuns).isGreaterThan(STEPS / 10);
		assertThat(this.general.leanRuns).isZero();
	}

	private void walk(Random random, AlgorithmUnderTest algorithm, int number) {
		Walk walk = new Walk(random, algorithm, random.nextInt(3) == 0);
		boolean waits = random.nextInt(5) == 0;
		List<String> keys = List.of(AlgorithmOnStore.freshKey(), AlgorithmOnStore.freshKey());
		LimitOutcome last = null;
		for (int i = 0; i < STEPS_PER_WALK; i++) {
			Step step = walk.next(last);
			this.now = step.now();
			RateLimitRule rule = RateLimitRule.named("rule").limit(step.limit()).build();
			List<Demand> calls = calls(random, rule, step, keys, waits);
			String description = "walk %d, step %d: %s".formatted(number, i, calls);
			List<RuleAnswer> expected = this.general.acquire(calls);
			assertThat(this.lean.acquire(calls)).as(description).isEqualTo(expected);
			RuleAnswer answer = expected.get(expected.size() - 1);
			last = answer.first();
			if (answer.isAdmitted() && answer.demand().cost() > 0 && random.nextInt(4) == 0) {
				AlgorithmOnStore.correct(this.general.store, answer.refunds());
				AlgorithmOnStore.correct(this.lean.store, answer.refunds());
			}
			for (String key : keys) {
				String name = ":{rule:" + key + "}:" + CountType.of(step.limit()).kind();
				assertThat(stored("lean" + name)).as(description).isEqualTo(stored("general" + name));
			}
		}
	}

	private static List<Demand> calls(Random random, RateLimitRule rule, Step step, List<String> keys, boolean waits) {
		List<Demand> calls = new ArrayList<>();
		for (int i = random.nextInt(4); i > 0; i--) {
			long cost = (random.nextInt(3) > 0) ? 1 : step.cost();
			Demand call = new Demand(rule, keys.get((random.nextInt(3) == 0) ? 1 : 0), cost);
			calls.addAll(Collections.nCopies(1 + random.nextInt(3), call));
		}
		long wait = (waits && random.nextInt(4) == 0)
				? random.nextLong(1 + Math.min(step.limit().periodMicros(), 86_400_000_000L)) : 0;
		calls.add(new Demand(rule, keys.get(0), step.cost(), Duration.of(wait, ChronoUnit.MICROS)));
		return calls;
	}

	@Test
	void stateWithAnotherRateIsDecidedByTheGeneralScript() {
		String key = AlgorithmOnStore.freshKey();
		assertThat(acquire(rule(5), key).remaining()).isEqualTo(4);
		assertThat(List.of(this.lean.leanRuns, this.lean.generalRuns)).containsExactly(1, 0);
		assertThat(acquire(rule(6), key).remaining()).isEqualTo(4);
		assertThat(List.of(this.lean.leanRuns, this.lean.generalRuns)).containsExactly(2, 1);
		assertThat(acquire(rule(6), key).remaining()).isEqualTo(3);
		assertThat(List.of(this.lean.leanRuns, this.lean.generalRuns)).containsExactly(3, 1);
	}

	@Test
	void stateOfAClockThatIsSetBackIsDecidedByTheGeneralScript() {
		String key = AlgorithmOnStore.freshKey();
		acquire(rule(5), key);
		this.now--;
		assertThat(acquire(rule(5), key).remaining()).isEqualTo(3);
		assertThat(List.of(this.lean.leanRuns, this.lean.generalRuns)).containsExactly(2, 1);
	}

	@Test
	void stateOfALoweredRateIsDecidedByALeanScriptAgain() {
		String key = AlgorithmOnStore.freshKey();
		acquire(rule(6), key);
		assertThat(acquire(rule(5), key).remaining()).isEqualTo(3);
		assertThat(List.of(this.lean.leanRuns, this.lean.generalRuns)).containsExactly(2, 1);
		assertThat(acquire(rule(5), key).remaining()).isEqualTo(2);
		assertThat(List.of(this.lean.leanRuns, this.lean.generalRuns)).containsExactly(3, 1);
	}

	@Test
	void logOfAShorterPeriodIsDecidedByALeanScriptAgain() {
		String key = AlgorithmOnStore.freshKey();
		acquire(log(Duration.ofDays(30)), key);
		assertThat(acquire(log(Duration.ofMinutes(1)), key).remaining()).isEqualTo(62);
		assertThat(List.of(this.lean.leanRuns, this.lean.generalRuns)).containsExactly(2, 1);
		assertThat(acquire(log(Duration.ofMinutes(1)), key).remaining()).isEqualTo(61);
		assertThat(List.of(this.lean.leanRuns, this.lean.generalRuns)).containsExactly(3, 1);
	}

	@Test
	void wideEntriesOfALogBeginAnewAfterTheLargestOne() {
		String key = AlgorithmOnStore.freshKey();
		long sixteenth = 1L << 36;
		for (int entry = 0; entry < 16; entry++) {
			acquire(log(Duration.ofDays(1)), key);
			this.now += sixteenth;
		}
		this.now -= 30_000_000;
		acquire(log(Duration.ofMinutes(1)), key);
		this.now += 40_000_000;
		assertThat(acquire(log(Duration.ofMinutes(1)), key).remaining()).isEqualTo(62);
		this.now += 10_000_000;
		assertThat(acquire(log(Duration.ofMinutes(1)), key).remaining()).isEqualTo(61);
		assertThat(List.of(this.lean.leanRuns, this.lean.generalRuns)).containsExactly(19, 1);
	}

	private static RateLimitRule log(Duration period) {
		return RateLimitRule.named("rule").limit(Limit.of(64, period).withAlgorithm(Algorithm.SLIDING_LOG)).build();
	}

	@Test
	void logWithWideEntriesIsReadWhole() {
		RateLimitRule rule = log(Duration.ofDays(30));
		String key = AlgorithmOnStore.freshKey();
		for (int left = 63; left >= 0; left--) {
			this.now++;
			assertThat(acquire(rule, key).remaining()).isEqualTo(left);
		}
		assertThat(acquire(rule, key).isAdmitted()).isFalse();
		assertThat(List.of(this.lean.leanRuns, this.lean.generalRuns)).containsExactly(65, 0);
	}

	@ParameterizedTest
	@EnumSource(names = { "TOKEN_BUCKET", "SLIDING_LOG" })
	void firstOfEqualCallsTakesTheLastUnits(Algorithm algorithm) {
		Limit limit = Limit.of(2, Duration.ofMinutes(1)).withAlgorithm(algorithm);
		Demand call = new Demand(RateLimitRule.named("rule").limit(limit).build(), AlgorithmOnStore.freshKey(), 2);
		assertThat(this.lean.acquire(List.of(call, call))).extracting(RuleAnswer::isAdmitted)
			.containsExactly(true, false);
		assertThat(List.of(this.lean.leanRuns, this.lean.generalRuns)).as("lean, and the one ahead")
			.containsExactly(1, 1);
	}

	@Test
	void callThatMayWaitIsDecidedByTheGeneralScript() {
		Demand demand = new Demand(rule(5), AlgorithmOnStore.freshKey(), 1, Duration.ofSeconds(1));
		assertThat(this.lean.store.acquire(demand).remaining()).isEqualTo(4);
		assertThat(List.of(this.lean.leanRuns, this.lean.generalRuns)).containsExactly(0, 1);
	}

	private StoreAnswer acquire(RateLimitRule rule, String key) {
		return this.lean.store.acquire(new Demand(rule, key, 1));
	}

	private static RateLimitRule rule(long max) {
		return RateLimitRule.named("rule")
			.limit(Limit.of(max, Duration.ofMinutes(1)).withAlgorithm(Algorithm.TOKEN_BUCKET))
			.build();
	}

	@Test
	void keyOfAnotherTypeFailsItsCallsAlone() {
		RateLimitRule rule = rule(5);
		String wrong = AlgorithmOnStore.freshKey();
		String right = AlgorithmOnStore.freshKey();
		try (RedisConnection connection = RedisUnderTest.connections().getConnection()) {
			connection.listCommands().lPush(("lean:{rule:" + wrong + "}:tokens").getBytes(), new byte[1]);
		}
		List<CompletionStage<StoreAnswer>> answers = this.lean
			.send(List.of(new Demand(rule, right, 1), new Demand(rule, wrong, 1), new Demand(rule, right, 1)));
		assertThat(answers.get(1).toCompletableFuture()).isCompletedExceptionally();
		assertThat(answers.get(0).toCompletableFuture().join().remaining()).isEqualTo(4);
		assertThat(answers.get(2).toCompletableFuture().join().remaining()).isEqualTo(3);
	}

	private static String stored(String key) {
		try (RedisConnection connection = RedisUnderTest.connections().getConnection()) {
			byte[] state = connection.stringCommands().get(key.getBytes());
			byte[] expires = connection.hashCommands().hGet("expires".getBytes(), key.getBytes());
			return (state != null) ? HexFormat.of().formatHex(state) + " until " + new String(expires) : "nothing";
		}
	}

	/**
	 * Instance that counts how often it runs lean scripts.
	 */
	private final class Instance implements ScriptRunner {

		private final Gate gate = new Gate(this);

		/**
		 * Drops keys late, as Redis does.
		 */
		private final RedisStoreUnderTest.LongLived runner = new RedisStoreUnderTest.LongLived(999);

		private final RedisRateLimitStore store;

		private int leanRuns;

		private int generalRuns;

		Instance(String prefix, CountingScripts decisions) {
			this.store = new RedisRateLimitStore(new RedisSetup(this.gate, prefix, Duration.ofSeconds(20),
					RedisSharding.NONE, () -> LeanScriptTests.this.now), true, 10_000, decisions, null);
		}

		List<RuleAnswer> acquire(List<Demand> calls) {
			return send(calls).stream().map((answer) -> answer.toCompletableFuture().join().get(0)).toList();
		}

		/**
		 * Send calls in one batch, behind others that are in flight.
		 */
		List<CompletionStage<StoreAnswer>> send(List<Demand> calls) {
			this.gate.shut();
			Demand first = new Demand(calls.get(0).rule(), "ahead", 0);
			for (int ahead = 0; ahead < SentCalls.UNDER_WAY; ahead++) {
				this.store.acquireAsync(first);
			}
			List<CompletionStage<StoreAnswer>> answers = calls.stream().map(this.store::acquireAsync).toList();
			this.gate.open();
			return answers;
		}

		@Override
		public CompletableFuture<byte[]> run(ScriptCall call) {
			boolean isLean = call.script().text().contains("Lean script");
			this.leanRuns += isLean ? 1 : 0;
			this.generalRuns += isLean ? 0 : 1;
			return this.runner.run(call);
		}

	}

}
