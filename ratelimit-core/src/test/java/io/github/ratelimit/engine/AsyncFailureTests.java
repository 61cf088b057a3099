package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterUnavailableException;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.local.LocalFallbackStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Failures of the stages that programs get.
 */
class AsyncFailureTests {

	private static final StoreException GONE = new StoreException("gone", null, "timeout", true, null);

	@Test
	void stageFailsWithTheSameExceptionWhetherTheStoreFailsLaterOrAtOnce() {
		PendingStore later = new PendingStore();
		CompletionStage<?> stage = limiter(later).tryAcquireAsync("key");
		later.failNext(GONE);
		assertThat(failureOf(stage)).isExactlyInstanceOf(RateLimiterUnavailableException.class);
		FailingStore atOnce = new FailingStore();
		atOnce.failure = GONE;
		assertThat(failureOf(limiter(atOnce).tryAcquireAsync("key")))
			.isExactlyInstanceOf(RateLimiterUnavailableException.class);
		assertThat(failureOf(limiter(atOnce).reserveAsync("key", 1)))
			.isExactlyInstanceOf(RateLimiterUnavailableException.class);
	}

	private static RateLimiter limiter(RateLimitStore store) {
		RuleRegistry registry = new RuleRegistry(
				new RateLimitEngine(store, () -> OnStoreFailure.DENY, new LocalFallbackStore(100, 1)),
				Algorithm.SLIDING_LOG, List.of());
		return registry.register(RateLimitRule.named("reply").limit(5, Duration.ofHours(1)).build());
	}

	private static Throwable failureOf(CompletionStage<?> stage) {
		CompletableFuture<Throwable> failure = new CompletableFuture<>();
		stage.whenComplete((result, thrown) -> failure.complete(thrown));
		return failure.join();
	}

}
