package io.github.ratelimit.engine;

import java.time.Duration;
import java.time.ZoneId;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.CalendarUnit;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.attribute.LimitAttributes;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;

import static io.github.ratelimit.engine.Definitions.NOTHING;
import static io.github.ratelimit.engine.Definitions.annotation;
import static io.github.ratelimit.engine.Definitions.limit;
import static io.github.ratelimit.engine.Definitions.properties;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class RuleDefinitionTests {

	private static final String AT = "@RateLimited on ReplyService.reply(String): ";

	@ParameterizedTest
	@MethodSource
	void mistakeIsReportedWithItsPlace(RuleDefinition definition, RuleDefinition override, String beginning) {
		assertThatExceptionOfType(RateLimitConfigurationException.class).isThrownBy(() -> toRule(definition, override))
			.withMessageStartingWith(beginning);
	}

	static Stream<Arguments> mistakeIsReportedWithItsPlace() {
		RuleDefinition reply = annotation("reply", limit(5L, 60));
		return Stream.of(
				arguments(annotation("reply", limit(0L, 60)), null, AT + "max = 0 is invalid: it has to be between"),
				arguments(annotation("reply", limit(null, 60)), null,
						AT + "max is missing: a limit admits max units per period. Write how many units may pass"),
				arguments(annotation("reply", limit(5L, null)), null,
						AT + "period is missing: a limit admits max units per period. Write a duration"),
				arguments(properties("reply", limit(5L, -1)), null,
						"ratelimit.rules.reply.period = -1s is invalid: it has to be between 1 ms and 366 days."),
				arguments(properties("reply", NOTHING, limit("a", 5L, 60, null, null), limit("b", 0L, 60, null, null)),
						null, "ratelimit.rules.reply.limits[1].max = 0 is invalid: "),
				arguments(properties("reply", limit(5L, null), limit("a", 5L, 60, null, null)), null,
						"ratelimit.rules.reply.max = 5 is invalid: the rule has limits as well. "
								+ "Write either max and period, or limits."),
				arguments(properties("reply", limit(null, 60), limit("a", 5L, 60, null, null)), null,
						"ratelimit.rules.reply.period = 1m is invalid: the rule has limits as well."),
				arguments(reply, properties("reply", limit(0L, null)), "ratelimit.rules.reply.max = 0 is invalid: "),
				arguments(annotation("reply", limit(0L, 60)), properties("reply", limit(null, 30)),
						AT + "max = 0 is invalid: "),
				arguments(reply, properties("reply", limit(null, null, null, 7L, null)),
						"ratelimit.rules.reply.burst = 7 is invalid: it has no effect"),
				arguments(annotation("reply", limit(null, 5L, 60, 7L, null)),
						properties("reply", limit(null, null, null, null, Algorithm.SLIDING_LOG)),
						AT + "burst = 7 is invalid: it has no effect"),
				arguments(reply, properties("reply", NOTHING, limit("a", 5L, null, null, null)),
						"ratelimit.rules.reply.limits[0].period is missing: "),
				arguments(properties("reply", NOTHING, limit(null, 5L, 60, null, null), limit("b", 5L, 60, null, null)),
						null, "ratelimit.rules.reply.limits[0].name is missing: rule \"reply\" has several limits"));
	}

	@Test
	void calendarOfTheEnvironmentReplacesThePeriodOfAnAnnotation() {
		LimitAttributes month = NOTHING.with(LimitAttribute.CALENDAR, CalendarUnit.MONTH)
			.with(LimitAttribute.FIRST_DAY, 15);
		assertThat(toRule(annotation("reply", limit(5L, 60)), properties("reply", month)).limits())
			.containsExactly(Limit.builder().max(5).calendar(CalendarUnit.MONTH).firstDay(15).build());
	}

	@Test
	void zoneBesideLimitsIsThatOfLimitsByACalendar() {
		LimitAttributes zone = NOTHING.with(LimitAttribute.ZONE, "Europe/Paris");
		LimitAttributes month = limit("month", 9L, null, null, null).with(LimitAttribute.CALENDAR, CalendarUnit.MONTH);
		assertThat(toRule(properties("reply", zone, limit("minute", 5L, 60, null, null), month), null).limits())
			.extracting(Limit::calendar)
			.containsExactly(null, Limit.ofCalendar(9, CalendarUnit.MONTH, ZoneId.of("Europe/Paris")).calendar());
	}

	@Test
	void algorithmBesideLimitsIsThatOfAllOfThem() {
		LimitAttributes bucket = limit(null, null, null, null, Algorithm.TOKEN_BUCKET);
		assertThat(toRule(properties("reply", bucket, limit("minute", 1_000_000L, 60, null, null),
				limit("day", 9_000_000L, 86_400, null, null)), null)
			.limits()).extracting(Limit::algorithm).containsExactly(Algorithm.TOKEN_BUCKET, Algorithm.TOKEN_BUCKET);
	}

	@Test
	void environmentWinsFieldByField() {
		RuleDefinition annotated = annotation("reply", limit(null, 5L, 60, 7L, Algorithm.TOKEN_BUCKET));
		assertThat(toRule(annotated, properties("reply", limit(9L, null))).limits())
			.containsExactly(Limit.of(9, Duration.ofSeconds(60)).withAlgorithm(Algorithm.TOKEN_BUCKET).withBurst(7));
		assertThat(toRule(annotated, properties("reply", limit(null, null, 30, 8L, null))).limits())
			.containsExactly(Limit.of(5, Duration.ofSeconds(30)).withAlgorithm(Algorithm.TOKEN_BUCKET).withBurst(8));
	}

	@Test
	void limitsOfTheEnvironmentReplaceMaxAndPeriodAndKeepTheRest() {
		RuleDefinition annotated = annotation("sms", limit(null, 5L, 60, 7L, Algorithm.TOKEN_BUCKET));
		RateLimitRule rule = toRule(annotated,
				properties("sms", NOTHING, limit("minute", 1L, 60, null, null), limit("day", 10L, 86_400, 20L, null)));
		assertThat(rule.limits()).extracting(Limit::name).containsExactly("minute", "day");
		assertThat(rule.limits()).extracting(Limit::max).containsExactly(1L, 10L);
		assertThat(rule.limits()).extracting(Limit::capacity).containsExactly(7L, 20L);
		assertThat(rule.limits()).extracting(Limit::algorithm).containsOnly(Algorithm.TOKEN_BUCKET);
	}

	@Test
	void agreesWithAnEqualDefinitionElsewhere() {
		RuleDefinition definition = annotation("reply", limit(5L, 60));
		assertThat(definition.agreesWith(annotation("reply", "Other.reply()", limit(5L, 60)))).isTrue();
		assertThat(definition.agreesWith(annotation("reply", "Other.reply()", limit(6L, 60)))).isFalse();
	}

	private static RateLimitRule toRule(RuleDefinition definition, RuleDefinition override) {
		return (override != null) ? definition.toRule(RuleDefinitionTests::counted, override)
				: definition.toRule(RuleDefinitionTests::counted);
	}

	private static Limit counted(LimitAttributes attributes) {
		return attributes.completedBy(limit(null, null, null, null, Algorithm.SLIDING_LOG)).toLimit();
	}

}
