package io.github.ratelimit.override;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Iterator;
import java.util.List;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.attribute.LimitAttributes;
import io.github.ratelimit.Mode;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.Engines;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.RecordedLog;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.store.FallbackStore;
import io.github.ratelimit.store.RemoteStore;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.local.LocalRateLimitStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.argThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.BDDMockito.willDoNothing;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;

/**
 * Instances that share overrides by operators in one store.
 */
class RuleOverrideRegistryTests {

	private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-11-22T08:30:00.123456Z"), ZoneOffset.UTC);

	private final SharedOverrideStore store = new SharedOverrideStore(() -> 0);

	private final RateLimitEngine engine = engine();

	private final RateLimitEngine otherEngine = engine();

	private final RuleRegistry registry = registry(this.engine);

	private final RuleRegistry others = registry(this.otherEngine);

	@AutoClose
	private final RuleOverrideRegistry overrides = overrides(this.registry, this.engine);

	@AutoClose
	private final RuleOverrideRegistry other = overrides(this.others, this.otherEngine);

	@Test
	void changeIsInForceHereWhenItIsMadeAndElsewhereSoon() {
		this.other.start();
		this.overrides.change("reply", null, null, max(10), "ann");
		assertThat(this.registry.limiter("reply").rule()).hasToString("reply [sliding-log 10 per 1h]");
		await().untilAsserted(
				() -> assertThat(this.others.limiter("reply").rule()).hasToString("reply [sliding-log 10 per 1h]"));
		assertThat(this.overrides.inForce()).extracting("made")
			.containsExactly(Instant.parse("2026-11-22T08:30:00.123Z"));
	}

	@Test
	void changesOfTwoInstancesAreBesideEachOther() {
		this.overrides.change("reply", null, null, max(10), "ann");
		this.other.change("reply", Mode.SHADOW, null, LimitAttributes.NONE, "ann");
		this.overrides.change("reply", null, "reply",
				LimitAttributes.NONE.with(LimitAttribute.PERIOD, Duration.ofDays(1)), "ann");
		assertThat(this.store.read(OverrideStore.RULES)).containsEntry("reply",
				"made=2026-11-22T08:30:00.123Z mode=shadow max=10 period=86400000");
		assertThat(this.registry.limiter("reply").rule()).hasToString("reply [sliding-log 10 per 1d]");
		assertThat(this.registry.limiter("reply").rule().mode()).isEqualTo(Mode.SHADOW);
	}

	@Test
	void candidateIsTriedAdoptedAndRemovedByWhatOthersHaveJustChanged() {
		this.overrides.change("reply", null, null, max(10), "ann");
		this.other.tryCandidate("reply", "slow", null,
				LimitAttributes.NONE.with(LimitAttribute.PERIOD, Duration.ofDays(1)), "ann");
		assertThat(this.store.read(OverrideStore.RULES).get("reply?slow")).endsWith(" max=10 period=86400000");
		this.overrides.adopt("reply", "slow", "ann");
		assertThat(this.registry.limiter("reply").rule().limits()).hasToString("[sliding-log 10 per 1d]");
		for (RuleRegistry each : List.of(this.registry, this.others)) {
			each.register(RateLimitRule.named("login")
				.limit(5, Duration.ofHours(1))
				.candidate("tight", Limit.of(3, Duration.ofHours(1)))
				.build());
		}
		assertThat(this.overrides.removeCandidate("login", "tight", "ann")).isTrue();
		assertThat(this.other.removeCandidate("login", "tight", "bob")).isFalse();
		this.overrides.tryCandidate("login", "tight", null, max(2), "ann");
		assertThat(this.other.removeCandidate("login", "tight", "bob")).isTrue();
	}

	@Test
	void changeIsRepeatedAfterAConcurrentChange() {
		this.store.overtaking = () -> this.other.change("reply", Mode.SHADOW, null, LimitAttributes.NONE, "ann");
		this.overrides.change("reply", null, null, max(10), "ann");
		assertThat(this.store.read(OverrideStore.RULES).get("reply")).endsWith(" mode=shadow max=10");
	}

	@Test
	void changeIsRepeatedAfterAConcurrentOneThatWasReadMeanwhile() {
		RemoteStore redis = mock();
		given(redis.origin()).willReturn(Decision.Origin.REDIS);
		FallbackStore fallback = mock();
		RateLimitEngine overtaken = new RateLimitEngine(redis, () -> OnStoreFailure.LOCAL, fallback);
		try (RuleOverrideRegistry late = overrides(registry(overtaken), overtaken)) {
			Runnable nothing = () -> {
			};
			Runnable overtake = () -> {
				this.other.change("reply", Mode.SHADOW, null, LimitAttributes.NONE, "ann");
				late.start();
			};
			Iterator<Runnable> beforeAndAfterReading = List.of(nothing, overtake).iterator();
			willAnswer((judged) -> {
				(beforeAndAfterReading.hasNext() ? beforeAndAfterReading.next() : nothing).run();
				return null;
			}).given(fallback).validate(any());
			late.change("reply", null, null, max(10), "ann");
			assertThat(this.store.read(OverrideStore.RULES).get("reply")).endsWith(" mode=shadow max=10");
		}
	}

