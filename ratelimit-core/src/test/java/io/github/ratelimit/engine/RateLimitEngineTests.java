package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.Retained;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.FallbackStore;
import io.github.ratelimit.store.local.LocalRateLimitStore;
import io.github.ratelimit.store.local.LocalFallbackStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.atLeastOnce;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;

class RateLimitEngineTests {

	private static final RateLimitRule RULE = RateLimitRule.named("reply")
		.limit(5, Duration.ofHours(1))
		.algorithm(Algorithm.SLIDING_LOG)
		.build();

	private final LocalRateLimitStore store = new LocalRateLimitStore(100);

	@AutoClose
	private final RateLimitEngine engine = Engines.over(this.store);

	@Test
	void decisionHasItsOrigin() {
		Demands demands = new Demand(RULE, "key", 1);
		assertThat(this.engine.acquire(demands).decision().origin()).isEqualTo(Decision.Origin.LOCAL);
		assertThat(this.engine.acquireAsync(demands).toCompletableFuture().join().decision().remaining()).isEqualTo(3);
	}

	@Test
	void closedEngineIsNotKeptAfterItsFallbackWasWarmedUp() {
		assertThat(Retained.objects((i) -> {
			LongSupplier clock = () -> i;
			try (RateLimitEngine remote = new RateLimitEngine(new FailingStore(), () -> OnStoreFailure.LOCAL,
					new LocalFallbackStore(10, 1, clock))) {
				remote.warmUpFallback();
			}
			return clock;
		})).isZero();
	}

	@Test
	void callMayTakeFromARuleWithTwoKeys() {
		assertThat(this.engine.acquire(Demands.of(new Demand(RULE, "a", 1), new Demand(RULE, "b", 2)))
			.decision()
			.remaining()).isEqualTo(3);
	}

	@Test
	void callMayNotTakeFromARuleTwiceWithTheSameKey() {
		Demands demands = Demands.of(new Demand(RULE, "a", 1), new Demand(RULE, "a", 2));
		String message = "A call takes from rule \"reply\" twice for the same key.";
		assertThatIllegalArgumentException().isThrownBy(() -> this.engine.acquire(demands)).withMessage(message);
		assertThatIllegalArgumentException().isThrownBy(() -> this.engine.acquireAsync(demands)).withMessage(message);
	}

	@Test
	void fallbackIsWarmedUpWithoutCallingTheStoreOrNotifyingListeners() {
		FailingStore remote = new FailingStore();
		FallbackStore fallback = mock(FallbackStore.class, delegatesTo(new LocalFallbackStore(100, 1)));
		RecordingListener listener = new RecordingListener();
		RateLimitEngine other = new RateLimitEngine(remote, () -> OnStoreFailure.LOCAL, fallback);
		other.listen(List.of(listener));
		other.warmUpFallback();
		verify(fallback, atLeastOnce()).acquire(any());
		assertThat(remote.calls).isZero();
		assertThat(listener.decisions).isEmpty();
		assertThat(listener.events).isEmpty();
	}

	@Test
	void storeInsideThisProcessNeedsNoWarmUpOfTheFallback() {
		FallbackStore fallback = mock(FallbackStore.class);
		new RateLimitEngine(this.store, () -> OnStoreFailure.LOCAL, fallback).warmUpFallback();
		verifyNoInteractions(fallback);
	}

}
