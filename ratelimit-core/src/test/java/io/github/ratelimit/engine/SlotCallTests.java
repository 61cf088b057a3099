package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.Mode;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.local.LocalRateLimitStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Calls that hold slots until they end.
 */
class SlotCallTests {

	private static final Limit RATE = Limit.of(5, Duration.ofMinutes(1))
		.withAlgorithm(Algorithm.FIXED_WINDOW)
		.withName("minute");

	@AutoClose
	private final RateLimitEngine engine = Engines.over(new LocalRateLimitStore(100, () -> 0), OnStoreFailure.DENY,
			new DenyCache(100, Duration.ofSeconds(1)));

	private final RuleRegistry registry = new RuleRegistry(this.engine, Algorithm.SLIDING_LOG, List.of());

	private RuleLimiter limiter(Limit... limits) {
		RateLimitRule.Builder rule = RateLimitRule.named("export");
		List.of(limits).forEach(rule::limit);
		return (RuleLimiter) this.registry.register(rule.build());
	}

	private DecidedCall begin(RuleLimiter limiter) {
		return this.engine.acquire(limiter.demand("acme", 1));
	}

	@Test
	void callNeedsItsEnd() {
		assertThat(begin(limiter(Limit.ofConcurrency(1))).needsEnd()).isTrue();
		assertThat(begin(limiter(RATE)).needsEnd()).isFalse();
	}

	@Test
	void endFreesTheSlotOnce() {
		RuleLimiter limiter = limiter(Limit.ofConcurrency(2));
		DecidedCall first = begin(limiter);
		begin(limiter);
		assertThat(begin(limiter).isAllowed()).isFalse();
		first.end(UsedUnits.ALL);
		first.end(UsedUnits.ALL);
		first.refund();
		assertThat(begin(limiter).isAllowed()).isTrue();
		assertThat(begin(limiter).isAllowed()).isFalse();
	}

	@Test
	void errorBehindTheAnswerOfTheStoreFreesTheSlot() {
		AtomicInteger reads = new AtomicInteger(10);
		try (RateLimitEngine failing = failingAtTheSecondOf(reads)) {
			RuleLimiter limiter = (RuleLimiter) new RuleRegistry(failing, Algorithm.SLIDING_LOG, List.of())
				.register(RateLimitRule.named("export")
					.limit(Limit.ofConcurrency(1))
					.plan("pro", Limit.ofConcurrency(2))
					.build());
			reads.set(0);
			assertThatExceptionOfType(OutOfMemoryError.class)
				.isThrownBy(() -> failing.acquire(limiter.demand("acme", 1)));
			assertThat(failing.acquire(limiter.demand("acme", 1)).isAllowed()).isTrue();
		}
	}

	@Test
	void errorBehindADenialOfTheStoreRefundsNothing() {
		AtomicInteger reads = new AtomicInteger(10);
		try (RateLimitEngine failing = failingAtTheSecondOf(reads)) {
			RuleLimiter limiter = (RuleLimiter) new RuleRegistry(failing, Algorithm.SLIDING_LOG, List.of())
				.register(RateLimitRule.named("export").limit(RATE).build());
			assertThat(failing.acquire(limiter.demand("acme", 5)).isAllowed()).isTrue();
			reads.set(0);
			assertThatExceptionOfType(OutOfMemoryError.class)
				.isThrownBy(() -> failing.acquire(limiter.demand("acme", 1)));
			assertThat(limiter.peek("acme").remaining()).isZero();
		}
	}

	/**
	 * Return an engine that lacks memory when its cache reads the time the second time.
	 */
	private static RateLimitEngine failingAtTheSecondOf(AtomicInteger reads) {
		DenyCache cache = new DenyCache(100, Duration.ofSeconds(1), () -> {
			if (reads.incrementAndGet() == 2) {
				throw new OutOfMemoryError("Java heap space");
			}
			return 0;
		});
		return Engines.over(new LocalRateLimitStore(100, () -> 0), OnStoreFailure.DENY, cache);
	}

	@Test
	void endKeepsTheUnitsOfRates() {
		RuleLimiter limiter = limiter(Limit.ofConcurrency(1).withName("running"), RATE);
		for (int i = 0; i < 5; i++) {
			begin(limiter).endAsync(UsedUnits.ALL);
		}
		Decision denied = begin(limiter).decision();
		assertThat(denied.violated()).containsExactly("export-minute");
		assertThat(denied.limits()).extracting(LimitStatus::remaining).containsExactly(1L, 0L);
	}

	@Test
	void endRefundsUnusedUnits() {
		RuleLimiter limiter = limiter(Limit.ofConcurrency(9).withName("running"), RATE);
		this.engine.acquire(limiter.demand("acme", 5)).end((demand) -> 2);
		assertThat(limiter.peek("acme").limits()).extracting(LimitStatus::remaining).containsExactly(9L, 3L);
	}

