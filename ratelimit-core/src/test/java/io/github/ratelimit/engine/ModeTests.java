package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.Mode;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.StoreException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Effect of a decision on a call, by the modes of its rules.
 */
class ModeTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private final FailingStore store = new FailingStore();

	@AutoClose
	private final RateLimitEngine engine = Engines.over(this.store);

	private final RuleRegistry registry = new RuleRegistry(this.engine, Algorithm.SLIDING_LOG, List.of());

	@AutoClose
	private final RecordedLog log = new RecordedLog(ShadowMode.class);

	@Test
	void ruleThatIsOffCallsNoStore() {
		RateLimiter limiter = limiter("off", 1, Mode.OFF);
		this.store.failure = new IllegalStateException("called");
		for (int i = 0; i < 3; i++) {
			assertThat(limiter.tryAcquire("key")).isEqualTo(new Decision(true, "off", 1, 1, Duration.ZERO,
					Duration.ZERO, Duration.ZERO, List.of(), List.of(), Decision.Origin.NONE));
		}
		assertThat(limiter.tryAcquireAsync("key", 5).toCompletableFuture().join().allowed()).isTrue();
		limiter.refund("key", 1);
	}

	@Test
	void ruleThatIsOffIsLeftOutOfACall() {
		limiter("off", 1, Mode.OFF);
		limiter("on", 2, Mode.ENFORCE);
		assertThat(acquire("off", "on").limits()).extracting(LimitStatus::name).containsExactly("on");
		assertThat(acquire("off", "on").allowed()).isTrue();
		assertThat(acquire("off", "on").violated()).containsExactly("on");
	}

	@Test
	void ruleThatIsSwitchedOnAgainKeepsEarlierCounts() {
		RateLimiter limiter = limiter("reply", 5, Mode.ENFORCE);
		limiter.tryAcquire("key", 2);
		limiter("reply", 5, Mode.OFF);
		limiter.tryAcquire("key", 2);
		limiter.refund("key", 2);
		limiter("reply", 5, Mode.ENFORCE);
		assertThat(limiter.peek("key").remaining()).isEqualTo(3);
	}

	@Test
	void shadowRuleCountsAndReportsButDoesNotDeny() {
		RateLimiter limiter = limiter("search", 2, Mode.SHADOW);
		assertThat(limiter.tryAcquire("key").remaining()).isEqualTo(1);
		assertThat(limiter.tryAcquire("key").remaining()).isZero();
		assertThat(this.log.lines()).isEmpty();
		Decision denied = limiter.tryAcquire("key");
		assertThat(denied).isEqualTo(new Decision(true, "search", 2, 0, Duration.ZERO, denied.resetAfter(),
				Duration.ZERO, List.of(), List.of(), Decision.Origin.REDIS));
		assertThat(denied.resetAfter()).isPositive();
		assertThat(this.log.lines())
			.containsExactly("FINE Rule \"search\" is in shadow mode. Enforced, [search] would have denied a call.");
	}

	@Test
	void shadowRuleDoesNotDenyAsynchronousCallsEither() {
		RateLimiter limiter = limiter("search", 1, Mode.SHADOW);
		limiter.tryAcquire("key");
		Decision denied = limiter.tryAcquireAsync("key").toCompletableFuture().join();
		assertThat(denied.allowed()).isTrue();
		assertThat(denied.retryAfter()).isZero();
		assertThat(this.log.lines()).hasSize(1);
	}

	@Test
	void countsOfAShadowRuleHoldWhenItIsEnforced() {
		RateLimiter limiter = limiter("search", 2, Mode.SHADOW);
		for (int i = 0; i < 3; i++) {
			limiter.tryAcquire("key");
		}
		limiter("search", 3, Mode.ENFORCE);
		assertThat(limiter.tryAcquire("key").allowed()).isTrue();
		assertThat(limiter.tryAcquire("key").allowed()).isFalse();
	}

	@Test
	void shadowRuleNeverDelays() throws InterruptedException {
		RateLimiter limiter = this.registry.register(RateLimitRule.named("even")
			.limit(1, HOUR)
			.algorithm(Algorithm.LEAKY_BUCKET)
			.maxWait(HOUR)
			.mode(Mode.SHADOW)
			.build());
		limiter.tryAcquire("key");
		assertThat(limiter.tryAcquire("key").delay()).isZero();
		assertThat(limiter.acquire("key", 1, HOUR.multipliedBy(9)).delay()).isZero();
	}

	@ParameterizedTest
	@EnumSource
	void shadowRuleBesideAnEnforcedOneCountsTheCallsThatTakePlace(Call call) {
		RateLimiter shadow = limiter("shadow", 9, Mode.SHADOW);
		limiter("on", 2, Mode.ENFORCE);
		for (int i = 0; i < 5; i++) {
			Decision decision = call.of(this, "shadow", "on");
			assertThat(decision.allowed()).isEqualTo(i < 2);
			assertThat(decision.limits()).extracting(LimitStatus::name).containsExactly("on");
		}
		assertThat(shadow.peek("key").remaining()).isEqualTo(7);
	}

	@ParameterizedTest
	@EnumSource
	void enforcedRuleCountsDespiteADenialInShadowMode(Call call) {
		limiter("shadow", 1, Mode.SHADOW);
		RateLimiter enforced = limiter("on", 5, Mode.ENFORCE);
		for (int i = 0; i < 3; i++) {
			Decision decision = call.of(this, "on", "shadow");
			assertThat(decision.allowed()).isTrue();
			assertThat(decision.rule()).isEqualTo("on");
			assertThat(decision.violated()).isEmpty();
		}
		assertThat(enforced.peek("key").remaining()).isEqualTo(2);
		assertThat(this.log.lines()).hasSize(2);
	}

	@Test
	void enforcedRulesAreAllOrNothingAndSoAreShadowRules() {
		RateLimiter narrow = limiter("narrow", 1, Mode.ENFORCE);
		RateLimiter wide = limiter("wide", 5, Mode.ENFORCE);
		limiter("narrow-shadow", 1, Mode.SHADOW);
		RateLimiter wideShadow = limiter("wide-shadow", 5, Mode.SHADOW);
		acquire("narrow-shadow");
		acquire("narrow", "narrow-shadow", "wide", "wide-shadow");
		assertThat(wideShadow.peek("key").remaining()).isEqualTo(5);
		assertThat(wide.peek("key").remaining()).isEqualTo(4);
		assertThat(acquire("narrow", "wide").allowed()).isFalse();
		assertThat(narrow.peek("key").remaining()).isZero();
		assertThat(wide.peek("key").remaining()).isEqualTo(4);
	}

	@Test
	void callThatGivesUpWaitingIsRefundedByShadowRulesToo() {
		RateLimiter shadow = limiter("shadow", 5, Mode.SHADOW);
		this.registry.register(RateLimitRule.named("on").limit(1, HOUR).maxWait(HOUR).build());
		acquire("on");
		DecidedCall waiting = this.engine.acquire(demands("on", "shadow"));
		assertThat(waiting.decision().delay()).isPositive();
		assertThat(shadow.peek("key").remaining()).isEqualTo(4);
		waiting.refund();
		assertThat(shadow.peek("key").remaining()).isEqualTo(5);
		this.engine.acquire(demands("on", "shadow")).refundAsync();
		assertThat(shadow.peek("key").remaining()).isEqualTo(5);
	}

	@ParameterizedTest
	@EnumSource
	void shadowRuleDeniesNothingWhenTheStoreCannotAnswer(OnStoreFailure policy) {
		this.registry
			.register(RateLimitRule.named("shadow").limit(1, HOUR).onStoreFailure(policy).mode(Mode.SHADOW).build());
		this.registry.register(RateLimitRule.named("on").limit(9, HOUR).onStoreFailure(OnStoreFailure.LOCAL).build());
		this.store.failure = new StoreException("Redis did not answer within 100 ms", null);
		for (int i = 0; i < 3; i++) {
			assertThat(acquire("shadow").allowed()).isTrue();
			assertThat(acquire("shadow", "on").allowed()).isTrue();
		}
		this.registry.limiter("shadow").refund("key", 1);
	}

	@Test
	void previewOfAShadowRuleDescribesWhatTheFallbackAnswers() {
		limiter("shadow", 1, Mode.SHADOW);
		limiter("on", 9, Mode.ENFORCE);
		this.store.failure = new StoreException("Redis did not answer within 100 ms", null);
		for (int i = 0; i < 2; i++) {
			Decision preview = this.engine.preview(demands("on", "shadow"));
			assertThat(preview.allowed()).isTrue();
			assertThat(preview.origin()).isEqualTo(Decision.Origin.FALLBACK);
		}
	}

	@Test
	void defaultModeAppliesToRulesWithoutAMode() {
		RuleRegistry shadows = new RuleRegistry(this.engine, Algorithm.SLIDING_LOG, Mode.SHADOW,
				List.of(Definitions.properties("sms", Definitions.limit(1L, 60))));
		assertThat(shadows.limiter("sms").rule().mode()).isEqualTo(Mode.SHADOW);
		assertThat(shadows.define(Definitions.annotation("reply", Definitions.limit(5L, 60))).rule().mode())
			.isEqualTo(Mode.SHADOW);
		assertThat(shadows.register(rule("a", 1, null)).rule().mode()).isEqualTo(Mode.SHADOW);
		assertThat(shadows.register(rule("b", 1, Mode.ENFORCE)).rule().mode()).isEqualTo(Mode.ENFORCE);
		assertThat(this.registry.register(rule("c", 1, null)).rule().mode()).isEqualTo(Mode.ENFORCE);
	}

	private RateLimiter limiter(String name, long max, Mode mode) {
		return this.registry.register(rule(name, max, mode));
	}

	private static RateLimitRule rule(String name, long max, Mode mode) {
		return RateLimitRule.named(name).limit(max, HOUR).mode(mode).build();
	}

	private Decision acquire(String... rules) {
		return Call.BLOCKING.of(this, rules);
	}

	private Demands demands(String... rules) {
		return Demands.of(Stream.of(rules).map((rule) -> this.registry.limiter(rule).demand("key", 1)).toList());
	}

	enum Call {

		BLOCKING {

			@Override
			Decision of(ModeTests test, String... rules) {
				return test.engine.acquire(test.demands(rules)).decision();
			}

		},

		ASYNCHRONOUS {

			@Override
			Decision of(ModeTests test, String... rules) {
				return test.engine.acquireAsync(test.demands(rules)).toCompletableFuture().join().decision();
			}

		};

		abstract Decision of(ModeTests test, String... rules);

	}

}
