package io.github.ratelimit.override;

import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;

import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.CalendarUnit;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.attribute.LimitAttributes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Candidates whose numbers their rule adopts, and those that it cannot adopt.
 */
class AdoptedLimitsTests {

	private static final Limit OWN = Limit.of(5, Duration.ofMinutes(1)).withAlgorithm(Algorithm.FIXED_WINDOW);

	private static final Limit HOURLY = Limit.ofCalendar(5, CalendarUnit.HOUR, ZoneOffset.UTC);

	private static Map<String, LimitAttributes> adopted(Limit own, Limit candidate) {
		return RuleOverrideRegistry
			.adopted(RateLimitRule.named("reply").limit(own).candidate("tight", candidate).build(), "tight");
	}

	@Test
	void onlyNumbersThatDifferAreChanged() {
		assertThat(adopted(OWN, OWN.withMax(3))).hasSize(1)
			.containsValue(LimitAttributes.NONE.with(LimitAttribute.MAX, 3L));
		assertThat(adopted(OWN, Limit.of(5, Duration.ofHours(1)).withAlgorithm(Algorithm.FIXED_WINDOW))).hasSize(1)
			.containsValue(LimitAttributes.NONE.with(LimitAttribute.PERIOD, Duration.ofHours(1)));
		assertThat(adopted(HOURLY, HOURLY.withMax(3))).hasSize(1)
			.containsValue(LimitAttributes.NONE.with(LimitAttribute.MAX, 3L));
	}

	@Test
	void valueThatTheRuleHasByDefaultDoesNotDiffer() {
		Limit own = Limit.builder().max(5).calendar(CalendarUnit.MONTH).build();
		Limit written = own.withZone(ZoneId.of("UTC")).withFirstDay(1).withAlgorithm(Algorithm.FIXED_WINDOW);
		assertThat(adopted(own, written.withMax(3))).hasSize(1)
			.containsValue(LimitAttributes.NONE.with(LimitAttribute.MAX, 3L));
		assertThat(adopted(OWN,
				Limit.builder()
					.max(3)
					.period(Duration.ofMinutes(1))
					.algorithm(Algorithm.FIXED_WINDOW)
					.countDenied(false)
					.build()))
			.hasSize(1);
		assertRefused(own, written, "has these numbers already");
		assertRefused(own, written.withMax(3).withFirstDay(2), "by more than max and period");
	}

	@Test
	void otherAlgorithmOrCalendarIsNotAdopted() {
		assertRefused(OWN, Limit.of(3, Duration.ofMinutes(1)).withAlgorithm(Algorithm.TOKEN_BUCKET),
				"it counts by token-bucket");
		assertRefused(OWN, HOURLY, "by more than max and period");
		assertRefused(HOURLY, OWN, "by more than max and period");
		assertRefused(HOURLY, Limit.ofCalendar(5, CalendarUnit.DAY, ZoneOffset.UTC), "by more than max and period");
	}

	private static void assertRefused(Limit own, Limit candidate, String reason) {
		assertThatExceptionOfType(RateLimitConfigurationException.class).isThrownBy(() -> adopted(own, candidate))
			.withMessageContaining(reason);
	}

	@Test
	void unknownCandidateIsRefusedWithARemedyThatFitsTheRule() {
		RateLimitRule.Builder rule = RateLimitRule.named("reply").limit(OWN);
		assertUnknown(rule.build(), "tries no candidates. Write max");
		assertUnknown(rule.candidate("tight", OWN.withMax(3)).build(), "tries tight. Write one of these names.");
	}

	private static void assertUnknown(RateLimitRule rule, String message) {
		assertThatExceptionOfType(RateLimitConfigurationException.class)
			.isThrownBy(() -> RuleOverrideRegistry.adopted(rule, "loose"))
			.withMessageContaining(message);
	}

}
