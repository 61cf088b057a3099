package io.github.ratelimit.store;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Prepared form of a rule: its counts and the values that stores derive from it.
 */
class RuleCountsTests {

	private static final Limit MINUTE = Limit.of(5, Duration.ofMinutes(1))
		.withAlgorithm(Algorithm.SLIDING_LOG)
		.withName("minute");

	private static final Limit DAY = Limit.of(9, Duration.ofDays(1))
		.withAlgorithm(Algorithm.TOKEN_BUCKET)
		.withMinInterval(Duration.ofSeconds(1))
		.withName("day");

	private static final Limit HOUR = MINUTE.withName("hour");

	@Test
	void eachLimitHasACount() {
		RuleCounts counts = RuleCounts.of(rule(MINUTE));
		assertThat(counts.size()).isOne();
		assertThat(counts.get(0)).isEqualTo(new CountSpec(false, null, counts.rule().limits().get(0), false));
	}

	@Test
	void intervalIsASecondCountBehindThatOfItsLimit() {
		RuleCounts counts = RuleCounts.of(rule(MINUTE, DAY, HOUR));
		assertThat(IntStream.range(0, counts.size()).mapToObj((i) -> counts.get(i).meaning()))
			.containsExactly("times minute", "tokens day", "gap day", "times hour");
		assertThat(counts.get(2).isInterval()).isTrue();
		assertThat(counts.get(1).units(7)).isEqualTo(7);
		assertThat(counts.get(2).units(7)).isOne();
		assertThat(counts.get(2).units(0)).isZero();
	}

	@Test
	void outcomeOfALimitIsDelayedByItsInterval() {
		RuleCounts counts = RuleCounts.of(rule(MINUTE, DAY, HOUR));
		List<LimitOutcome> ofCounts = List.of(new LimitOutcome(4, 0, 60), new LimitOutcome(8, 0, 100),
				new LimitOutcome(0, 30, 20), new LimitOutcome(1, 0, 10));
		assertThat(counts.outcomes(ofCounts.get(0), ofCounts::get)).containsExactly(new LimitOutcome(4, 0, 60),
				new LimitOutcome(8, 30, 100), new LimitOutcome(1, 0, 10));
	}

	@Test
	void algorithmHasToBeResolved() {
		assertThatIllegalArgumentException().isThrownBy(() -> RuleCounts.of(rule(Limit.of(1, Duration.ofDays(1)))))
			.withMessageContaining("DEFAULT has to be resolved");
	}

	@Test
	void valuesAreComputedOnceForEachRule() {
		RuleCounts one = RuleCounts.of(rule(MINUTE));
		RuleCounts other = RuleCounts.of(rule(MINUTE));
		AtomicInteger computed = new AtomicInteger();
		RuleValue<Integer> number = new RuleValue<>((counts) -> computed.incrementAndGet());
		RuleValue<String> name = new RuleValue<>((counts) -> counts.rule().name());
		assertThat(List.of(number.get(one), number.get(other), number.get(one), number.get(other))).containsExactly(1,
				2, 1, 2);
		assertThat(name.get(one)).isEqualTo("rule");
		assertThat(number.get(one)).isEqualTo(1);
	}

	@Test
	void latestVariantIsKept() {
		RuleCounts counts = RuleCounts.of(rule(MINUTE));
		RateLimitRule lower = rule(MINUTE.withMax(2));
		RuleCounts variant = RuleVariants.of(counts).with(lower);
		assertThat(variant.rule()).isSameAs(lower);
		assertThat(variant.get(0).meaning()).isEqualTo(counts.get(0).meaning());
		assertThat(RuleVariants.of(counts).with(lower)).isSameAs(variant);
		assertThat(RuleVariants.of(counts).with(counts.rule())).isSameAs(counts);
	}

	private static RateLimitRule rule(Limit... limits) {
		RateLimitRule.Builder rule = RateLimitRule.named("rule");
		List.of(limits).forEach(rule::limit);
		return rule.build();
	}

}
