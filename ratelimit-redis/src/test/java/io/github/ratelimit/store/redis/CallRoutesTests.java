package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleValue;
import io.github.ratelimit.store.StoreAnswer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;

/**
 * Decisions that come at the moment in which their caller gives up.
 */
class CallRoutesTests {

	private final RuleCounts counts = RuleCounts.of(RateLimitRule.named("rule")
		.limit(5, Duration.ofHours(1))
		.algorithm(Algorithm.TOKEN_BUCKET)
		.candidate("tight", Limit.of(2, Duration.ofHours(1)))
		.build());

	private final Demand demand = new Demand(this.counts, "key", 1);

	private final ScriptRunner runner = (call) -> CompletableFuture.completedFuture(new byte[0]);

	private final CompletableFuture<StoreAnswer> decision = new CompletableFuture<>();

	private final Corrections corrections = mock();

	private final CallRoutes routes = new CallRoutes(
			new RedisSetup(this.runner, "test", Duration.ofSeconds(20), RedisSharding.AUTO, () -> 0),
			new RuleValue<>((counts) -> (demand, deadline) -> this.decision), mock(), this.corrections);

	@Test
	void candidatesOfADeniedCallGetTheirUnitsBack() {
		RuleAnswer tried = answer(new Demand(this.counts.candidate(0), "key", 1), 0);
		CompletableFuture<StoreAnswer> answer = this.routes.decide(this.demand);
		answer.whenComplete(
				(done, failure) -> this.decision.complete(answer(this.demand, 1_000).withTried(List.of(tried))));
		answer.cancel(true);
		then(this.corrections).should().correct(List.of(tried.refund()));
	}

	@Test
	void decisionForWhoseTimeoutThereIsNoTimerFails() {
		CompletableFuture<StoreAnswer> decided = new CompletableFuture<>() {

			@Override
			public CompletableFuture<StoreAnswer> orTimeout(long timeout, TimeUnit unit) {
				throw new OutOfMemoryError("no thread");
			}

		};
		RedisFailures failures = new RedisFailures(this.runner, Duration.ofSeconds(20));
		assertThat(failures.inTime(decided)).isSameAs(decided).isCompletedExceptionally();
	}

	private static RuleAnswer answer(Demand demand, long retryAfter) {
		return RuleAnswer.of(demand, 0, (count) -> new LimitOutcome(0, retryAfter, 1_000));
	}

}
