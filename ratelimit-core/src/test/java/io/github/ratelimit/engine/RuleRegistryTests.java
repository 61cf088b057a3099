package io.github.ratelimit.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Mode;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.store.local.LocalRateLimitStore;

import static io.github.ratelimit.engine.Definitions.annotation;
import static io.github.ratelimit.engine.Definitions.limit;
import static io.github.ratelimit.engine.Definitions.properties;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.fail;

class RuleRegistryTests {

	private static final Duration HOUR = Duration.ofHours(1);

	@Test
	void unknownRuleListsTheKnownOnes() {
		RuleRegistry registry = registry(properties("sms", limit(1L, 60)), properties("reply", limit(5L, 60)));
		assertThatIllegalArgumentException().isThrownBy(() -> registry.limiter("rply"))
			.withMessage("There is no rate limit rule \"rply\". Known: reply, sms. Did you mean reply?");
		assertThatIllegalArgumentException().isThrownBy(() -> registry().limiter("reply"))
			.withMessage("There is no rate limit rule \"reply\". Known: none.");
	}

	@Test
	void rulesAreAnOrderedSnapshot() {
		RuleRegistry registry = registry(properties("sms", limit(1L, 60)), properties("reply", limit(5L, 60)));
		var before = registry.rules();
		registry.register(rule("a", 1));
		assertThat(before).extracting(RateLimitRule::name).containsExactly("reply", "sms");
		assertThat(registry.rules()).extracting(RateLimitRule::name).containsExactly("a", "reply", "sms");
	}

	@Test
	void ruleOfAProgramIsRemoved() {
		RuleRegistry registry = registry();
		RateLimiter limiter = registry.register(rule("a", 2));
		assertThat(limiter.tryAcquire("key").remaining()).isEqualTo(1);
		registry.remove("a");
		assertThat(registry.rules()).isEmpty();
		assertThatIllegalArgumentException().isThrownBy(() -> registry.limiter("a"));
		assertThat(limiter.tryAcquire("key").remaining()).isZero();
		assertThat(registry.register(rule("a", 3)).tryAcquire("key").remaining()).isZero();
	}

	@Test
	void rulesThatAreSwitchedOffStayOff() {
		RuleRegistry registry = registry(properties("sms", limit(1L, 60)));
		registry.switchOff();
		registry.override(List.of(new RuleOverride("sms", Mode.ENFORCE, new TreeMap<>(), Instant.EPOCH)), List.of());
		registry.register(rule("a", 1));
		registry.define(annotation("reply", limit(5L, 60)));
		assertThat(registry.rules()).hasSize(3).extracting(RateLimitRule::mode).containsOnly(Mode.OFF);
		assertThat(registry.limiter("a").tryAcquire("key", 2).origin()).isEqualTo(Decision.Origin.NONE);
	}

	@Test
	void ruleOfAnotherSourceIsNotRemoved() {
		RuleRegistry registry = registry(properties("sms", limit(1L, 60)));
		registry.define(annotation("reply", limit(5L, 60)));
		registry.register(rule("reply", 9));
		registry.register(rule("mail", 9));
		registry.define(annotation("mail", Definitions.NOTHING));
		for (String name : List.of("sms", "reply", "mail")) {
			assertThatIllegalArgumentException().isThrownBy(() -> registry.remove(name))
				.withMessage(
						"Rate limit rule \"" + name + "\" cannot be removed: an annotation or a property defines or "
								+ "names it. Remove that, or change the rule by register().");
		}
		assertThatIllegalArgumentException().isThrownBy(() -> registry.remove("rply")).withMessageContaining("reply");
		assertThat(registry.rules()).hasSize(3);
	}

	@Test
	void ruleOfAProgramWinsWheneverItIsRegistered() {
		RuleDefinition annotation = annotation("reply", limit(7L, 7));
		RuleDefinition properties = properties("reply", limit(9L, null));
		RuleRegistry early = registry(properties);
		early.register(rule("reply", 1));
		early.define(annotation);
		RuleRegistry late = registry(properties);
		late.define(annotation);
		late.register(rule("reply", 1));
		for (RuleRegistry registry : List.of(early, late)) {
			registry.reconfigure(List.of(properties("reply", limit(8L, null))),
					(mistake) -> fail(mistake.getMessage()));
			assertThat(registry.limiter("reply").rule().limits()).extracting(Limit::max).containsExactly(1L);
			assertThat(registry.sources("reply").annotation()).isEqualTo(annotation);
		}
	}

