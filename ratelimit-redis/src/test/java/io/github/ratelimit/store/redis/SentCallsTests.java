package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleValue;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.tck.AlgorithmOnStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls in batches or alone, their bound, followers and deadlines, while Redis gets no
 * script before the test lets it.
 */
@Tag("every-redis")
class SentCallsTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private static final int MAX_PENDING = 5;

	private static final RuleCounts RULE = rule("rule");

	private final HeldScripts scripts = new HeldScripts();

	private final List<String> followed = new ArrayList<>();

	private final List<Correction> refunded = new ArrayList<>();

	private static RuleCounts rule(String name) {
		return RuleCounts
			.of(RateLimitRule.named(name).limit(9, Duration.ofDays(1)).algorithm(Algorithm.TOKEN_BUCKET).build());
	}

	private SentCalls calls(boolean batching, Duration timeout) {
		return calls(batching, timeout, Scheduler::onTimerThread);
	}

	private SentCalls calls(boolean batching, Duration timeout, Scheduler timer) {
		RedisSetup setup = new RedisSetup(this.scripts, "sent", timeout, RedisSharding.NONE,
				() -> AlgorithmOnStore.NOW);
		return new SentCalls(setup, CountingScripts.deciding(), new RuleValue<>((rule) -> List.of(this::follow)),
				batching, MAX_PENDING, this.refunded::addAll, (call) -> {
					throw new IllegalStateException("Redis refuses nothing here");
				}, timer);
	}

	/**
	 * Note the rules of the calls that are answered.
	 */
	private void follow(Demand demand, CompletableFuture<StoreAnswer> answer) {
		answer.thenRun(() -> this.followed.add(demand.counts().rule().name()));
	}

	private static List<CompletableFuture<StoreAnswer>> decide(SentCalls calls, int number) {
		return IntStream.range(0, number).mapToObj((i) -> calls.decide(demand(RULE), calls.nextDeadline())).toList();
	}

	private static Demand demand(RuleCounts rule) {
		return new Demand(rule, AlgorithmOnStore.freshKey(), 1);
	}

	@Test
	void callsAreSentTogetherWhileTwoBatchesAreUnderWay() {
		List<CompletableFuture<StoreAnswer>> answers = decide(calls(true, PATIENCE), 5);
		assertThat(this.scripts.sizes).containsExactly(1, 1);
		this.scripts.runOne();
		assertThat(this.scripts.sizes).containsExactly(1, 1, 3);
		this.scripts.runOne();
		this.scripts.runOne();
		assertThat(answers).allSatisfy((answer) -> assertThat(answer.join().isAdmitted()).isTrue());
	}

	@Test
	void callsAreSentAtOnceWithoutBatches() {
		List<CompletableFuture<StoreAnswer>> answers = decide(calls(false, PATIENCE), 5);
		assertThat(this.scripts.sizes).containsExactly(1, 1, 1, 1, 1);
		answers.forEach((answer) -> this.scripts.runOne());
		assertThat(answers).allSatisfy((answer) -> assertThat(answer.join().isAdmitted()).isTrue());
	}

	@Test
	void callBeyondTheBoundFailsUntilOneIsAnswered() {
		SentCalls calls = calls(true, PATIENCE);
		assertThat(calls.isEmpty()).isTrue();
		List<CompletableFuture<StoreAnswer>> answers = decide(calls, MAX_PENDING);
		assertThat(calls.isEmpty()).isFalse();
		Demand beyond = demand(RULE);
		assertThat(calls.decide(beyond, calls.nextDeadline())).failsWithin(Duration.ZERO)
			.withThrowableOfType(ExecutionException.class)
			.withCause(RedisFailures.OVERLOAD);
		assertThat(calls.send(beyond, calls.nextDeadline())).failsWithin(Duration.ZERO)
			.withThrowableOfType(ExecutionException.class)
			.withCause(RedisFailures.OVERLOAD);
		assertThat(this.followed).isEmpty();
		this.scripts.runOne();
		assertThat(answers.get(0)).isDone();
		CompletableFuture<StoreAnswer> next = calls.decide(beyond, calls.nextDeadline());
		assertThat(next).isNotDone();
		while (!calls.isEmpty()) {
			this.scripts.runOne();
		}
		assertThat(next.join().get(0).first().remaining()).isEqualTo(8);
	}

	@Test
	void previewsOfTheSameTypesAreRunsOfOneScript() {
		SentCalls calls = calls(true, PATIENCE);
		calls.preview(demand(RULE));
		calls.preview(demand(RULE));
		assertThat(this.scripts.held.get(0).call().script()).isSameAs(this.scripts.held.get(1).call().script());
	}

	@Test
	void callOfSeveralRulesIsFollowedForEachOfThem() {
		SentCalls calls = calls(true, PATIENCE);
		CompletableFuture<StoreAnswer> answer = calls.send(Demands.of(demand(rule("first")), demand(rule("second"))),
				calls.nextDeadline());
		assertThat(this.followed).isEmpty();
		this.scripts.runOne();
		assertThat(answer.join().isAdmitted()).isTrue();
		assertThat(this.followed).containsExactlyInAnyOrder("first", "second");
	}

	@Test
	void earliestDeadlineIsTheNextOneAfterATime() {
		SentCalls calls = calls(true, PATIENCE);
		long now = System.nanoTime();
		assertThat(calls.earliest(now)).isEmpty();
		long late = now + PATIENCE.toNanos();
		for (long deadline : new long[] { late + 2, late + 1, late + 3 }) {
			calls.decide(demand(RULE), deadline);
		}
		assertThat(calls.earliest(now)).isEqualTo(OptionalLong.of(late + 1));
		assertThat(calls.earliest(late + 1)).isEqualTo(OptionalLong.of(late + 2));
		assertThat(calls.earliest(late + 3)).isEmpty();
	}

	@Test
	void callFailsAtItsDeadlineAndIsPendingUntilRedisAnswers() {
		SentCalls calls = calls(true, Duration.ofMillis(50));
		CompletableFuture<StoreAnswer> answer = calls.decide(demand(RULE), calls.nextDeadline());
		assertThat(answer).failsWithin(PATIENCE)
			.withThrowableOfType(ExecutionException.class)
			.havingCause()
			.isInstanceOfSatisfying(StoreException.class,
					(failure) -> assertThat(failure.reason()).isEqualTo("timeout"));
		assertThat(calls.isEmpty()).isFalse();
		this.scripts.runOne();
		assertThat(calls.isEmpty()).isTrue();
	}

	@Test
	void callForWhichThereIsNoTimerFailsAndIsRefunded() {
		SentCalls calls = calls(true, PATIENCE, (task, nanoseconds) -> {
			throw new OutOfMemoryError("no thread");
		});
		CompletableFuture<StoreAnswer> answer = calls.decide(demand(RULE), calls.nextDeadline());
		assertThat(answer).isCompletedExceptionally();
		this.scripts.runOne();
		assertThat(this.refunded).singleElement().matches((refund) -> refund.demand().cost() == 1);
		assertThat(calls.isEmpty()).isTrue();
	}

	/**
	 * Runner that keeps scripts until the test runs the first of them.
	 */
	private static final class HeldScripts implements ScriptRunner {

		private final ScriptRunner redis = new SynchronousScriptRunner(RedisUnderTest.process());

		private final List<ScriptRun> held = new ArrayList<>();

		/** Numbers of keys of all scripts. */
		private final List<Integer> sizes = new ArrayList<>();

		@Override
		public CompletableFuture<byte[]> run(ScriptCall call) {
			ScriptRun run = new ScriptRun(call, new CompletableFuture<>());
			this.held.add(run);
			this.sizes.add(call.keys().length);
			return run.reply();
		}

		void runOne() {
			ScriptRun.run(List.of(this.held.remove(0)), this.redis);
		}

	}

}
