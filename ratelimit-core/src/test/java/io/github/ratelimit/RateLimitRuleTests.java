package io.github.ratelimit;

import java.time.Duration;
import java.time.ZoneOffset;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RateLimitRuleTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private static final Limit PER_MINUTE = Limit.of(1, MINUTE).withName("minute");

	private static final Limit PER_DAY = Limit.of(10, Duration.ofDays(1)).withName("day");

	@Test
	void hasTheGivenValues() {
		RateLimitRule rule = RateLimitRule.named("reply")
			.limit(5, MINUTE)
			.key("#userId")
			.onStoreFailure(OnStoreFailure.DENY)
			.build();
		assertThat(rule.name()).isEqualTo("reply");
		assertThat(rule.limits()).containsExactly(Limit.of(5, MINUTE));
		assertThat(rule.key()).isEqualTo("#userId");
		assertThat(rule.onStoreFailure()).isEqualTo(OnStoreFailure.DENY);
		assertThat(rule).hasToString("reply [default 5 per 1m]");
	}

	@Test
	void valuesNotGivenAreNullOrDefaults() {
		RateLimitRule rule = RateLimitRule.named("reply").limit(5, MINUTE).build();
		assertThat(rule.key()).isNull();
		assertThat(rule.onStoreFailure()).isNull();
		assertThat(rule.limits().get(0).algorithm()).isEqualTo(Algorithm.DEFAULT);
	}

	@Test
	void algorithmAndBurstApplyToLimitsWithoutThem() {
		RateLimitRule rule = RateLimitRule.named("sms")
			.limit(PER_MINUTE.withAlgorithm(Algorithm.TOKEN_BUCKET).withBurst(3))
			.limit(PER_DAY)
			.algorithm(Algorithm.TOKEN_BUCKET)
			.burst(20)
			.build();
		assertThat(rule.limits()).extracting(Limit::capacity).containsExactly(3L, 20L);
		assertThat(rule.limits()).extracting(Limit::algorithm).containsOnly(Algorithm.TOKEN_BUCKET);
	}

	@Test
	void algorithmOfALimitWinsOverThatOfTheRule() {
		RateLimitRule rule = RateLimitRule.named("sms")
			.algorithm(Algorithm.SLIDING_LOG)
			.limit(PER_MINUTE.withAlgorithm(Algorithm.TOKEN_BUCKET))
			.limit(PER_DAY)
			.build();
		assertThat(rule.limits()).extracting(Limit::algorithm)
			.containsExactly(Algorithm.TOKEN_BUCKET, Algorithm.SLIDING_LOG);
	}

	@Test
	void algorithmOfTheRuleDoesNotCountACalendar() {
		RateLimitRule.Builder rule = RateLimitRule.named("quota")
			.limit(Limit.ofCalendar(5, CalendarUnit.MONTH, ZoneOffset.UTC));
		assertThat(rule.algorithm(Algorithm.FIXED_WINDOW).build().limits())
			.containsExactly(Limit.ofCalendar(5, CalendarUnit.MONTH, ZoneOffset.UTC));
		assertThatExceptionOfType(InvalidAttributeException.class)
			.isThrownBy(() -> rule.algorithm(Algorithm.TOKEN_BUCKET).build())
			.withMessageStartingWith("calendar = month is invalid: it has no effect with the algorithm token-bucket");
	}

	@Test
	void onlyLimitIsCalledLikeItsRule() {
		assertThat(RateLimitRule.named("reply").limit(PER_DAY).build().nameOf(PER_DAY)).isEqualTo("reply");
	}

	@Test
	void oneOfSeveralLimitsIsCalledLikeRuleAndLimit() {
		RateLimitRule rule = RateLimitRule.named("sms").limit(PER_MINUTE).limit(PER_DAY).build();
		assertThat(rule.limits().stream().map(rule::nameOf)).containsExactly("sms-minute", "sms-day");
	}

	@Test
	void defaultIsReplacedIfAlgorithmIsNotSet() {
		RateLimitRule rule = RateLimitRule.named("sms")
			.limit(PER_MINUTE.withAlgorithm(Algorithm.TOKEN_BUCKET))
			.limit(PER_DAY)
			.key("#phone")
			.onStoreFailure(OnStoreFailure.ALLOW)
			.mode(Mode.SHADOW)
			.build();
		RateLimitRule counted = rule.withDefault(Algorithm.SLIDING_LOG);
		assertThat(counted.limits()).extracting(Limit::algorithm)
			.containsExactly(Algorithm.TOKEN_BUCKET, Algorithm.SLIDING_LOG);
		assertThat(counted.key()).isEqualTo("#phone");
		assertThat(counted.onStoreFailure()).isEqualTo(OnStoreFailure.ALLOW);
		assertThat(counted.mode()).isEqualTo(Mode.SHADOW);
		assertThat(counted.withDefault(Mode.OFF)).isSameAs(counted);
		assertThat(counted.withDefault(Algorithm.TOKEN_BUCKET)).isSameAs(counted);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "''|reply", "Reply|reply", "re ply|re-ply", "reply:|reply", "reply}|reply",
			"réply|r-ply", "sendSms|send-sms", "send_sms|send-sms", "'reply\n'|reply", "回复|reply" })
	void refusesNamesThatWouldNotFitIntoKeys(String name, String similar) {
		assertThatExceptionOfType(RateLimitConfigurationException.class).isThrownBy(() -> RateLimitRule.named(name))
			.withMessage("name = \"" + name
					+ "\" is invalid: the name of a rule becomes part of Redis keys, headers and metric tags. "
					+ "Use 1 to 100 lower case letters, digits and hyphens, \"" + similar + "\" for example.");
	}

	@Test
	void nameHasAtMostHundredCharacters() {
		assertThat(RateLimitRule.named("r".repeat(100))).isNotNull();
		assertThatExceptionOfType(RateLimitConfigurationException.class)
			.isThrownBy(() -> RateLimitRule.named("r".repeat(101)));
	}

	@Test
	void needsALimit() {
		assertThatExceptionOfType(RateLimitConfigurationException.class)
			.isThrownBy(() -> RateLimitRule.named("reply").build())
			.withMessage("Rule \"reply\" has no limit. Give it one: limit(5, Duration.ofSeconds(60)) for example.");
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = "minute")
	void severalLimitsNeedDifferentNames(String name) {
		Limit second = (name != null) ? PER_DAY.withName(name) : Limit.of(10, Duration.ofDays(1));
		assertThatExceptionOfType(InvalidAttributeException.class)
			.isThrownBy(() -> RateLimitRule.named("sms").limit(PER_MINUTE).limit(second).build())
			.withMessageStartingWith("limits[1].name ")
			.withMessageContaining("rule \"sms\" has several limits, and each needs a name of its own.")
			.withMessageContaining("Name them, \"minute\" and \"day\" for example.");
	}

	@Test
	void equalsByAllAttributes() {
		RateLimitRule rule = RateLimitRule.named("reply").limit(5, MINUTE).key("#a").build();
		assertThat(RateLimitRule.named("reply").limit(5, MINUTE).key("#a").build()).isEqualTo(rule)
			.hasSameHashCodeAs(rule);
		assertThat(RateLimitRule.named("reply").limit(5, MINUTE).key("#b").build()).isNotEqualTo(rule);
		assertThat(RateLimitRule.named("reply").limit(6, MINUTE).key("#a").build()).isNotEqualTo(rule);
		assertThat(RateLimitRule.named("other").limit(5, MINUTE).key("#a").build()).isNotEqualTo(rule);
		assertThat(rule.withDefault(Mode.SHADOW)).isNotEqualTo(rule);
		assertThat(rule.withDefault(Mode.SHADOW).withDefault(Mode.OFF)).isEqualTo(rule.withDefault(Mode.SHADOW));
	}

}
