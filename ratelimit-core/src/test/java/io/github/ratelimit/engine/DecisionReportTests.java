package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.Mode;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiterUnavailableException;
import io.github.ratelimit.RuleDecision;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.StoreException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Reports to listeners: one per rule that admitted or denied a call.
 */
class DecisionReportTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private final FailingStore store = new FailingStore();

	@AutoClose
	private final RateLimitEngine engine = Engines.over(this.store);

	private final RecordingListener listener = new RecordingListener();

	@BeforeEach
	void listen() {
		this.engine.listen(List.of(this.listener));
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void everyRuleOfAnAdmittedCallIsReported(boolean later) {
		acquire(later, rule("narrow", 1), rule("wide", 5));
		assertThat(this.listener.reports()).containsExactly("narrow ALLOWED REDIS", "wide ALLOWED REDIS");
		assertThat(this.listener.decisions).flatExtracting(RuleDecision::limits)
			.extracting(LimitStatus::name)
			.containsExactly("narrow", "wide");
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void onlyRulesThatDenyAreReportedForADeniedCall(boolean later) {
		acquire(later, rule("narrow", 1), rule("wide", 5));
		this.listener.decisions.clear();
		acquire(later, rule("wide", 5), rule("narrow", 1));
		assertThat(this.listener.reports()).containsExactly("narrow DENIED REDIS");
		assertThat(this.listener.decisions.get(0).limits()).extracting(LimitStatus::name).containsExactly("narrow");
	}

	@Test
	void everyRuleThatDeniesIsReported() {
		acquire(rule("a", 1), rule("b", 1));
		this.listener.decisions.clear();
		acquire(rule("a", 1), rule("b", 1), rule("c", 1));
		assertThat(this.listener.reports()).containsExactly("a DENIED REDIS", "b DENIED REDIS");
	}

	@Test
	void ruleWithSeveralLimitsIsReportedOnceWithAllOfThem() {
		RateLimitRule sms = RateLimitRule.named("sms")
			.limit(Limit.of(1, Duration.ofMinutes(1)).withName("minute"))
			.limit(Limit.of(10, Duration.ofDays(1)).withName("day"))
			.algorithm(Algorithm.SLIDING_LOG)
			.build();
		acquire(sms, rule("other", 5));
		acquire(sms);
		assertThat(this.listener.reports()).containsExactly("sms ALLOWED REDIS", "other ALLOWED REDIS",
				"sms DENIED REDIS");
		assertThat(this.listener.decisions.get(0).limits()).extracting(LimitStatus::name)
			.containsExactly("sms-minute", "sms-day");
		assertThat(this.listener.decisions.get(1).limits()).extracting(LimitStatus::name).containsExactly("other");
	}

	@Test
	void ruleInShadowModeReportsTheDenialsItWouldHaveMade() {
		RateLimitRule shadow = shadow("shadow", 1);
		acquire(shadow);
		acquire(shadow);
		acquire(rule("on", 5), shadow);
		assertThat(this.listener.reports()).containsExactly("shadow ALLOWED REDIS", "shadow SHADOW_DENIED REDIS",
				"on ALLOWED REDIS", "shadow SHADOW_DENIED REDIS");
	}

	@Test
	void ruleInShadowModeIsNotReportedForADeniedCall() {
		acquire(rule("on", 1), shadow("shadow", 5));
		this.listener.decisions.clear();
		acquire(rule("on", 1), shadow("shadow", 5));
		assertThat(this.listener.reports()).containsExactly("on DENIED REDIS");
	}

	@Test
	void neitherRulesThatAreOffNorPeeksAreReported() {
		RateLimitRule off = RateLimitRule.named("off")
			.limit(1, HOUR)
			.algorithm(Algorithm.SLIDING_LOG)
			.mode(Mode.OFF)
			.build();
		acquire(off);
		this.engine.acquire(new Demand(rule("on", 1), "key", 0));
		assertThat(this.listener.decisions).isEmpty();
	}

	@Test
	void everyRuleIsReportedWithItsWait() {
		RateLimitRule queue = RateLimitRule.named("queue")
			.limit(1, HOUR)
			.algorithm(Algorithm.LEAKY_BUCKET)
			.maxWait(HOUR)
			.build();
		acquire(queue);
		acquire(rule("wide", 5), queue);
		assertThat(this.listener.decisions).extracting(RuleDecision::delay)
			.satisfiesExactly((first) -> assertThat(first).isZero(), (wide) -> assertThat(wide).isZero(),
					(second) -> assertThat(second).isBetween(HOUR.minusMinutes(1), HOUR));
	}

	@Test
	void ruleInShadowModeCausesNoWait() {
		RateLimitRule queue = RateLimitRule.named("queue")
			.limit(1, HOUR)
			.algorithm(Algorithm.LEAKY_BUCKET)
			.maxWait(HOUR)
			.mode(Mode.SHADOW)
			.build();
		acquire(queue);
		acquire(queue);
		assertThat(this.listener.decisions).extracting(RuleDecision::delay)
			.containsExactly(Duration.ZERO, Duration.ZERO);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void fallbackIsReported(boolean later) {
		this.store.failure = new StoreException("gone", null);
		acquire(later, rule("reply", 1), policy("lax", OnStoreFailure.ALLOW));
		acquire(later, policy("lax", OnStoreFailure.ALLOW), rule("reply", 1));
		assertThat(this.listener.reports()).containsExactly("reply ALLOWED FALLBACK", "lax ALLOWED FALLBACK",
				"reply DENIED FALLBACK");
		assertThat(this.listener.decisions.get(1).limits()).isEmpty();
	}

	@Test
	void refusalIsReportedForTheRulesWithThatPolicy() {
		this.store.failure = new StoreException("gone", null);
		assertThatExceptionOfType(RateLimiterUnavailableException.class)
			.isThrownBy(() -> acquire(rule("reply", 1), policy("strict", OnStoreFailure.DENY)));
		assertThat(this.listener.reports()).containsExactly("strict DENIED FALLBACK");
	}

	private void acquire(RateLimitRule... rules) {
		acquire(false, rules);
	}

	private void acquire(boolean later, RateLimitRule... rules) {
		Demands demands = Demands.of(Stream.of(rules).map((rule) -> new Demand(rule, "key", 1)).toList());
		if (later) {
			this.engine.acquireAsync(demands).toCompletableFuture().join();
		}
		else {
			this.engine.acquire(demands);
		}
	}

	private static RateLimitRule rule(String name, long max) {
		return RateLimitRule.named(name).limit(max, HOUR).algorithm(Algorithm.SLIDING_LOG).build();
	}

	private static RateLimitRule shadow(String name, long max) {
		return RateLimitRule.named(name).limit(max, HOUR).algorithm(Algorithm.SLIDING_LOG).mode(Mode.SHADOW).build();
	}

	private static RateLimitRule policy(String name, OnStoreFailure policy) {
		return RateLimitRule.named(name).limit(1, HOUR).algorithm(Algorithm.SLIDING_LOG).onStoreFailure(policy).build();
	}

}
