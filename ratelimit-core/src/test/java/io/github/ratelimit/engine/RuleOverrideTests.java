package io.github.ratelimit.engine;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.Adaptive;
import io.github.ratelimit.Algorithm;
import io.github.ratelimit.CalendarUnit;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Headroom;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.attribute.LimitAttributes;
import io.github.ratelimit.Mode;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.adaptive.LoadAdaptation;
import io.github.ratelimit.store.local.LocalRateLimitStore;
import io.github.ratelimit.store.local.LocalFallbackStore;

import static io.github.ratelimit.engine.Definitions.annotation;
import static io.github.ratelimit.engine.Definitions.limit;
import static io.github.ratelimit.engine.Definitions.properties;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Overrides at run time win over the environment, which wins over annotations.
 */
class RuleOverrideTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private static final Instant MADE = Instant.parse("2026-11-22T08:30:00Z");

	private final RuleRegistry registry = new RuleRegistry(engine(), Algorithm.SLIDING_LOG,
			List.of(properties("reply", limit(9L, null)), properties("sms", LimitAttributes.NONE,
					limit("minute", 1L, 60, null, null), limit("day", 10L, 86_400, null, null))));

	private static RateLimitEngine engine() {
		return Engines.over(new LocalRateLimitStore(100));
	}

	@Test
	void holdsFromTheNextCallKeepsConsumedUnitsAndCanBeReverted() {
		this.registry.define(annotation("reply", limit(5L, 3600)));
		var limiter = this.registry.limiter("reply");
		limiter.tryAcquire("key", 2);
		override(max("reply", 10));
		assertThat(limiter.peek("key").remaining()).isEqualTo(8);
		override(max("reply", 1));
		assertThat(limiter.peek("key").remaining()).isZero();
		override();
		assertThat(limiter.peek("key").remaining()).isEqualTo(7);
	}

	@Test
	void denialFromBeforeTheChangeIsNotRemembered() {
		RateLimitEngine remembering = new RateLimitEngine(new LocalRateLimitStore(100), () -> OnStoreFailure.LOCAL,
				new LocalFallbackStore(100, 1), new LoadAdaptation(Map.of(), Duration.ofSeconds(1)),
				new DenyCache(100, HOUR));
		RuleRegistry rules = new RuleRegistry(remembering, Algorithm.SLIDING_LOG, List.of());
		var limiter = rules.register(RateLimitRule.named("reply").limit(1, HOUR).build());
		limiter.tryAcquire("key");
		limiter.tryAcquire("key");
		assertThat(limiter.tryAcquire("key").origin()).isEqualTo(Decision.Origin.DENY_CACHE);
		rules.override(List.of(max("reply", 2)), List.of());
		assertThat(limiter.tryAcquire("key").allowed()).isTrue();
		limiter.tryAcquire("key");
		rules.override(List.of(override("reply", Mode.OFF, Map.of())), List.of());
		assertThat(limiter.tryAcquire("key").allowed()).isTrue();
	}

	@Test
	void unchangedRulesStayTheSameObject() {
		this.registry.define(annotation("reply", limit(5L, 3600)));
		override(max("reply", 10), max("sms", "day", 20));
		RateLimitRule before = this.registry.limiter("reply").rule();
		override(max("reply", 10), max("sms", "day", 21));
		assertThat(this.registry.limiter("reply").rule()).isSameAs(before);
		assertThat(this.registry.limiter("sms").rule())
			.hasToString("sms [sliding-log 1 per 1m, sliding-log 21 per 1d]");
	}

	@Test
	void staysOnTopOfLaterDefinitions() {
		override(max("reply", 10), max("later", 3));
		this.registry.define(annotation("reply", limit(5L, 3600)));
		assertReply("reply [sliding-log 10 per 1h]");
		this.registry.reconfigure(List.of(properties("reply", limit(7L, 60))), (mistake) -> {
			throw mistake;
		});
		assertReply("reply [sliding-log 10 per 1m]");
		this.registry.register(RateLimitRule.named("reply").limit(6, HOUR).build());
		assertReply("reply [sliding-log 10 per 1h]");
		this.registry.register(RateLimitRule.named("later").limit(6, HOUR).build());
		assertThat(this.registry.limiter("later").rule()).hasToString("later [sliding-log 3 per 1h]");
		override();
		assertReply("reply [sliding-log 6 per 1h]");
	}

	private void assertReply(String rule) {
		assertThat(this.registry.limiter("reply").rule()).hasToString(rule);
	}

	@Test
	void overrideThatARuleCannotFollowIsLoggedOnceAndIgnored() {
		try (RecordedLog log = new RecordedLog(OverriddenRules.class)) {
			override(max("sms", 5));
			override(max("sms", 5), max("other", 5));
			this.registry.register(RateLimitRule.named("reply").limit(6, HOUR).build());
			override(max("sms", 5), max("reply", 20_000));
			assertReply("reply [sliding-log 6 per 1h]");
			assertThat(log.lines()).hasSize(2);
			assertThat(log.lines().get(0)).isEqualTo("SEVERE The override of the rate limit rule \"sms\", made "
					+ "2026-11-22T08:30:00Z, does not fit the rule here and is ignored. limit is missing: rule \"sms\" has "
					+ "several: day, minute. Write which of them to change, \"limit\": \"day\" for example.");
			assertThat(this.registry.sources("sms").atRunTime().ignoredBecause()).startsWith("limit is missing");
			this.registry
				.register(RateLimitRule.named("reply").limit(6, HOUR).algorithm(Algorithm.TOKEN_BUCKET).build());
			assertReply("reply [token-bucket 20000 per 1h]");
			assertThat(this.registry.sources("reply").atRunTime().ignoredBecause()).isNull();
			assertThat(this.registry.limiter("sms").rule().limits()).extracting(Limit::max).containsExactly(1L, 10L);
		}
	}

	@Test
	void overrideChangesNumbersOfASingleCallThatLeaveNothingToAClass() {
		this.registry
			.register(RateLimitRule.named("api").limit(100, HOUR).headroom("low", Headroom.ofUnits(50)).build());
		try (RecordedLog log = new RecordedLog(OverriddenRules.class)) {
			RuleOverride override = override("api", null, Map.of(RuleOverride.ONLY_LIMIT,
					LimitAttributes.NONE.with(LimitAttribute.PERIOD, Duration.ofSeconds(30))));
			this.registry.override(List.of(override),
					List.of(new CandidateOverride("api", "tried", max("api", 90).limits(), MADE)));
			assertThat(this.registry.limiter("api").demand("key", 1, Limit.of(40, HOUR)).counts().rule())
				.hasToString("api [sliding-log 40 per 30s]");
			assertThat(log.lines()).isEmpty();
			assertThat(this.registry.sources("api").atRunTime().ignoredBecause()).isNull();
		}
	}

	@Test
	void overrideThatDoesNotFitNumbersOfASingleCallIsStillThatOfTheRule() {
		this.registry.register(RateLimitRule.named("bucket").limit(10, HOUR).algorithm(Algorithm.TOKEN_BUCKET).build());
		override(max("bucket", 1));
		Limit slow = Limit.of(1_000, Limit.MAX_PERIOD).withBurst(5_000);
		assertThat(this.registry.limiter("bucket").demand("key", 1, slow).rule().limits().get(0).max())
			.isEqualTo(1_000);
		assertThat(this.registry.sources("bucket").atRunTime().ignoredBecause()).isNull();
		assertThat(this.registry.limiter("bucket").rule().limits().get(0).max()).isEqualTo(1);
	}

	@ParameterizedTest
	@MethodSource
	void overrideThatARuleCannotFollowIsRefused(RateLimitRule rule, RuleOverride override, String message) {
		this.registry.register(rule);
		assertThatExceptionOfType(RateLimitConfigurationException.class)
			.isThrownBy(() -> this.registry.validate(override))
			.withMessageStartingWith(message);
	}

	static List<Arguments> overrideThatARuleCannotFollowIsRefused() {
		RateLimitRule one = RateLimitRule.named("one").limit(5, HOUR).build();
		RateLimitRule adaptive = RateLimitRule.named("one")
			.limit(5, HOUR)
			.adaptive(new Adaptive("memory", new Adaptive.Point(0.6, 100), new Adaptive.Point(0.9, 10)))
			.build();
		RateLimitRule quota = RateLimitRule.named("one")
			.limit(Limit.ofCalendar(5, CalendarUnit.MONTH, ZoneId.of("Europe/Paris")))
			.build();
		LimitAttributes day = LimitAttributes.NONE.with(LimitAttribute.PERIOD, Duration.ofDays(1));
		RateLimitRule busy = RateLimitRule.named("one").limit(5, HOUR).headroom("low", Headroom.ofUnits(4)).build();
		RateLimitRule slow = RateLimitRule.named("one")
			.limit(1000, HOUR)
			.algorithm(Algorithm.TOKEN_BUCKET)
			.burst(50_000_000)
			.build();
		return List.of(
				Arguments.of(one, max("one", 0),
						"max of \"one\" = 0 is invalid: it has to be between 1 and 1000000000."),
				Arguments.of(one, max("one", 10_001),
						"max of \"one\" = 10001 is invalid: the algorithm sliding-log keeps"),
				Arguments.of(one, max("one", "day", 5), "limit = \"day\" is invalid: rule \"one\" has one limit only."),
				Arguments.of(adaptive, max("one", 50),
						"max of \"one\" = 50 is invalid: adaptive derives it from the load of each instance."),
				Arguments.of(quota, override("one", null, Map.of(RuleOverride.ONLY_LIMIT, day)),
						"period of \"one\" = 1d is invalid: the limit counts by the calendar, month in Europe/Paris."),
				Arguments.of(busy, max("one", 4),
						"headroom.low = 4 is invalid: no call of this class would be admitted"),
				Arguments.of(slow, max("one", 1),
						"burst of \"one\" = 50000000 is invalid: at 1 per 1h an empty bucket takes more than"));
	}

	@Test
	void remedyForAnotherAttributeIsForTheProperties() {
		this.registry.register(RateLimitRule.named("one").limit(5, HOUR).build());
		assertThatExceptionOfType(RateLimitConfigurationException.class)
			.isThrownBy(() -> this.registry.validate(max("one", 10_001)))
			.withMessageContaining("Write algorithm: token-bucket in the properties, ");
	}

	@Test
	void valuesAreJudgedTogether() {
		this.registry.register(RateLimitRule.named("one")
			.limit(1000, HOUR)
			.algorithm(Algorithm.TOKEN_BUCKET)
			.burst(50_000_000)
			.build());
		LimitAttributes both = LimitAttributes.NONE.with(LimitAttribute.MAX, 1L)
			.with(LimitAttribute.PERIOD, Duration.ofMillis(1));
		assertThatCode(() -> this.registry.validate(override("one", null, Map.of(RuleOverride.ONLY_LIMIT, both))))
			.doesNotThrowAnyException();
	}

	@Test
	void laterChangeIsBesideTheEarlier() {
		RuleOverride mode = override("sms", Mode.SHADOW, Map.of());
		assertThat(max("sms", "day", 5).after(mode).after(max("sms", "minute", 2)).after(null))
			.isEqualTo(override("sms", Mode.SHADOW, Map.of("day", LimitAttributes.NONE.with(LimitAttribute.MAX, 5L),
					"minute", LimitAttributes.NONE.with(LimitAttribute.MAX, 2L))));
	}

	@Test
	void everyValueHasItsSource() {
		this.registry.define(annotation("reply", limit(5L, 3600)));
		RateLimitRule rule = this.registry.limiter("reply").rule();
		RuleProvenance sources = this.registry.sources("reply");
		assertThat(sources.of(rule, 0, "max")).isEqualTo("ratelimit.rules.reply.max");
		assertThat(sources.of(rule, 0, "period")).isEqualTo("@RateLimited on ReplyService.reply(String): period");
		assertThat(sources.of(rule, 0, "algorithm")).isEqualTo("ratelimit.defaults.algorithm");
		assertThat(sources.of("mode")).isEqualTo("ratelimit.defaults.mode");
		RateLimitRule sms = this.registry.limiter("sms").rule();
		assertThat(this.registry.sources("sms").of(sms, 1, "max")).isEqualTo("ratelimit.rules.sms.limits[1].max");
		override(max("sms", "day", 20), override("reply", Mode.OFF, Map.of()));
		assertThat(this.registry.sources("sms").of(this.registry.limiter("sms").rule(), 1, "max"))
			.isEqualTo("run time");
		assertThat(this.registry.sources("sms").of(sms, 0, "max")).isEqualTo("ratelimit.rules.sms.limits[0].max");
		assertThat(this.registry.sources("reply").of("mode")).isEqualTo("run time");
		this.registry.register(RateLimitRule.named("reply").limit(6, HOUR).build());
		assertThat(this.registry.sources("reply").of(rule, 0, "max")).isEqualTo("program");
	}

	private void override(RuleOverride... overrides) {
		this.registry.override(List.of(overrides), List.of());
	}

	static RuleOverride max(String rule, long max) {
		return max(rule, RuleOverride.ONLY_LIMIT, max);
	}

	private static RuleOverride max(String rule, String limit, long max) {
		return override(rule, null, Map.of(limit, LimitAttributes.NONE.with(LimitAttribute.MAX, max)));
	}

	private static RuleOverride override(String rule, Mode mode, Map<String, LimitAttributes> limits) {
		return new RuleOverride(rule, mode, new TreeMap<>(limits), MADE);
	}

}
