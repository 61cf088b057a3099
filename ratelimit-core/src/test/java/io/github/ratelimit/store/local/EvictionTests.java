package io.github.ratelimit.store.local;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Ban;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.tck.AlgorithmOnStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A full local store keeps the entries whose calls hold slots, and evicts bans, debts and
 * queues last.
 */
class EvictionTests {

	private static final int MAX = 100;

	private static final Duration HOUR = Duration.ofHours(1);

	private static final RateLimitRule SLOTS = rule(Limit.ofConcurrency(3));

	private static final RateLimitRule BANNING = RateLimitRule.named("rule")
		.limit(Limit.of(1, HOUR).withAlgorithm(Algorithm.FIXED_WINDOW))
		.ban(new Ban(2, HOUR, HOUR))
		.build();

	private long clock = 1_700_000_000_000_000L;

	private final LocalRateLimitStore store = new LocalRateLimitStore(MAX, () -> this.clock);

	private final AtomicInteger keys = new AtomicInteger();

	@Test
	void runningCallsKeepTheirSlots() {
		List<RuleAnswer> running = IntStream.range(0, 3).mapToObj((i) -> acquire(SLOTS, "key")).toList();
		flood(SLOTS, 3 * MAX);
		assertThat(acquire(SLOTS, "key").isAdmitted()).isFalse();
		end(running.get(0));
		assertThat(acquire(SLOTS, "key").isAdmitted()).isTrue();
		assertThat(acquire(SLOTS, "key").isAdmitted()).isFalse();
	}

	@Test
	void runningCallsAreNotAmongTheMaximum() {
		List<RuleAnswer> running = new ArrayList<>();
		IntStream.range(0, 3 * MAX).forEach((i) -> running.add(acquire(SLOTS, "running-" + i)));
		RateLimitRule other = rule("other", Limit.of(5, HOUR).withAlgorithm(Algorithm.SLIDING_LOG));
		flood(other, 3 * MAX);
		assertThat(counted("other")).isBetween(MAX / 2L, (long) MAX);
		assertThat(counted("rule")).isEqualTo(3 * MAX);
		running.forEach(this::end);
		flood(other, 3 * MAX);
		assertThat(this.store.counted()).hasSize(MAX);
	}

	@Test
	void banOutlivesAFloodOfOtherKeys() {
		ban("banned");
		flood(BANNING, 10 * MAX);
		assertThat(acquire(BANNING, "banned").isBanned()).isTrue();
		assertThat(this.store.counted()).hasSize(MAX);
	}

	@Test
	void bansAreEvictedWhenNothingElseIsLeft() {
		IntStream.range(0, 3 * MAX).forEach((i) -> ban("banned-" + i));
		assertThat(this.store.counted()).hasSize(MAX);
		assertThat(this.store.bans(RuleCounts.of(BANNING))).hasSizeGreaterThanOrEqualTo(MAX - 1);
		this.clock += HOUR.toNanos() / 1000;
		flood(BANNING, 3 * MAX);
		assertThat(this.store.counted()).hasSize(MAX);
	}

	@ParameterizedTest
	@EnumSource(names = { "FIXED_WINDOW", "SLIDING_WINDOW", "WEIGHTED_WINDOW", "TOKEN_BUCKET" })
	void debtOutlivesAFloodOfOtherKeys(Algorithm algorithm) {
		RateLimitRule rule = rule(Limit.of(5, HOUR).withAlgorithm(algorithm));
		RuleAnswer call = acquire(rule, "debtor");
		AlgorithmOnStore.correct(this.store,
				List.of(AlgorithmOnStore.debt(call.demand().withCost(20), call.refund().countedAt(), false)));
		long owed = acquire(rule, "debtor").retryAfter();
		assertThat(owed).isPositive();
		flood(rule, 10 * MAX);
		assertThat(acquire(rule, "debtor").retryAfter()).isEqualTo(owed);
	}

	@Test
	void queueOutlivesAFloodOfOtherKeys() {
		RateLimitRule rule = rule(Limit.of(60, HOUR).withAlgorithm(Algorithm.LEAKY_BUCKET));
		Demand waiting = new Demand(rule, "waiting", 1, HOUR);
		this.store.acquire(waiting);
		this.store.acquire(waiting);
		flood(rule, 10 * MAX);
		assertThat(this.store.acquire(waiting).delay()).isEqualTo(Duration.ofMinutes(2).toNanos() / 1000);
	}

	/**
	 * Keys of other rules cannot take the share of a rule, so not its bans either.
	 */
	@Test
	void bansDoNotTakeTheShareOfAnotherRule() {
		RateLimitRule other = rule("other", Limit.of(1, HOUR).withAlgorithm(Algorithm.SLIDING_LOG));
		acquire(other, "used");
		IntStream.range(0, 3 * MAX).forEach((i) -> ban("banned-" + i));
		assertThat(acquire(other, "used").isAdmitted()).isFalse();
	}

	private void ban(String key) {
		for (int i = 0; i < 3; i++) {
			acquire(BANNING, key);
		}
		assertThat(acquire(BANNING, key).isBanned()).isTrue();
	}

	/**
	 * Call with fresh keys. Calls that hold slots end at once.
	 */
	private void flood(RateLimitRule rule, int calls) {
		for (int i = 0; i < calls; i++) {
			RuleAnswer answer = acquire(rule, "flood-" + this.keys.incrementAndGet());
			assertThat(answer.isAdmitted()).isTrue();
			if (answer.demand().needsEnd()) {
				end(answer);
			}
		}
	}

	private RuleAnswer acquire(RateLimitRule rule, String key) {
		return this.store.acquire(new Demand(rule, key, 1, Duration.ZERO)).get(0);
	}

	private void end(RuleAnswer answer) {
		AlgorithmOnStore.correct(this.store,
				List.of(Correction.refund(answer.demand().withCost(0), answer.refund().countedAt())));
	}

	private long counted(String rule) {
		return this.store.counted().stream().filter((each) -> each.ruleName().equals(rule)).count();
	}

	private static RateLimitRule rule(Limit limit) {
		return rule("rule", limit);
	}

	private static RateLimitRule rule(String name, Limit limit) {
		return RateLimitRule.named(name).limit(limit).build();
	}

}
