package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleValue;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.tck.AlgorithmOnStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Lean scripts decide calls of a rule that prefetches while no instance holds units of
 * their key, and leave all others to the general script.
 */
@Tag("every-redis")
class LeanPrefetchTests {

	private static final long LIFETIME = 20_000;

	private final OtherInstance instance = new OtherInstance();

	private PortionsUnderTest portions;

	private RuleCounts rule;

	private long time;

	private void useRule(Algorithm algorithm) {
		this.rule = RuleCounts.of(RateLimitRule.named("rule")
			.limit(Limit.of(20, Duration.ofHours(1)).withAlgorithm(algorithm))
			.prefetch(Duration.ofMillis(20))
			.build());
		this.portions = new PortionsUnderTest(this.rule);
	}

	private RuleAnswer acquire() {
		return (RuleAnswer) this.instance.store.acquire(new Demand(this.rule, this.portions.key(), 1, 0));
	}

	private void assertRuns(int lean, int general) {
		assertThat(List.of(this.instance.leanRuns, this.instance.generalRuns)).as("lean and general scripts")
			.containsExactly(lean, general);
	}

	@ParameterizedTest
	@EnumSource(names = { "TOKEN_BUCKET", "SLIDING_LOG" })
	void callsOfKeysWithoutUnitsHeldAreLean(Algorithm algorithm) {
		useRule(algorithm);
		for (int left = 19; left >= 0; left--) {
			assertThat(acquire().first().remaining()).isEqualTo(left);
		}
		RuleAnswer denied = acquire();
		assertThat(denied.isAdmitted()).isFalse();
		assertThat(denied.heldFor()).isZero();
		assertRuns(21, 0);
	}

	@ParameterizedTest
	@EnumSource(names = { "TOKEN_BUCKET", "SLIDING_LOG" })
	void unitsHeldByAnotherInstanceAreNotAdmitted(Algorithm algorithm) {
		useRule(algorithm);
		assertThat(this.portions.fetch(0, 1, 10).portion().remaining()).isEqualTo(4);
		for (int left = 14; left >= 0; left--) {
			assertThat(acquire().first().remaining()).isEqualTo(left);
		}
		this.time = LIFETIME - 1;
		RuleAnswer denied = acquire();
		assertThat(denied.isAdmitted()).isFalse();
		assertThat(denied.heldFor()).isOne();
		assertRuns(1, 16);
	}

	@ParameterizedTest
	@EnumSource(names = { "TOKEN_BUCKET", "SLIDING_LOG" })
	void unitsOfAnUnusedKeyThatAreHeldAreNotAdmitted(Algorithm algorithm) {
		useRule(algorithm);
		assertThat(this.portions.fetch(0, 0, 10).portion().remaining()).isEqualTo(5);
		this.time = LIFETIME - 1;
		for (int left = 14; left >= 0; left--) {
			assertThat(acquire().first().remaining()).isEqualTo(left);
		}
		assertThat(acquire().isAdmitted()).isFalse();
	}

	@ParameterizedTest
	@EnumSource(names = { "TOKEN_BUCKET", "SLIDING_LOG" })
	void callsOfABatchAreLeftToTheGeneralScriptOnlyIfUnitsOfTheirOwnKeyAreHeld(Algorithm algorithm) {
		useRule(algorithm);
		this.portions.fetch(0, 1, 10);
		RuleCounts without = RuleCounts.of(RateLimitRule.named("without")
			.limit(Limit.of(20, Duration.ofHours(1)).withAlgorithm(algorithm))
			.build());
		Demand held = new Demand(this.rule, this.portions.key(), 1, 0);
		List<Demand> calls = List.of(new Demand(without, fresh(), 1, 0), new Demand(this.rule, fresh(), 1, 0), held,
				new Demand(without, fresh(), 1, 0), new Demand(this.rule, fresh(), 1, 0));
		RuleValue<EncodedCounts> encoded = RedisUnderTest.keys("portions")
			.encoded(CallerClock.of(() -> PortionsUnderTest.NOW), 1);
		Arguments batch = new Arguments(PortionsUnderTest.NOW);
		calls.forEach((call) -> batch.call(encoded.get(call.counts()).call(call, 0, Fetch.NOTHING),
				encoded.get(call.counts()).names().of(call.key())));
		ByteBuffer reply = ByteBuffer.wrap(batch.run(this.instance, CountingScripts.deciding()).join());
		int row = (reply.capacity() - Long.BYTES) / calls.size();
		List<Integer> taken = IntStream.range(0, calls.size())
			.mapToObj((i) -> Short.toUnsignedInt(reply.getShort(Long.BYTES + i * row + Short.BYTES)))
			.toList();
		int unknown = 0xFFFF;
		assertThat(taken).containsExactly(1, 1, unknown, 1, 1);
		assertRuns(1, 0);
	}

	private static StoredKey fresh() {
		return StoredKey.of(AlgorithmOnStore.freshKey());
	}

	@ParameterizedTest
	@EnumSource(names = { "TOKEN_BUCKET", "SLIDING_LOG" })
	void callsAreLeanAgainAfterThePortionIsForgotten(Algorithm algorithm) {
		useRule(algorithm);
		this.portions.fetch(0, 1, 10);
		this.time = LIFETIME;
		assertThat(acquire().first().remaining()).isEqualTo(14);
		assertThat(acquire().first().remaining()).isEqualTo(13);
		assertRuns(2, 2);
		this.portions.forgetPortions();
		this.time = 2 * LIFETIME;
		assertThat(acquire().first().remaining()).isEqualTo(12);
		assertRuns(3, 2);
	}

	@ParameterizedTest
	@EnumSource(names = { "TOKEN_BUCKET", "SLIDING_LOG" })
	void denialIsRememberedForTheLifetimeOfAPortionWhoseUnitsMayBeRefunded(Algorithm algorithm) {
		useRule(algorithm);
		this.portions.fetch(0, 1, 10);
		this.time = LIFETIME;
		for (int left = 14; left >= 0; left--) {
			assertThat(acquire().first().remaining()).isEqualTo(left);
		}
		assertThat(acquire().heldFor()).isEqualTo(LIFETIME);
	}

	@ParameterizedTest
	@EnumSource(names = { "TOKEN_BUCKET", "SLIDING_LOG" })
	void callsAreLeanAgainAfterThePortionIsReturned(Algorithm algorithm) {
		useRule(algorithm);
		long id = this.portions.fetch(0, 1, 10).id();
		this.portions.refundUnused(1, id, 4);
		this.time = 1;
		assertThat(acquire().first().remaining()).isEqualTo(18);
		assertRuns(1, 0);
	}

	/**
	 * Instance that counts how often it runs lean scripts.
	 */
	private final class OtherInstance implements ScriptRunner {

		private final RedisStoreUnderTest.LongLived runner = new RedisStoreUnderTest.LongLived();

		private final RedisRateLimitStore store = new RedisRateLimitStore(new RedisSetup(this, "portions",
				Duration.ofSeconds(20), RedisSharding.NONE, this::now, CallerClock.of(this::now),
				() -> TimeUnit.MICROSECONDS.toNanos(LeanPrefetchTests.this.time), Scheduler::onTimerThread));

		private int leanRuns;

		private int generalRuns;

		private long now() {
			return PortionsUnderTest.NOW + LeanPrefetchTests.this.time;
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