	@Test
	void ruleOfAProgramNeedsNoLimitInThePropertiesThatAnAnnotationNames() {
		List<RuleDefinition> incomplete = List.of(properties("reply", null, OnStoreFailure.DENY),
				properties("reply", limit(9L, null)),
				properties("reply", limit(null, null, null, null, Algorithm.TOKEN_BUCKET)));
		for (RuleDefinition properties : incomplete) {
			RuleRegistry registry = registry(properties);
			RateLimiter limiter = registry.register(rule("reply", 1));
			assertThat(registry.define(annotation("reply", Definitions.NOTHING))).isSameAs(limiter);
			registry.verify((mistake) -> fail(mistake.getMessage()));
			assertThat(limiter.rule().limits()).extracting(Limit::max).containsExactly(1L);
			assertThat(registry.sources("reply").properties()).isEqualTo(properties);
		}
	}

	@Test
	void incompletePropertiesOfARuleOfAProgramMayAppearLater() {
		RuleRegistry registry = registry();
		RateLimiter limiter = registry.register(rule("reply", 1));
		registry.define(annotation("reply", Definitions.NOTHING));
		RuleDefinition properties = properties("reply", null, OnStoreFailure.DENY);
		registry.reconfigure(List.of(properties), (mistake) -> fail(mistake.getMessage()));
		assertThat(limiter.rule().limits()).extracting(Limit::max).containsExactly(1L);
		assertThat(registry.sources("reply").properties()).isEqualTo(properties);
	}

	@Test
	void annotationOfARuleOfAProgramIsStillVerified() {
		RuleRegistry registry = registry();
		registry.register(rule("reply", 1));
		assertThatExceptionOfType(RateLimitConfigurationException.class)
			.isThrownBy(() -> registry.define(annotation("reply", limit(0L, 60))))
			.withMessageContaining("max = 0 is invalid");
	}

	@Test
	void defaultAlgorithmIsResolved() {
		RuleRegistry registry = new RuleRegistry(engine(), Algorithm.TOKEN_BUCKET, List.of());
		assertThat(registry.define(annotation("reply", limit(5L, 60))).rule().limits().get(0).algorithm())
			.isEqualTo(Algorithm.TOKEN_BUCKET);
		assertThat(registry.register(rule("sms", 1)).rule().limits().get(0).algorithm())
			.isEqualTo(Algorithm.TOKEN_BUCKET);
	}

	@Test
	void environmentOverridesTheAnnotation() {
		RuleRegistry registry = registry(properties("reply", limit(9L, null)));
		assertThat(registry.define(annotation("reply", limit(5L, 3_600))).rule().limits())
			.containsExactly(Limit.of(9, HOUR).withAlgorithm(Algorithm.SLIDING_LOG));
		verify(registry);
	}

	@Test
	void defaultAlgorithmOfTheEnvironmentOverridesThatOfTheAnnotation() {
		RuleRegistry registry = registry(properties("reply", limit(null, null, null, null, Algorithm.DEFAULT)));
		assertThat(registry.define(annotation("reply", limit(null, 5L, 60, null, Algorithm.TOKEN_BUCKET))).rule())
			.hasToString("reply [sliding-log 5 per 1m]");
	}

	@Test
	void algorithmThatDoesNotUseAnAttributeOfTheAnnotationIsTheMistake() {
		RuleRegistry registry = registry(properties("reply", limit(null, null, null, null, Algorithm.SLIDING_LOG)));
		RuleDefinition annotation = annotation("reply", limit(null, 5L, 60, 7L, Algorithm.TOKEN_BUCKET));
		assertThatExceptionOfType(RateLimitConfigurationException.class).isThrownBy(() -> registry.define(annotation))
			.withMessage(
					"ratelimit.rules.reply.algorithm over @RateLimited on ReplyService.reply(String): burst = 7 is "
							+ "invalid: it has no effect with the algorithm sliding-log, only with token-bucket and "
							+ "leaky-bucket. Remove it, or write algorithm: token-bucket or algorithm: leaky-bucket.");
		RuleDefinition wrong = annotation("reply", limit(null, 0L, 60, 7L, Algorithm.TOKEN_BUCKET));
		assertThatExceptionOfType(RateLimitConfigurationException.class).isThrownBy(() -> registry.define(wrong))
			.withMessageStartingWith("@RateLimited on ReplyService.reply(String): max = 0 is invalid");
	}

	@Test
	void environmentOverridesKeyAndPolicy() {
		RuleRegistry registry = registry(properties("reply", "#userId", OnStoreFailure.DENY));
		RateLimitRule rule = registry.define(annotation("reply", limit(5L, 3_600))).rule();
		assertThat(rule.key()).isEqualTo("#userId");
		assertThat(rule.onStoreFailure()).isEqualTo(OnStoreFailure.DENY);
		assertThat(rule.limits()).hasSize(1);
	}