	@Test
	void ruleThatFailsKeepsNoOtherFromItsChangesAndIsTriedAgain() {
		RemoteStore redis = mock();
		given(redis.origin()).willReturn(Decision.Origin.REDIS);
		FallbackStore fallback = mock();
		RateLimitEngine failing = new RateLimitEngine(redis, () -> OnStoreFailure.LOCAL, fallback);
		RuleRegistry rules = registry(failing);
		willThrow(new IllegalStateException("broken")).given(fallback)
			.validate(argThat((rule) -> rule.name().equals("reply")));
		try (RuleOverrideRegistry late = overrides(rules, failing);
				RecordedLog log = new RecordedLog("io.github.ratelimit.engine.OverriddenRules")) {
			this.overrides.change("reply", null, null, max(10), "ann");
			this.overrides.change("sms", Mode.SHADOW, null, LimitAttributes.NONE, "ann");
			for (int i = 0; i < 2; i++) {
				late.remove("nothing", "ann");
				assertThat(rules.limiter("sms").rule().mode()).isEqualTo(Mode.SHADOW);
				assertThat(rules.limiter("reply").rule()).hasToString("reply [sliding-log 5 per 1h]");
				assertThat(rules.sources("reply").atRunTime().ignoredBecause()).contains("broken");
				assertThat(log.lines()).singleElement()
					.asString()
					.startsWith("SEVERE The rate limit rule \"reply\" does not follow its changes at run time");
			}
			willDoNothing().given(fallback).validate(any());
			late.remove("nothing", "ann");
			assertThat(rules.limiter("reply").rule()).hasToString("reply [sliding-log 10 per 1h]");
			assertThat(rules.sources("reply").atRunTime().ignoredBecause()).isNull();
		}
	}

	@Test
	void changeThatIsAlwaysOvertakenIsGivenUp() {
		this.store.refusing = true;
		assertThatExceptionOfType(ConflictingChangeException.class)
			.isThrownBy(() -> this.overrides.change("reply", null, null, max(10), "ann"));
		assertThat(this.registry.limiter("reply").rule()).hasToString("reply [sliding-log 5 per 1h]");
	}