	@Test
	void denialHasNoTimeAndIsNotRemembered() {
		RuleLimiter limiter = limiter(Limit.ofConcurrency(1));
		DecidedCall first = begin(limiter);
		Decision denied = begin(limiter).decision();
		assertThat(denied.allowed()).isFalse();
		assertThat(denied.violated()).containsExactly("export");
		assertThat(denied.retryAfter()).isZero();
		assertThat(denied.resetAfter()).isZero();
		assertThat(denied.remaining()).isZero();
		assertThat(denied.limits()).singleElement().satisfies((status) -> {
			assertThat(status.admitted()).isFalse();
			assertThat(status.retryAfter()).isZero();
			assertThat(status.period()).isZero();
		});
		first.end(UsedUnits.ALL);
		assertThat(begin(limiter).isAllowed()).isTrue();
	}

	@Test
	void denialBesideAnotherRuleNamesTheRuleThatDenied() {
		RuleLimiter limiter = limiter(Limit.ofConcurrency(1));
		RuleLimiter other = (RuleLimiter) this.registry.register(RateLimitRule.named("api").limit(RATE).build());
		begin(limiter);
		Decision denied = this.engine.acquire(Demands.of(other.demand("acme", 1), limiter.demand("acme", 1)))
			.decision();
		assertThat(denied.rule()).isEqualTo("export");
		assertThat(denied.violated()).containsExactly("export");
		assertThat(other.peek("acme").remaining()).isEqualTo(5);
	}

	@Test
	void costAboveMaxIsNeverAdmitted() {
		Demand tooMuch = limiter(Limit.ofConcurrency(3)).demand("acme", 4);
		assertThat(this.engine.acquire(tooMuch).decision().retryAfter()).isEqualTo(Decision.NEVER);
	}

	@Test
	void callsThatNobodyEndsAreRefused() {
		RuleLimiter limiter = limiter(Limit.ofConcurrency(3));
		String message = "Calls of rule \"export\" hold slots until they end, and the end of a call of %s is not noticed. "
				+ "Call reserve, and close the reservation when the call has ended.";
		assertThatIllegalStateException().isThrownBy(() -> limiter.tryAcquire("acme"))
			.withMessage(message, "tryAcquire");
		assertThatIllegalStateException().isThrownBy(() -> limiter.tryAcquireAsync("acme", 1))
			.withMessage(message, "tryAcquireAsync");
		assertThatIllegalStateException().isThrownBy(() -> limiter.acquire("acme", 1, Duration.ofSeconds(1)))
			.withMessage(message, "acquire");
		assertThatIllegalStateException().isThrownBy(() -> limiter.withPlan("pro").tryAcquire("acme"))
			.withMessage(message, "tryAcquire");
		assertThat(limiter.peek("acme").remaining()).isEqualTo(3);
	}

	@Test
	void keyWithoutLimitHoldsNoSlot() {
		RateLimitRule listed = RateLimitRule.named("listed").limit(Limit.ofConcurrency(1)).allow("acme").build();
		RuleLimiter exempt = (RuleLimiter) this.registry.register(listed);
		assertThat(begin(exempt).needsEnd()).isFalse();
		assertThat(begin(exempt).isAllowed()).isTrue();
	}

	@Test
	void shadowModeHoldsSlotsAndDeniesNobody() {
		RateLimitRule rule = RateLimitRule.named("shadow").limit(Limit.ofConcurrency(1)).mode(Mode.SHADOW).build();
		RuleLimiter limiter = (RuleLimiter) this.registry.register(rule);
		DecidedCall first = begin(limiter);
		assertThat(first.needsEnd()).isTrue();
		assertThat(begin(limiter).isAllowed()).isTrue();
		assertThat(limiter.peek("acme").remaining()).isZero();
		first.end(UsedUnits.ALL);
		assertThat(limiter.peek("acme").remaining()).isEqualTo(1);
	}

	@Test
	void smallerPlanCountsTheSameSlots() {
		RateLimitRule rule = RateLimitRule.named("planned")
			.limit(Limit.ofConcurrency(1))
			.plan("pro", Limit.ofConcurrency(3))
			.build();
		RuleLimiter limiter = (RuleLimiter) this.registry.register(rule);
		DecidedCall first = this.engine.acquire(limiter.demand("acme", 1, "pro"));
		DecidedCall second = this.engine.acquire(limiter.demand("acme", 1, "pro"));
		assertThat(begin(limiter).isAllowed()).isFalse();
		first.end(UsedUnits.ALL);
		assertThat(begin(limiter).isAllowed()).isFalse();
		second.end(UsedUnits.ALL);
		assertThat(begin(limiter).isAllowed()).isTrue();
	}

}
