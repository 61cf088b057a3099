package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ForkJoinPool;

import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterUnavailableException;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreException;

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

	@Test
	void resultForWhichThereIsNoThreadCompletesOnceOnTheThreadThatBringsIt() {
		List<Runnable> queued = new ArrayList<>();
		AsyncResults results = new AsyncResults(new ForkJoinPool(1) {

			@Override
			public void execute(Runnable task) {
				queued.add(task);
				throw new OutOfMemoryError("no thread");
			}

		});
		PendingStore store = new PendingStore();
		RateLimitEngine engine = Engines.over(store, OnStoreFailure.DENY);
		RuleCounts counts = RuleCounts
			.of(RateLimitRule.named("reply").limit(5, Duration.ofHours(1)).algorithm(Algorithm.SLIDING_LOG).build());
		CompletionStage<Decision> result = results.of(engine.acquireAsync(new Demand(counts, "key", 1)));
		store.answerNext();
		assertThat(result).isCompletedWithValueMatching(Decision::allowed);
		queued.forEach(Runnable::run);
		assertThat(store.remaining("reply")).isEqualTo(4);
		results.close();
		engine.close();
	}

	private static RateLimiter limiter(RateLimitStore store) {
		RuleRegistry registry = new RuleRegistry(Engines.over(store, OnStoreFailure.DENY), Algorithm.SLIDING_LOG,
				List.of());
		return registry.register(RateLimitRule.named("reply").limit(5, Duration.ofHours(1)).build());
	}

	private static Throwable failureOf(CompletionStage<?> stage) {
		CompletableFuture<Throwable> failure = new CompletableFuture<>();
		stage.whenComplete((result, thrown) -> failure.complete(thrown));
		return failure.join();
	}

}
