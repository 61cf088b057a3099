package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.concurrency.Interleavings;
import io.github.ratelimit.interceptor.Turn;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;

/**
 * Calls whose decision, turn, end and caller that gives up come at once, in any order: an
 * admitted call runs once, or all its units are refunded once; a denied or failed one
 * does neither.
 */
@Tag("in-ci")
@Tag("concurrency")
public class TurnConcurrencyTests {

	private static final long COST = 3;

	@Test
	void callRunsOnceOrIsRefundedOnce() {
		Interleavings.checkFromTheStart(WaitingCall.class);
	}

	/**
	 * Call that waits for its decision, then for its turn, and uses one unit if it runs.
	 */
	@Param(name = "outcome", gen = IntGen.class, conf = "0:2")
	public static class WaitingCall implements CallDelay, TakenUnits.Target {

		private final CompletableFuture<DecidedCall> decision = new CompletableFuture<>();

		private final CompletableFuture<Void> delay = new CompletableFuture<>();

		private final AtomicInteger began = new AtomicInteger();

		private final AtomicInteger refunded = new AtomicInteger();

		private final TakenUnits taken = new TakenUnits(this, new RulesInForce(() -> null, new VerdictSource(() -> {
		}, (rule) -> {
		})), this, (demand) -> {
		});

		private final Turn turn = new Turn(this.decision);

		/** The call if it is admitted at once, after a second, and never. */
		private final List<DecidedCall> outcomes;

		public WaitingCall() {
			RuleCounts counts = RuleCounts.of(RateLimitRule.named("rule")
				.limit(10, Duration.ofHours(1))
				.algorithm(Algorithm.SLIDING_LOG)
				.maxWait(Duration.ofSeconds(1))
				.build());
			this.outcomes = LongStream.range(0, 3)
				.mapToObj((seconds) -> RuleAnswer.of(new Demand(counts, "key", COST), 1,
						new LimitOutcome(7, seconds * 1_000_000, 1_000_000)))
				.map((answer) -> DecidedCall.of(answer, Decision.Origin.REDIS, this.taken))
				.toList();
			this.turn.await().thenAccept((decided) -> {
				if (this.turn.begin() && decided.isAllowed()) {
					this.began.incrementAndGet();
					decided.endAsync((demand) -> 1);
				}
			});
		}

		@Operation(params = "outcome")
		public void decide(int outcome) {
			this.decision.complete(this.outcomes.get(outcome));
		}

		@Operation
		public void fail() {
			this.decision.completeExceptionally(new StoreException("lost", null, "timeout", true, null));
		}

		@Operation
		public void comeTurn() {
			this.delay.complete(null);
		}

		@Operation
		public void giveUp() {
			this.turn.giveUp();
		}

		@Operation
		public void endAgain() {
			if (this.began.get() > 0) {
				this.decision.join().endAsync((demand) -> 1);
			}
		}

		@Validate
		public void runsOrIsRefunded() {
			comeTurn();
			boolean isAdmitted = this.decision.isDone() && !this.decision.isCompletedExceptionally()
					&& this.decision.join().isAllowed();
			int runs = this.began.get();
			long unused = isAdmitted ? COST - runs : 0;
			if (runs > 1 || !isAdmitted && runs > 0 || this.refunded.get() != unused) {
				throw new IllegalStateException("An admitted call (" + isAdmitted + ") ran " + runs + " times, "
						+ this.refunded + " units were refunded");
			}
		}

		@Override
		public void await(StoreAnswer answer) {
			throw new UnsupportedOperationException();
		}

		@Override
		public CompletableFuture<Void> awaitAsync(StoreAnswer answer) {
			return this.delay;
		}

		@Override
		public void await(Duration time) {
			throw new UnsupportedOperationException();
		}

		@Override
		public CompletableFuture<Void> awaitAsync(Duration time) {
			return this.delay;
		}

		@Override
		public CompletionStage<?> correct(List<Correction> corrections) {
			corrections.forEach((each) -> this.refunded.addAndGet((int) each.demand().cost()));
			return CompletableFuture.completedFuture(null);
		}

	}

}