	@Test
	void incompleteRuleIsRefused() {
		RuleRegistry registry = registry(properties("reply", limit(9L, null)));
		assertThat(registry.rules()).isEmpty();
		assertThatExceptionOfType(RateLimitConfigurationException.class).isThrownBy(() -> verify(registry))
			.withMessageStartingWith("ratelimit.rules.reply.period is missing: ");
	}

	@Test
	void annotationsThatAgreeShareTheRule() {
		RuleRegistry registry = registry();
		RateLimiter first = registry.define(annotation("reply", "A.a()", limit(5L, 60)));
		assertThat(registry.define(annotation("reply", "B.b()", limit(5L, 60)))).isSameAs(first);
	}

	@Test
	void annotationsThatDisagreeAreReportedWithBothPlacesAndTheRemedy() {
		RuleRegistry registry = registry();
		registry.define(annotation("reply", "A.a()", limit(5L, 60)));
		assertThatExceptionOfType(RateLimitConfigurationException.class)
			.isThrownBy(() -> registry.define(annotation("reply", "B.b()", limit(6L, 60))))
			.withMessage(
					"@RateLimited on B.b() and @RateLimited on A.a() both define the rule \"reply\", but not alike. "
							+ "Give them different names, or write the limit once, as ratelimit.rules.reply, "
							+ "and only the name in the annotations.");
	}

	@Test
	void invalidRuleOfThePropertiesIsRefusedWithItsMistakeWhenAProgramRequestsIt() {
		RuleRegistry registry = registry(properties("sms", limit(0L, 60)), properties("reply", limit(5L, null)));
		assertThatExceptionOfType(RateLimitConfigurationException.class).isThrownBy(() -> registry.limiter("sms"))
			.withMessageStartingWith("ratelimit.rules.sms.max = 0 is invalid");
		assertThatIllegalArgumentException().as("an annotation may complete it")
			.isThrownBy(() -> registry.limiter("reply"))
			.withMessageStartingWith("There is no rate limit rule \"reply\"");
	}

	@Test
	void registeredRuleTakesEffectAndKeepsConsumedUnits() {
		RuleRegistry registry = registry();
		RateLimiter limiter = registry.register(rule("reply", 100));
		limiter.tryAcquire("key", 2);
		assertThat(registry.register(rule("reply", 10))).isSameAs(limiter).isSameAs(registry.limiter("reply"));
		assertThat(limiter.rule().limits().get(0).max()).isEqualTo(10);
		assertThat(limiter.peek("key").remaining()).isEqualTo(8);
		assertThat(limiter.tryAcquire("key").remaining()).isEqualTo(7);
	}

	@Test
	void limiterLooksTakesAndForgets() {
		RateLimiter limiter = registry().register(rule("reply", 3));
		assertThat(limiter.tryAcquire("key").remaining()).isEqualTo(2);
		assertThat(limiter.tryAcquireAsync("key", 2).toCompletableFuture().join().remaining()).isZero();
		assertThat(limiter.tryAcquire("key").allowed()).isFalse();
		assertThat(limiter.tryAcquire("other").allowed()).isTrue();
		assertThat(limiter.peek("key").allowed()).isTrue();
		limiter.reset("key");
		assertThat(limiter.peek("key").remaining()).isEqualTo(3);
		assertThat(limiter).hasToString("RateLimiter[reply [sliding-log 3 per 1h]]");
	}

	@Test
	void negativeCostIsRefused() {
		RateLimiter limiter = registry().register(rule("reply", 3));
		assertThatIllegalArgumentException().isThrownBy(() -> limiter.tryAcquire("key", -1))
			.withMessage("The cost of a call of rule \"reply\" has to be 0 or more, but is -1. "
					+ "To refund units, call refund().");
		assertThatIllegalArgumentException().isThrownBy(() -> limiter.tryAcquireAsync("key", Long.MIN_VALUE));
	}

	private static void verify(RuleRegistry registry) {
		registry.verify((mistake) -> {
			throw mistake;
		});
	}

	private static RuleRegistry registry(RuleDefinition... configured) {
		return new RuleRegistry(engine(), Algorithm.SLIDING_LOG, List.of(configured));
	}

	private static RateLimitEngine engine() {
		LocalRateLimitStore store = new LocalRateLimitStore(100);
		return Engines.over(store);
	}

	private static RateLimitRule rule(String name, long max) {
		return RateLimitRule.named(name).limit(max, HOUR).build();
	}

}
