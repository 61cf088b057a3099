package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.tck.AlgorithmUnderTest;
import io.github.ratelimit.store.local.LocalRateLimitStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * The limiter as programs use it.
 */
class RuleLimiterTests {

	private static final Duration HOUR = Duration.ofHours(1);

	/**
	 * Time stands still, so that no window ends meanwhile. Waits take real time.
	 */
	private final RuleRegistry registry = new RuleRegistry(
			Engines.over(LocalRateLimitStore.withSettableClock(100, () -> AlgorithmOnStore.NOW), OnStoreFailure.DENY),
			Algorithm.SLIDING_LOG, List.of());

	@Test
	void waitsUntilItsTurn() throws InterruptedException {
		RateLimiter limiter = register(
				RateLimitRule.named("even").limit(1, Duration.ofMillis(80)).algorithm(Algorithm.LEAKY_BUCKET));
		long before = System.nanoTime();
		limiter.acquire("key", 1, HOUR);
		assertThat(limiter.acquire("key", 1, HOUR).allowed()).isTrue();
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(Duration.ofMillis(80));
	}

	@Test
	void waitLongerThanAllowedIsDeniedAtOnce() throws InterruptedException {
		RateLimiter limiter = register(RateLimitRule.named("hourly").limit(1, HOUR));
		limiter.acquire("key", 1, Duration.ZERO);
		Decision denied = limiter.acquire("key", 1, Duration.ofMinutes(59));
		assertThat(denied.allowed()).isFalse();
		assertThat(denied.delay()).isZero();
		assertThat(denied.retryAfter()).isBetween(Duration.ofSeconds(50), Duration.ofMinutes(1));
		assertThat(denied.violated()).containsExactly("hourly");
	}

	@ParameterizedTest
	@EnumSource
	void interruptedWaiterGivesItsTurnToTheNext(AlgorithmUnderTest algorithm) throws InterruptedException {
		RateLimiter limiter = register(RateLimitRule.named("rule").limit(algorithm.limit(1, HOUR)));
		limiter.tryAcquire("key");
		Duration before = limiter.tryAcquire("key").retryAfter();
		AtomicReference<Throwable> thrown = new AtomicReference<>();
		Thread waiter = new Thread(() -> {
			try {
				limiter.acquire("key", 1, HOUR.multipliedBy(9));
			}
			catch (InterruptedException ex) {
				thrown.set(ex);
			}
		});
		waiter.start();
		Awaitility.await().until(() -> waiter.getState() == Thread.State.TIMED_WAITING);
		assertThat(limiter.tryAcquire("key").retryAfter()).isGreaterThan(before);
		waiter.interrupt();
		waiter.join();
		assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
		assertThat(limiter.tryAcquire("key").retryAfter()).isBetween(before.minusMinutes(5), before);
	}

	@Test
	void ruleWithAMaxWaitReturnsTheDelayWithoutWaiting() {
		RateLimiter limiter = register(
				RateLimitRule.named("even").limit(1, HOUR).algorithm(Algorithm.LEAKY_BUCKET).maxWait(HOUR));
		assertThat(limiter.tryAcquire("key").delay()).isZero();
		Decision second = limiter.tryAcquire("key");
		assertThat(second.allowed()).isTrue();
		assertThat(second.retryAfter()).isZero();
		assertThat(second.delay()).isBetween(HOUR.minusMinutes(1), HOUR);
		assertThat(limiter.tryAcquire("key").allowed()).isFalse();
	}

	@ParameterizedTest
	@EnumSource
	void refundReturnsTheTakenUnitsAndNoMore(AlgorithmUnderTest algorithm) {
		RateLimiter limiter = register(RateLimitRule.named("rule").limit(algorithm.limit(5, HOUR)));
		limiter.tryAcquire("key", 5);
		limiter.refund("key", 0);
		assertThat(limiter.peek("key").remaining()).isZero();
		limiter.refund("key", 5);
		assertThat(limiter.peek("key").remaining()).isEqualTo(5);
		limiter.refund("key", Long.MAX_VALUE);
		limiter.refund("other", Long.MAX_VALUE);
		assertThat(limiter.peek("key").remaining()).isEqualTo(5);
		assertThat(limiter.tryAcquire("key", 5).allowed()).isTrue();
		assertThat(limiter.tryAcquire("key").allowed()).isFalse();
	}

	@Test
	void refundOfSomeUnitsLeavesTheOthersCounted() {
		RateLimiter limiter = register(RateLimitRule.named("login").limit(5, HOUR));
		limiter.tryAcquire("key", 4);
		limiter.refund("key", 1);
		assertThat(limiter.peek("key").remaining()).isEqualTo(2);
	}

	@Test
	void refusesNegativeRefundsAndWaits() {
		RateLimiter limiter = register(RateLimitRule.named("rule").limit(5, HOUR));
		assertThatIllegalArgumentException().isThrownBy(() -> limiter.refund("key", -1))
			.withMessageContaining("has to be 0 or more, but is -1");
		assertThatIllegalArgumentException().isThrownBy(() -> limiter.acquire("key", 1, Duration.ofMillis(-1)))
			.withMessage(
					"The longest wait of a call of rule \"rule\" has to be between 0 and 366 days, but is PT-0.001S.");
		assertThatIllegalArgumentException().isThrownBy(() -> limiter.acquire("key", -1, HOUR))
			.withMessageContaining("has to be 0 or more, but is -1");
	}

	private RateLimiter register(RateLimitRule.Builder rule) {
		return this.registry.register(rule.build());
	}

}