	@Test
	void storeThatCannotAnswerChangesNothingAndKeepsKnownChanges() {
		this.overrides.change("reply", null, null, max(10), "ann");
		this.store.failure = new StoreException("gone", null);
		assertThatExceptionOfType(StoreException.class)
			.isThrownBy(() -> this.overrides.change("reply", null, null, max(11), "ann"));
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> this.overrides.remove("reply", "ann"));
		assertThatExceptionOfType(RateLimitConfigurationException.class)
			.isThrownBy(() -> this.overrides.change("reply", null, null, max(0), "ann"));
		assertThat(this.registry.limiter("reply").rule()).hasToString("reply [sliding-log 10 per 1h]");
	}

	@Test
	void storeThatRefusesToAnswerIsWarnedAboutOnceUntilItAnswers() {
		try (RecordedLog log = new RecordedLog(OverrideWatch.class)) {
			this.store.failure = new StoreException("NOPERM not allowed.", null, "noperm", false, "Allow it.");
			this.other.start();
			int readings = this.store.readings;
			await().until(() -> this.store.readings > readings + 1);
			String warning = "WARNING Changes of rate limit rules at run time are not seen (NOPERM not allowed). "
					+ "Allow it. Rules stay as they are.";
			assertThat(log.lines()).containsExactly(warning);
			this.store.failure = null;
			await().untilAsserted(() -> assertThat(log.lines()).containsExactly(warning,
					"INFO Changes of rate limit rules at run time are seen again."));
		}
	}

	@Test
	void changedRuleIsInForceEverywhereAlthoughOverridesOfKeysCannotBeRead() {
		this.store.replace("reply", "acme", null, new OverrideText("max=9"), "ann");
		this.store.keysFailure = new StoreException("WRONGTYPE", null);
		this.overrides.change("reply", null, null, max(10), "ann");
		assertThat(this.registry.limiter("reply").rule()).hasToString("reply [sliding-log 10 per 1h]");
		this.other.start();
		await().untilAsserted(
				() -> assertThat(this.others.limiter("reply").rule()).hasToString("reply [sliding-log 10 per 1h]"));
		this.store.keysFailure = null;
		await().untilAsserted(() -> assertThat(this.others.limiter("reply").peek("acme").limit()).isEqualTo(9));
	}

	@Test
	void removedRuleIsAsWritten() {
		assertThat(this.overrides.remove("reply", "ann")).isFalse();
		this.other.change("reply", null, null, max(10), "ann");
		assertThat(this.overrides.remove("reply", "ann")).isTrue();
		assertThat(this.registry.limiter("reply").rule()).hasToString("reply [sliding-log 5 per 1h]");
		assertThat(this.store.read(OverrideStore.RULES)).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "max", "max=", "max=many", "mode=shadwo", "made=now", "burst=3", "period=1s" })
	void invalidTextIsReportedOnceAndCanBeReplaced(String text) {
		try (RecordedLog log = new RecordedLog(AppliedOverrides.class)) {
			this.store.replace(OverrideStore.RULES, "reply", null, new OverrideText(text), "ann");
			this.overrides.remove("nothing", "ann");
			this.store.replace(OverrideStore.RULES, "sms", null, new OverrideText("made=2026-11-22T08:30:00Z max=3"),
					"ann");
			this.overrides.remove("nothing", "ann");
			assertThat(log.lines()).hasSize(2)
				.first()
				.asString()
				.startsWith("SEVERE The stored override of the rate limit rule \"reply\"");
			assertThat(this.registry.limiter("reply").rule()).hasToString("reply [sliding-log 5 per 1h]");
			this.overrides.change("reply", null, null, max(10), "ann");
			assertThat(this.registry.limiter("reply").rule()).hasToString("reply [sliding-log 10 per 1h]");
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					sms         | mode=shadow day.max=10 day.period=86400000 | The rate limit rule "sms" was changed at run time: mode: shadow, day.max: 10, day.period: 1d.
					reply?tight | max=5 period=1500 algorithm=token-bucket   | The candidate "tight" of the rate limit rule "reply" was changed at run time: max: 5, period: 1500ms, algorithm: token-bucket.
					reply?tight | removed=true                               | The candidate "tight" of the rate limit rule "reply" was removed at run time.
					""")
	void changeIsLoggedForPeople(String field, String text, String line) {
		try (RecordedLog log = new RecordedLog(AppliedOverrides.class)) {
			this.store.replace(OverrideStore.RULES, field, null, new OverrideText("made=2026-11-22T08:30:00Z " + text),
					"ann");
			this.overrides.remove("nothing", "ann");
			assertThat(log.lines()).containsExactly("INFO " + line);
		}
	}

	@Test
	void modeOfARuleWithSeveralLimitsIsChangedWithoutALimit() {
		this.overrides.change("sms", Mode.SHADOW, null, LimitAttributes.NONE, "ann");
		assertThat(this.store.read(OverrideStore.RULES).get("sms")).endsWith(" mode=shadow");
		assertThat(this.registry.limiter("sms").rule().mode()).isEqualTo(Mode.SHADOW);
	}

	@Test
	void namedLimitIsKeptByItsName() {
		this.overrides.change("sms", null, "day", max(10), "ann");
		this.overrides.change("sms", null, "sms-minute", max(2), "ann");
		assertThat(this.store.read(OverrideStore.RULES).get("sms")).endsWith(" day.max=10 minute.max=2");
		this.other.remove("nothing", "ann");
		assertThat(this.others.limiter("sms").rule()).hasToString("sms [sliding-log 2 per 1m, sliding-log 10 per 1d]");
	}

	private static LimitAttributes max(long max) {
		return LimitAttributes.NONE.with(LimitAttribute.MAX, max);
	}

	private static RateLimitEngine engine() {
		return Engines.over(new LocalRateLimitStore(100));
	}

	private RuleOverrideRegistry overrides(RuleRegistry registry, RateLimitEngine engine) {
		return new RuleOverrideRegistry(registry, new KeyOverrideRegistry(registry, engine.keys(), this.store, () -> 0),
				CLOCK);
	}

	private static RuleRegistry registry(RateLimitEngine engine) {
		RuleRegistry registry = new RuleRegistry(engine, Algorithm.SLIDING_LOG, List.of());
		registry.register(RateLimitRule.named("reply").limit(5, Duration.ofHours(1)).build());
		registry.register(RateLimitRule.named("sms")
			.limit(Limit.of(1, Duration.ofMinutes(1)).withName("minute"))
			.limit(Limit.of(5, Duration.ofDays(1)).withName("day"))
			.build());
		return registry;
	}

}
