package io.github.ratelimit.store;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.algorithm.Count;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Answer of a store: whether and when it admits the call, and the units to refund.
 */
class RuleAnswerTests {

	private static final RateLimitRule RULE = RateLimitRule.named("rule")
		.limit(Limit.of(5, Duration.ofMinutes(1)).withName("minute"))
		.limit(Limit.of(9, Duration.ofDays(1)).withName("day"))
		.algorithm(Algorithm.LEAKY_BUCKET)
		.build();

	@Test
	void admittedCallWaitsForTheSlowestLimit() {
		RuleAnswer answer = answer(1_000, 300, 700);
		assertThat(answer.isAdmitted()).isTrue();
		assertThat(answer.delay()).isEqualTo(700);
		assertThat(answer.retryAfter()).isZero();
		assertThat(answer.refund()).isEqualTo(Correction.refund(answer.demand(), 50 + 700, 50));
	}

	@Test
	void deniedCallIsAdmittedWhenTheRestOfItsWaitIsShortEnough() {
		RuleAnswer answer = answer(1_000, 300, 1_700);
		assertThat(answer.isAdmitted()).isFalse();
		assertThat(answer.delay()).isZero();
		assertThat(answer.retryAfter()).isEqualTo(700);
		assertThat(answer.retryAfter(0)).isZero();
		assertThat(answer.retryAfter(1)).isEqualTo(700);
		assertThat(answer.after(200).retryAfter()).isEqualTo(500);
	}

	@Test
	void neverIsLongerThanAnyWait() {
		RuleAnswer answer = answer(1_000, Count.NEVER, 5_000);
		assertThat(answer.isAdmitted()).isFalse();
		assertThat(answer.retryAfter()).isEqualTo(Count.NEVER);
		assertThat(answer.retryAfter(0)).isEqualTo(Count.NEVER);
		assertThat(answer.retryAfter(1)).isEqualTo(4_000);
	}

	@Test
	void callOverSeveralRulesWaitsForTheSlowestRule() {
		StoreAnswer answer = StoreAnswer.of(List.of(answer(1_000, 300, 700), answer(1_000, 900, 0)));
		assertThat(answer.isAdmitted()).isTrue();
		assertThat(answer.delay()).isEqualTo(900);
		assertThat(answer.refunds()).extracting(Correction::countedAt).containsExactly(50L + 700, 50L + 900);
	}

	@Test
	void callOverSeveralRulesIsDeniedByOne() {
		StoreAnswer answer = StoreAnswer.of(List.of(answer(1_000, 300, 700), answer(0, 1, 0)));
		assertThat(answer.isAdmitted()).isFalse();
		assertThat(answer.delay()).isZero();
		assertThat(answer.asList()).extracting(RuleAnswer::isAdmitted).containsExactly(true, false);
	}

	private static RuleAnswer answer(long maxWait, long minute, long day) {
		Demand demand = new Demand(RuleCounts.of(RULE), StoredKey.of("key"), 1, maxWait);
		return RuleAnswer.of(demand, 50, (count) -> new LimitOutcome(0, (count == 0) ? minute : day, 9_000));
	}

}
