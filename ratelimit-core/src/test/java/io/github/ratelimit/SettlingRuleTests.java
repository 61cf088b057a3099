package io.github.ratelimit;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Rules whose calls settle their units when they end.
 */
class SettlingRuleTests {

	private static final Limit LIMIT = Limit.of(5, Duration.ofSeconds(60)).withAlgorithm(Algorithm.TOKEN_BUCKET);

	@Test
	void ruleSettlesNothingByDefault() {
		RateLimitRule rule = builder(LIMIT).build();
		assertThat(rule.unless()).isNull();
		assertThat(rule.settle()).isNull();
		assertThat(rule.maySettle()).isFalse();
		assertThat(builder(LIMIT).unless(null).settle(null).build()).isEqualTo(rule);
	}

	@Test
	void changedCopiesSettleAsWell() {
		RateLimitRule rule = builder(LIMIT).unless("#error == null").settle("#result").build();
		RateLimitRule changed = rule.withLimits(List.of(LIMIT.withMax(7))).withMode(Mode.SHADOW);
		assertThat(changed.unless()).isEqualTo("#error == null");
		assertThat(changed.settle()).isEqualTo("#result");
		assertThat(changed.maySettle()).isTrue();
		assertThat(rule).isNotEqualTo(builder(LIMIT).build());
	}

	@Test
	void annotationsSettleToo() {
		RateLimitRule rule = builder(LIMIT).build();
		assertThat(rule.withSettling(true, null).maySettle()).isTrue();
		assertThat(rule.withSettling(false, "#result").maySettle()).isTrue();
		assertThat(rule.withSettling(false, "#result").settle()).isNull();
		assertThat(rule.withSettling(false, null)).isEqualTo(rule);
	}

	@ParameterizedTest
	@EnumSource(names = { "TOKEN_BUCKET", "FIXED_WINDOW", "WEIGHTED_WINDOW", "SLIDING_WINDOW" })
	void algorithmsThatCanOweSettle(Algorithm algorithm) {
		assertThat(builder(LIMIT.withAlgorithm(algorithm)).settle("#result").build().settle()).isEqualTo("#result");
	}

	@Test
	void calendarsSettle() {
		Limit month = Limit.ofCalendar(5, CalendarUnit.MONTH, ZoneOffset.UTC);
		assertThat(builder(month).settle("#result").build().settle()).isEqualTo("#result");
	}

	@ParameterizedTest
	@EnumSource(names = { "SLIDING_LOG", "LEAKY_BUCKET", "WARM_UP" })
	void otherAlgorithmsDoNot(Algorithm algorithm) {
		Limit limit = Limit.of(5, Duration.ofSeconds(1)).withAlgorithm(algorithm);
		String description = "settle = \"#result\" is invalid: a call may use more than it took, and "
				+ algorithm.yamlName() + " cannot count units beyond the limit.";
		assertRefused(builder(limit).settle("#result"), description);
		assertThatExceptionOfType(InvalidAttributeException.class)
			.isThrownBy(() -> builder(limit).build().withSettling(false, "#result"))
			.withMessageContaining(description);
		assertThat(builder(limit).unless("#error == null").build().maySettle()).isTrue();
	}

	@Test
	void defaultAlgorithmIsCheckedWhenItIsKnown() {
		RateLimitRule rule = builder(Limit.of(5, Duration.ofSeconds(60))).settle("#result").build();
		assertThat(rule.withDefault(Algorithm.FIXED_WINDOW).settle()).isEqualTo("#result");
		assertThatExceptionOfType(InvalidAttributeException.class)
			.isThrownBy(() -> rule.withDefault(Algorithm.SLIDING_LOG));
	}

	@Test
	void unitsThatInstancesHoldCannotBeSettled() {
		assertRefused(builder(LIMIT).prefetch(Duration.ofMillis(20)).settle("#result"),
				"settle = \"#result\" is invalid: prefetch lets instances decide calls");
		assertThat(builder(LIMIT).prefetch(Duration.ofMillis(20)).unless("#error == null").build().maySettle())
			.isTrue();
	}

	@Test
	void slotsAreFreedHoweverACallEnds() {
		Limit slots = Limit.ofConcurrency(3).withName("running");
		assertRefused(builder(slots).unless("#error == null"),
				"unless = \"#error == null\" is invalid: a call frees its slots when it ends, however it ends.");
		assertThatExceptionOfType(InvalidAttributeException.class)
			.isThrownBy(() -> builder(slots).build().withSettling("#error == null", null));
		assertThat(builder(slots).build().withSettling(true, null).maySettle()).isTrue();
		assertThat(builder(slots).limit(LIMIT.withName("minute")).unless("#error == null").build().unless())
			.isEqualTo("#error == null");
	}

	@Test
	void emptyExpressionsAreRefused() {
		assertThatExceptionOfType(InvalidAttributeException.class).isThrownBy(() -> builder(LIMIT).unless(" "))
			.withMessageContaining("unless = \" \" is invalid: it is empty");
		assertThatExceptionOfType(InvalidAttributeException.class).isThrownBy(() -> builder(LIMIT).settle(""))
			.withMessageContaining("settle = \"\" is invalid: it is empty");
	}

	private static RateLimitRule.Builder builder(Limit limit) {
		return RateLimitRule.named("reply").limit(limit);
	}

	private static void assertRefused(RateLimitRule.Builder rule, String description) {
		assertThatExceptionOfType(InvalidAttributeException.class).isThrownBy(rule::build)
			.withMessageContaining(description);
	}

}
