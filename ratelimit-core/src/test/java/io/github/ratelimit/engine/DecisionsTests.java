package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.StoreAnswer;

import static org.assertj.core.api.Assertions.assertThat;

class DecisionsTests {

	private static final RateLimitRule REPLY = RateLimitRule.named("reply")
		.limit(Limit.of(30, Duration.ofSeconds(60)).withAlgorithm(Algorithm.TOKEN_BUCKET).withBurst(15))
		.build();

	private static final RateLimitRule SMS = RateLimitRule.named("sms")
		.limit(Limit.of(1, Duration.ofMinutes(1)).withName("minute"))
		.limit(Limit.of(10, Duration.ofDays(1)).withName("day"))
		.algorithm(Algorithm.SLIDING_LOG)
		.build();

	@Test
	void equalsTheStatusOfTheOnlyLimit() {
		Decision decision = decide(List.of(REPLY), new LimitOutcome(14, 0, 2_000_000));
		assertThat(decision).isEqualTo(new Decision(true, "reply", 15, 14, Duration.ZERO, Duration.ofSeconds(2),
				Duration.ZERO, List.of(), List.of(new LimitStatus("reply", 30, 15, Duration.ofSeconds(60), 14,
						Duration.ZERO, Duration.ofSeconds(2))),
				Decision.Origin.REDIS));
	}

	@Test
	void limitsKeepTheirOrderAndAreNamedLikeRuleAndLimit() {
		Decision decision = decide(List.of(SMS, REPLY), new LimitOutcome(0, 0, 1), new LimitOutcome(9, 0, 2),
				new LimitOutcome(14, 0, 3));
		assertThat(decision.limits()).extracting(LimitStatus::name).containsExactly("sms-minute", "sms-day", "reply");
	}

	@Test
	void tightestOfAllowedIsTheOneWithTheFewestUnitsLeft() {
		Decision decision = decide(List.of(SMS, REPLY), new LimitOutcome(3, 0, 1), new LimitOutcome(9, 0, 2),
				new LimitOutcome(2, 0, 3));
		assertThat(decision.rule()).isEqualTo("reply");
		assertThat(decision.remaining()).isEqualTo(2);
		assertThat(decision.limit()).isEqualTo(15);
	}

	@Test
	void ofEquallyTightLimitsTheOneThatHoldsLongestCounts() {
		Decision decision = decide(List.of(SMS), new LimitOutcome(0, 0, 1), new LimitOutcome(0, 0, 2));
		assertThat(decision.limit()).isEqualTo(10);
		assertThat(decision.resetAfter()).isEqualTo(Duration.ofNanos(2_000));
	}

	@Test
	void tightestOfDeniedIsTheViolatedOneThatHoldsLongest() {
		Decision decision = decide(List.of(SMS, REPLY), new LimitOutcome(0, 5, 50), new LimitOutcome(2, 7, 70),
				new LimitOutcome(0, 0, 90));
		assertThat(decision.allowed()).isFalse();
		assertThat(decision.violated()).containsExactly("sms-minute", "sms-day");
		assertThat(decision.retryAfter()).isEqualTo(Duration.ofNanos(7_000));
		assertThat(decision.resetAfter()).isEqualTo(Duration.ofNanos(70_000));
		assertThat(decision.remaining()).isEqualTo(2);
		assertThat(decision.limit()).isEqualTo(10);
	}

	@Test
	void neverHoldsLongerThanAnyTime() {
		Decision decision = decide(List.of(SMS), new LimitOutcome(1, -1, 0), new LimitOutcome(0, 86_400_000_000L, 1));
		assertThat(decision.retryAfter()).isEqualTo(Decision.NEVER);
		assertThat(decision.limits()).extracting(LimitStatus::retryAfter)
			.containsExactly(Decision.NEVER, Duration.ofDays(1));
		assertThat(decision.violated()).containsExactly("sms-minute", "sms-day");
	}

	@Test
	void uncountedCallIsAllowedAndHasNoLimits() {
		assertThat(DecidedCall.uncounted(new Demand(SMS, "key", 1), Decision.Origin.FALLBACK).decision())
			.isEqualTo(new Decision(true, "sms", 1, 1, Duration.ZERO, Duration.ZERO, Duration.ZERO, List.of(),
					List.of(), Decision.Origin.FALLBACK));
	}

	private static Decision decide(List<RateLimitRule> rules, LimitOutcome... outcomes) {
		Iterator<LimitOutcome> all = List.of(outcomes).iterator();
		Demands demands = Demands.of(rules.stream().map((rule) -> new Demand(rule, "key", 1)).toList());
		return new Decision(StoreAnswer.to(demands, (demand) -> RuleAnswer.of(demand, 0, (count) -> all.next())),
				Decision.Origin.REDIS);
	}

}
