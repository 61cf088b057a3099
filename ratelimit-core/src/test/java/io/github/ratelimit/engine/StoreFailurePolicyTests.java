package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiterUnavailableException;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class StoreFailurePolicyTests {

	private static final StoreException GONE = new StoreException("Redis did not answer within 100 ms", null);

	private final FailingStore store = new FailingStore();

	private final List<RateLimitEngine> engines = new ArrayList<>();

	@AfterEach
	void close() {
		this.engines.forEach(RateLimitEngine::close);
	}

	@ParameterizedTest
	@EnumSource
	void healthyStoreDecidesUnderAnyPolicy(OnStoreFailure policy) {
		assertThat(acquire(engine(policy), rule("reply", null)).origin()).isEqualTo(Decision.Origin.REDIS);
	}

	@Test
	void allowLetsEveryCallPassUncounted() {
		RateLimitEngine engine = failing(OnStoreFailure.ALLOW);
		for (int i = 0; i < 10; i++) {
			Decision decision = acquire(engine, rule("reply", null));
			assertThat(decision.allowed()).isTrue();
			assertThat(decision.origin()).isEqualTo(Decision.Origin.FALLBACK);
			assertThat(decision.limits()).isEmpty();
		}
	}

	@Test
	void denyThrowsAnExceptionWithRuleAndReason() {
		RateLimitEngine engine = failing(OnStoreFailure.DENY);
		assertThatExceptionOfType(RateLimiterUnavailableException.class)
			.isThrownBy(() -> acquire(engine, rule("reply", null)))
			.withMessage("The store of rate limit \"reply\" could not answer, and its policy is to deny")
			.withCause(GONE)
			.extracting(RateLimiterUnavailableException::rule)
			.isEqualTo("reply");
	}

	@Test
	void denyFailsTheStageOfAnAsynchronousCall() {
		RateLimitEngine engine = failing(OnStoreFailure.DENY);
		assertThatExceptionOfType(CompletionException.class)
			.isThrownBy(() -> engine.acquireAsync(demands(rule("reply", null))).toCompletableFuture().join())
			.withCauseInstanceOf(RateLimiterUnavailableException.class);
	}

	@Test
	void localCountsTheSameLimitsInThisProcess() {
		RateLimitEngine engine = failing(OnStoreFailure.LOCAL);
		assertThat(acquire(engine, rule("reply", null)).remaining()).isOne();
		Decision second = engine.acquireAsync(demands(rule("reply", null))).toCompletableFuture().join().decision();
		assertThat(second.remaining()).isZero();
		assertThat(second.origin()).isEqualTo(Decision.Origin.FALLBACK);
		assertThat(acquire(engine, rule("reply", null)).allowed()).isFalse();
	}

	@Test
	void policyOfTheRuleWinsOverTheDefault() {
		RateLimitEngine engine = failing(OnStoreFailure.DENY);
		assertThat(acquire(engine, rule("reply", OnStoreFailure.ALLOW)).limits()).isEmpty();
		assertThat(acquire(engine, rule("reply", OnStoreFailure.LOCAL)).limits()).hasSize(1);
	}

	@Test
	void oneRuleThatDeniesDeniesTheCall() {
		RateLimitEngine engine = failing(OnStoreFailure.ALLOW);
		assertThatExceptionOfType(RateLimiterUnavailableException.class)
			.isThrownBy(() -> acquire(engine, rule("first", OnStoreFailure.LOCAL), rule("second", null),
					rule("third", OnStoreFailure.DENY)))
			.extracting(RateLimiterUnavailableException::rule)
			.isEqualTo("third");
	}

	@Test
	void ofTheOthersThoseWithLocalAreCounted() {
		RateLimitEngine engine = failing(OnStoreFailure.ALLOW);
		Decision decision = acquire(engine, rule("first", null), rule("second", OnStoreFailure.LOCAL));
		assertThat(decision.limits()).extracting(LimitStatus::name).containsExactly("second");
	}

	@Test
	void otherExceptionsAreMistakesAndPass() {
		RateLimitEngine engine = engine(OnStoreFailure.ALLOW);
		this.store.failure = new IllegalStateException("mistake");
		assertThatIllegalStateException().isThrownBy(() -> acquire(engine, rule("reply", null))).withMessage("mistake");
		assertThatExceptionOfType(CompletionException.class)
			.isThrownBy(() -> engine.acquireAsync(demands(rule("reply", null))).toCompletableFuture().join())
			.withCause(this.store.failure);
	}

	@Test
	void resetThatTheStoreDoesNotConfirmChangesNothing() {
		RateLimitEngine engine = failing(OnStoreFailure.LOCAL);
		acquire(engine, rule("reply", null));
		assertThatExceptionOfType(RateLimiterUnavailableException.class)
			.isThrownBy(() -> engine.keys().reset(RuleCounts.of(rule("reply", null)), "key"))
			.withMessage("The store did not confirm the change of rate limit \"reply\"; it may still take effect");
		assertThat(acquire(engine, rule("reply", null)).remaining()).isZero();
	}

	@Test
	void resetThatTheStoreRefusesSaysWhatItRequires() {
		RateLimitEngine engine = engine(OnStoreFailure.LOCAL);
		this.store.failure = new StoreException("Redis failed: NOPERM", null, "noperm", false, "Allow it.");
		assertThatExceptionOfType(RateLimiterUnavailableException.class)
			.isThrownBy(() -> engine.keys().reset(RuleCounts.of(rule("reply", null)), "key"))
			.withMessage("The store refused the change of rate limit \"reply\": Redis failed: NOPERM. Allow it.");
	}

	private RateLimitEngine engine(OnStoreFailure policy) {
		RateLimitEngine engine = Engines.over(this.store, policy);
		this.engines.add(engine);
		return engine;
	}

	private RateLimitEngine failing(OnStoreFailure policy) {
		this.store.failure = GONE;
		return engine(policy);
	}

	private static Decision acquire(RateLimitEngine engine, RateLimitRule... rules) {
		return engine.acquire(demands(rules)).decision();
	}

	private static Demands demands(RateLimitRule... rules) {
		return Demands.of(Arrays.stream(rules).map((rule) -> new Demand(rule, "key", 1)).toList());
	}

	private static RateLimitRule rule(String name, OnStoreFailure policy) {
		return RateLimitRule.named(name)
			.limit(2, Duration.ofHours(1))
			.algorithm(Algorithm.SLIDING_LOG)
			.onStoreFailure(policy)
			.build();
	}

}
