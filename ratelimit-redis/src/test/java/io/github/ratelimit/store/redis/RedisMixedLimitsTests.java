package io.github.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.data.redis.connection.RedisConnection;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.tck.AlgorithmUnderTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Stored state of counts whose calls have different limits, those of plans for example.
 */
class RedisMixedLimitsTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private final String key = AlgorithmOnStore.freshKey();

	private long clock = AlgorithmOnStore.NOW;

	@AutoClose
	private final RedisRateLimitStore store = RedisUnderTest.store(RedisUnderTest.connections(), "plans",
			Duration.ofSeconds(20), () -> this.clock);

	@ParameterizedTest
	@EnumSource
	void deniedCallUnderAnotherLimitWritesNothing(AlgorithmUnderTest algorithm) {
		acquire(algorithm.limit(600, MINUTE), 500);
		byte[] before = stored();
		execute("PEXPIRE", "100000");
		for (long step : new long[] { 0, 1, 1_000 }) {
			this.clock += step;
			for (Duration period : new Duration[] { Duration.ofSeconds(1), MINUTE, Duration.ofHours(1) }) {
				Limit free = algorithm.limit(2, period);
				assertThat(acquire(free, 1).retryAfter()).isPositive();
				assertThat(acquire(free, 3).retryAfter()).isEqualTo(-1);
				acquire(free, 0);
				this.store.peek(new Demand(AlgorithmOnStore.ruleWithPlans(free), this.key, 1));
				AlgorithmOnStore.correct(this.store,
						List.of(Correction.refund(new Demand(AlgorithmOnStore.ruleWithPlans(free), this.key, 0), 0)));
			}
		}
		assertThat(stored()).isEqualTo(before);
		assertThat((Long) execute("PTTL")).isBetween(90_000L, 100_000L);
	}

	@ParameterizedTest
	@EnumSource
	void stateLivesAsLongAsUnderTheLimitThatWroteIt(AlgorithmUnderTest algorithm) {
		LimitOutcome admitted = acquire(algorithm.limit(600, MINUTE), 500);
		acquire(algorithm.limit(2, Duration.ofHours(1)), 1);
		assertThat((Long) execute("PTTL")).isBetween(admitted.resetAfter() / 1000 - 2_000,
				admitted.resetAfter() / 1000 + 1);
	}

	@ParameterizedTest
	@EnumSource
	void stateHasTheFormThatItHasWithoutPlans(AlgorithmUnderTest algorithm) {
		Limit limit = algorithm.limit(100, MINUTE);
		acquire(limit, 70);
		byte[] underPlans = stored();
		execute("DEL");
		this.store.acquire(new Demand(RateLimitRule.named("rule").limit(limit).build(), this.key, 70));
		assertThat(underPlans).isEqualTo(stored());
	}

	/**
	 * A rule gets plans, and loses them.
	 */
	@ParameterizedTest
	@EnumSource
	void ruleKeepsItsCountsWhenItGetsOrLosesPlans(AlgorithmUnderTest algorithm) {
		Limit limit = algorithm.limit(100, MINUTE);
		Demand without = new Demand(RateLimitRule.named("rule").limit(limit).build(), this.key, 10);
		Demand with = new Demand(AlgorithmOnStore.ruleWithPlans(limit), this.key, 10);
		for (Demand first : List.of(without, with)) {
			LimitOutcome admitted = this.store.acquire(first).get(0).outcomes().get(0);
			for (Demand next : List.of(without, with)) {
				LimitOutcome seen = this.store.acquire(next.withCost(0)).get(0).outcomes().get(0);
				assertThat(seen).isEqualTo(admitted);
			}
			execute("DEL");
		}
	}

	/**
	 * Instances of an earlier version store 24 bytes.
	 */
	@Test
	void warmUpWithoutItsLimitIsReadByTheLimitOfTheCall() {
		Limit limit = AlgorithmUnderTest.WARM_UP.limit(100, MINUTE);
		acquire(limit, 2);
		LimitOutcome before = acquire(limit, 0);
		byte[] stored = stored();
		assertThat(stored).hasSize(45);
		set(Arrays.copyOf(stored, 24));
		assertThat(acquire(limit, 0)).isEqualTo(before);
		assertThat(acquire(limit, 1).retryAfter()).isPositive();
	}

	/**
	 * An instance of an earlier version takes what is missing beyond its capacity for
	 * less, unless the highest bit of the stored rate is set, and does not set it.
	 */
	@Test
	void bucketOfAnEarlierVersionIsReadAndItsInstancesForgiveNothing() {
		Limit limit = AlgorithmUnderTest.TOKEN_BUCKET.limit(100, MINUTE);
		acquire(limit, 70);
		byte[] stored = stored();
		assertThat(stored).hasSize(27);
		assertThat(stored[21]).isNegative();
		LimitOutcome before = acquire(limit, 0);
		stored[21] &= 0x7f;
		set(stored);
		assertThat(acquire(limit, 0)).isEqualTo(before);
		assertThat(acquire(AlgorithmUnderTest.TOKEN_BUCKET.limit(10, MINUTE), 1).admitted()).isFalse();
		assertThat(acquire(limit, 0)).isEqualTo(before);
	}

	private LimitOutcome acquire(Limit plan, long cost) {
		return this.store.acquire(new Demand(AlgorithmOnStore.ruleWithPlans(plan), this.key, cost))
			.get(0)
			.outcomes()
			.get(0);
	}

	private byte[] stored() {
		byte[] value = (byte[]) execute("GET");
		return (value != null) ? value : new byte[0];
	}

	private void set(byte[] value) {
		try (RedisConnection connection = RedisUnderTest.connections().getConnection()) {
			connection.stringCommands().set(name(connection), value);
			connection.keyCommands().pExpire(name(connection), 100_000);
		}
	}

	private byte[] name(RedisConnection connection) {
		return connection.keyCommands()
			.keys("plans:{rule:%s}:*".formatted(this.key).getBytes(StandardCharsets.UTF_8))
			.stream()
			.findFirst()
			.orElseThrow();
	}

	private Object execute(String command, String... arguments) {
		try (RedisConnection connection = RedisUnderTest.connections().getConnection()) {
			byte[][] all = new byte[arguments.length + 1][];
			all[0] = name(connection);
			for (int i = 0; i < arguments.length; i++) {
				all[i + 1] = arguments[i].getBytes(StandardCharsets.UTF_8);
			}
			return connection.execute(command, all);
		}
	}

}
