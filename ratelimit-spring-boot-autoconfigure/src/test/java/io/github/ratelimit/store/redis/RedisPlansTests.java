package io.github.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.data.redis.connection.RedisConnection;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.algorithm.AlgorithmUnderTest;
import io.github.ratelimit.store.AlgorithmOnStore;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.RuleCounts;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Stored state of counts that calls of different plans share. It has the form that it has
 * without plans.
 */
class RedisPlansTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private final String key = AlgorithmOnStore.freshKey();

	private long clock = AlgorithmOnStore.NOW;

	private final RedisRateLimitStore store = new RedisRateLimitStore(RedisUnderTest.connections(), "plans",
			Duration.ofSeconds(20), () -> this.clock);

	@AfterEach
	void close() {
		this.store.close();
	}

	@ParameterizedTest
	@EnumSource
	void deniedCallOfAnotherPlanWritesNothing(AlgorithmUnderTest algorithm) {
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
				this.store
					.refund(List.of(new Refund(new Demand(AlgorithmOnStore.ruleWithPlans(free), this.key, 0), 0)));
			}
		}
		assertThat(stored()).isEqualTo(before);
		assertThat((Long) execute("PTTL")).isBetween(90_000L, 100_000L);
	}

	@ParameterizedTest
	@EnumSource
	void stateLivesAsLongAsUnderThePlanThatWroteIt(AlgorithmUnderTest algorithm) {
		LimitOutcome admitted = acquire(algorithm.limit(600, MINUTE), 500);
		acquire(algorithm.limit(2, Duration.ofHours(1)), 1);
		assertThat((Long) execute("PTTL")).isBetween(admitted.resetAfter() / 1000 - 2_000,
				admitted.resetAfter() / 1000 + 1);
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "WARM_UP")
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

	@Test
	void warmUpStoresItsLimitUnderPlansOnly() {
		Limit limit = AlgorithmUnderTest.WARM_UP.limit(100, MINUTE);
		acquire(limit, 1);
		assertThat(stored()).hasSize(45);
		execute("DEL");
		this.store.acquire(new Demand(RateLimitRule.named("rule").limit(limit).build(), this.key, 1));
		assertThat(stored()).hasSize(24);
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = { "DEFAULT", "CONCURRENCY" })
	void scriptsOfOtherRulesKnowNothingOfPlans(Algorithm algorithm) {
		CountingScripts scripts = new CountingScripts("decide");
		Limit limit = Limit.of(5, MINUTE).withAlgorithm(algorithm);
		EncodedCall without = call(RateLimitRule.named("rule").limit(limit).build());
		EncodedCall with = call(AlgorithmOnStore.ruleWithPlans(limit));
		assertThat(scripts.of(without.algorithms()).text()).doesNotContain("under_plans(", "written_by");
		assertThat(scripts.of(with.algorithms()).text()).contains("under_plans", "written_by = function");
		assertThat(without).isNotEqualTo(with);
	}

	private static EncodedCall call(RateLimitRule rule) {
		RuleCounts counts = RuleCounts.of(rule);
		return EncodedCounts.under(new RedisKeys("plans"), CallerClock.of(() -> 0), 1)
			.get(counts)
			.call(new Demand(counts, "key", 1));
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

	private Object execute(String command, String... arguments) {
		try (RedisConnection connection = RedisUnderTest.connections().getConnection()) {
			byte[] name = connection.keyCommands()
				.keys("plans:{rule:%s}:*".formatted(this.key).getBytes(StandardCharsets.UTF_8))
				.stream()
				.findFirst()
				.orElseThrow();
			byte[][] all = new byte[arguments.length + 1][];
			all[0] = name;
			for (int i = 0; i < arguments.length; i++) {
				all[i + 1] = arguments[i].getBytes(StandardCharsets.UTF_8);
			}
			return connection.execute(command, all);
		}
	}

}
