package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Mode;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiterUnavailableException;
import io.github.ratelimit.RuleDecision;
import io.github.ratelimit.RuleDecision.Outcome;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStore.PlainRule;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.local.LocalRateLimitStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A rule is plain while nothing but its numbers has to be asked.
 */
class PlainRuleTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private final RateLimitEngine engine = engine(new LocalRateLimitStore(100, () -> 1_000_000_000),
			OnStoreFailure.DENY, null);

	private final RuleRegistry registry = new RuleRegistry(this.engine, Algorithm.TOKEN_BUCKET, List.of());

	@Test
	void ruleWithOneLimitIsPlain() {
		RuleLimiter limiter = register(rule());
		assertThat(limiter.plain().decide("key", 2))
			.isEqualTo(new Decision(true, "rule", 5, 3, Duration.ZERO, HOUR.multipliedBy(2).dividedBy(5), Duration.ZERO,
					List.of(), limiter.peek("key").limits(), Decision.Origin.LOCAL));
	}

	@Test
	void ruleThatAsksMoreIsNotPlain() {
		assertThat(register(rule().mode(Mode.SHADOW)).plain()).isNull();
		assertThat(register(rule().allow("ann")).plain()).isNull();
		assertThat(register(rule().maxWait(HOUR)).plain()).isNull();
		assertThat(register(RateLimitRule.named("rule").limit(Limit.ofConcurrency(5))).plain()).isNull();
		assertThat(register(rule()).plain()).isNotNull();
	}

	@Test
	void plainRuleOverAnotherStoreIsDeniedByWhatIsRemembered() {
		FailingStore store = new FailingStore();
		RuleLimiter limiter = limiter(store, OnStoreFailure.DENY, new DenyCache(10, HOUR));
		limiter.plain().decide("key", 5);
		assertThat(limiter.plain().decide("key", 1)).extracting(Decision::allowed, Decision::origin)
			.containsExactly(false, Decision.Origin.REDIS);
		assertThat(limiter.plain().decide("key", 1)).extracting(Decision::allowed, Decision::origin)
			.containsExactly(false, Decision.Origin.DENY_CACHE);
		assertThat(store.calls).isEqualTo(2);
	}

	@Test
	void plainRuleFollowsItsPolicyIfTheStoreFails() {
		FailingStore store = new FailingStore();
		store.failure = new StoreException("lost", null, "timeout", true, null);
		assertThat(limiter(store, OnStoreFailure.ALLOW, null).plain().decide("key", 1))
			.extracting(Decision::allowed, Decision::origin)
			.containsExactly(true, Decision.Origin.FALLBACK);
		PlainRule denying = limiter(store, OnStoreFailure.DENY, null).plain();
		assertThatExceptionOfType(RateLimiterUnavailableException.class).isThrownBy(() -> denying.decide("key", 1));
	}

	@Test
	void asynchronousCallOfAPlainRuleDoesNotWaitForAnotherStore() {
		PendingStore store = new PendingStore();
		CompletableFuture<Decision> decision = limiter(store, OnStoreFailure.DENY, null).tryAcquireAsync("key")
			.toCompletableFuture();
		assertThat(decision).isNotDone();
		store.answerNext();
		assertThat(decision).succeedsWithin(HOUR).extracting(Decision::remaining).isEqualTo(4L);
	}

	@Test
	void ruleIsNotPlainWhileKeysAreOverridden() {
		RuleLimiter limiter = register(rule());
		this.registry.register(RateLimitRule.named("other").limit(5, HOUR).build());
		RuleLimiter other = this.registry.limiter("other");
		VerdictSource overridden = this.engine.keys().verdicts();
		overridden.put("rule", "ann", KeyOverride.max(7));
		assertThat(limiter.plain()).isNull();
		assertThat(other.plain()).isNotNull();
		assertThat(limiter.tryAcquire("ann").remaining()).isEqualTo(6);
		overridden.replace("rule", Map.of());
		assertThat(limiter.plain()).isNotNull();
		assertThat(limiter.tryAcquire("ann").remaining()).isEqualTo(3);
		overridden.block("rule", "bob", HOUR);
		assertThat(limiter.tryAcquire("bob").allowed()).isFalse();
		overridden.forgetBlocks();
		assertThat(limiter.plain()).isNotNull();
	}

	@Test
	void plainRuleAnswersAsynchronousCallsAtOnce() {
		RuleLimiter limiter = register(rule());
		assertThat(limiter.tryAcquireAsync("key", 2).toCompletableFuture())
			.isCompletedWithValueMatching((decision) -> decision.remaining() == 3);
	}

	@Test
	void removedRuleIsNotPlain() {
		RuleLimiter limiter = register(rule());
		this.registry.remove("rule");
		assertThat(limiter.plain()).isNull();
		assertThat(limiter.tryAcquire("key").remaining()).isEqualTo(4);
	}

	@Test
	void changedRuleKeepsWhatWasTaken() {
		RuleLimiter limiter = register(rule());
		limiter.plain().decide("key", 3);
		register(RateLimitRule.named("rule").limit(10, HOUR.multipliedBy(2)));
		assertThat(limiter.plain().decide("key", 1).remaining()).isEqualTo(6);
	}

	@Test
	void plainCallsAreReportedToListenersOfAnyTime() {
		RuleLimiter limiter = register(rule());
		List<RuleDecision> decisions = new ArrayList<>();
		AtomicBoolean timed = new AtomicBoolean();
		RateLimitListener listener = new RateLimitListener() {

			@Override
			public void decided(RuleDecision decision) {
				decisions.add(decision);
			}

			@Override
			public void storeCalled(Duration duration) {
				timed.set(true);
			}

		};
		this.engine.listen(List.of(listener));
		Decision admitted = limiter.plain().decide("key", 5);
		Decision denied = limiter.tryAcquire("key");
		assertThat(decisions).containsExactly(
				new RuleDecision("rule", Outcome.ALLOWED, Decision.Origin.LOCAL, Duration.ZERO, admitted.limits(), null,
						null),
				new RuleDecision("rule", Outcome.DENIED, Decision.Origin.LOCAL, Duration.ZERO, denied.limits(), null,
						null));
		assertThat(timed).isTrue();
	}

	private static RateLimitRule.Builder rule() {
		return RateLimitRule.named("rule").limit(5, HOUR);
	}

	private RuleLimiter register(RateLimitRule.Builder rule) {
		this.registry.register(rule.build());
		return this.registry.limiter("rule");
	}

	private static RuleLimiter limiter(RateLimitStore store, OnStoreFailure policy, @Nullable DenyCache denyCache) {
		RuleRegistry registry = new RuleRegistry(engine(store, policy, denyCache), Algorithm.TOKEN_BUCKET, List.of());
		registry.register(rule().build());
		return registry.limiter("rule");
	}

	private static RateLimitEngine engine(RateLimitStore store, OnStoreFailure policy, @Nullable DenyCache denyCache) {
		return Engines.over(store, policy, denyCache);
	}

}
