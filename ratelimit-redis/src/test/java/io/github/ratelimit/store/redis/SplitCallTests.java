package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.tck.StoreUnderTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Script calls for a call whose rules are in several hash slots.
 */
class SplitCallTests {

	private static final long NOW = 1_000;

	private final Servers servers = new Servers();

	private final RedisRateLimitStore store = store("test");

	private final Demands demands = Demands.of(demand("a"), demand("b"), demand("c"));

	private RedisRateLimitStore store(String prefix) {
		return new RedisRateLimitStore(
				new RedisSetup(this.servers, prefix, Duration.ofSeconds(20), RedisSharding.NONE, () -> 0), false, 100,
				CountingScripts.deciding(), null);
	}

	@Test
	void isOneScriptCallWithoutACluster() {
		this.servers.many = false;
		store("test").acquire(this.demands);
		assertThat(this.servers.calls).containsExactly("decide a 1 b 1 c 1");
	}

	@Test
	void isOneScriptCallWhereTheSlotIsTheSame() {
		RedisRateLimitStore tagged = store("{tag}");
		StoreAnswer answer = tagged.acquire(this.demands);
		AlgorithmOnStore.correct(tagged, answer.refunds());
		assertThat(this.servers.calls).containsExactly("decide a 1 b 1 c 1", "refund a 1 b 1 c 1");
	}

	@Test
	void slotsAreCalledInTheOrderOfTheRules() {
		StoreAnswer answer = this.store.acquire(this.demands);
		assertThat(this.servers.calls).containsExactly("decide a 1", "decide b 1", "decide c 1");
		assertThat(answer.isAdmitted()).isTrue();
		assertThat(IntStream.range(0, 3).mapToObj((i) -> answer.get(i).time())).containsExactly(NOW + 1, NOW + 2,
				NOW + 3);
		assertThat(answer.refunds()).extracting(Correction::countedAt).containsExactly(NOW + 1, NOW + 2, NOW + 3);
	}

	@Test
	void refundsGoToEachSlot() {
		AlgorithmOnStore.correct(this.store, this.store.acquire(this.demands).refunds());
		assertThat(this.servers.calls.subList(3, 6)).containsExactlyInAnyOrder("refund a 1", "refund b 1",
				"refund c 1");
	}

	@Test
	void denialRefundsAndPeeksAtTheOthers() {
		this.servers.answers = (rule) -> rule.equals("b") ? 5_000 : 0;
		StoreAnswer answer = this.store.acquireAsync(this.demands).toCompletableFuture().join();
		assertThat(this.servers.calls).containsExactly("decide a 1", "decide b 1", "refund a 1", "decide a 0",
				"decide c 0");
		assertThat(answer.isAdmitted()).isFalse();
		assertThat(StoreUnderTest.outcomes(answer)).extracting(LimitOutcome::retryAfter)
			.containsExactly(0L, 5_000L, 0L);
	}

	@Test
	void waitThatIsAcceptedIsNoDenial() {
		this.servers.answers = (rule) -> rule.equals("b") ? 5_000 : 0;
		Demands patient = this.demands.map((demand) -> new Demand(demand.counts(), demand.key(), 1, 5_000));
		StoreAnswer answer = this.store.acquire(patient);
		assertThat(answer.isAdmitted()).isTrue();
		assertThat(answer.refunds()).extracting(Correction::countedAt)
			.containsExactly(NOW + 1, NOW + 2 + 5_000, NOW + 3);
	}

	@Test
	void denialByTheFirstRuleRefundsNothing() {
		this.servers.answers = (rule) -> rule.equals("a") ? -1 : 0;
		assertThat(this.store.acquire(this.demands).isAdmitted()).isFalse();
		assertThat(this.servers.calls).containsExactly("decide a 1", "decide b 0", "decide c 0");
	}

	@Test
	void failureRefundsTheUnitsOfTheOthers() {
		this.servers.answers = (rule) -> {
			if (rule.equals("c")) {
				throw new IllegalStateException("no answer");
			}
			return 0;
		};
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> this.store.acquire(this.demands))
			.withMessageContaining("no answer")
			.matches((failure) -> failure.concerns("server of c") && !failure.concerns("server of a"));
		assertThat(this.servers.calls.subList(3, 5)).containsExactlyInAnyOrder("refund a 1", "refund b 1");
		assertThatExceptionOfType(CompletionException.class)
			.isThrownBy(() -> this.store.acquireAsync(this.demands).toCompletableFuture().join())
			.withCauseInstanceOf(StoreException.class);
	}

	@Test
	void failedRefundDoesNotFailTheCall() {
		this.servers.answers = (rule) -> rule.equals("b") ? 5_000 : 0;
		this.servers.refusesRefunds = true;
		assertThat(this.store.acquire(this.demands).isAdmitted()).isFalse();
	}

	@Test
	void nothingMoreIsCalledWhenNoCallerWaits() {
		this.servers.pending = new CompletableFuture<>();
		CompletableFuture<StoreAnswer> answer = sequence((ofSlot) -> this.store.acquireAsync(ofSlot)).decide();
		answer.cancel(true);
		this.servers.pending.complete(null);
		assertThat(this.servers.calls).containsExactly("decide a 1", "refund a 1");
	}

	@Test
	void timeoutOfTheWholeCallBlamesTheSlotThatHasNotAnswered() {
		CompletableFuture<StoreAnswer> answer = sequence(
				(ofSlot) -> isOf("b", ofSlot) ? new CompletableFuture<>() : this.store.acquireAsync(ofSlot))
			.decide();
		answer.completeExceptionally(new TimeoutException());
		assertThat(answer).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.withCauseInstanceOf(StoreException.class)
			.withMessageContaining("slot of b");
	}

	@Test
	void timeoutOfTheWholeCallBlamesASlotThatIsPeekedAt() {
		this.servers.answers = (rule) -> rule.equals("b") ? 5_000 : 0;
		CompletableFuture<StoreAnswer> answer = sequence(
				(ofSlot) -> isOf("c", ofSlot) ? new CompletableFuture<>() : this.store.acquireAsync(ofSlot))
			.decide();
		answer.completeExceptionally(new TimeoutException());
		assertThat(answer).failsWithin(Duration.ZERO).withThrowableThat().withMessageContaining("slot of c");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void candidatesOfADeniedCallGetTheirUnitsBackIfItFailsOrNoCallerWaits(boolean fails) {
		Duration day = Duration.ofDays(1);
		RuleCounts counts = RuleCounts.of(RateLimitRule.named("a")
			.limit(5, day)
			.algorithm(Algorithm.SLIDING_LOG)
			.candidate("strict", Limit.of(2, day))
			.build());
		Demand first = new Demand(counts, "key", 1);
		Demand second = demand("b");
		RuleAnswer tried = answer(new Demand(counts.candidate(0), "key", 1), 0);
		CompletableFuture<StoreAnswer> peek = new CompletableFuture<>();
		List<Correction> refunded = new ArrayList<>();
		CompletableFuture<StoreAnswer> call = new SplitCall(Demands.of(first, second), (demand) -> demand.rule().name(),
				Demands::tried,
				(ofSlot, candidates) -> isOf("b", ofSlot) ? CompletableFuture.completedFuture(answer(second, 5_000))
						: (ofSlot.get(0).cost() == 0) ? peek
								: CompletableFuture.completedFuture(answer(first, 0).withTried(List.of(tried))),
				(refunds) -> {
					refunded.addAll(refunds);
					return CompletableFuture.completedFuture(List.of());
				}, (demand, failure) -> failure)
			.decide();
		assertThat(refunded).containsExactly(answer(first, 0).refund());
		if (fails) {
			peek.completeExceptionally(new TimeoutException());
		}
		else {
			call.cancel(true);
			peek.complete(answer(first.withCost(0), 0));
		}
		assertThat(call).isCompletedExceptionally();
		assertThat(refunded).containsExactly(answer(first, 0).refund(), tried.refund());
	}

	@Test
	void candidatesOfALaterRuleDecideACallThatIsDeniedBefore() {
		Duration day = Duration.ofDays(1);
		RuleCounts counts = RuleCounts.of(RateLimitRule.named("b")
			.limit(5, day)
			.algorithm(Algorithm.SLIDING_LOG)
			.candidate("strict", Limit.of(2, day))
			.build());
		Demand first = demand("a");
		Demand second = new Demand(counts, "key", 1);
		List<Long> costs = new ArrayList<>();
		List<Correction> refunded = new ArrayList<>();
		StoreAnswer denied = new SplitCall(Demands.of(first, second), (demand) -> demand.rule().name(), Demands::tried,
				(ofSlot, candidates) -> {
					costs.add(ofSlot.get(0).cost());
					if (isOf("a", ofSlot)) {
						return CompletableFuture.completedFuture(answer(first, 5_000));
					}
					List<RuleAnswer> tried = candidates.stream().map((each) -> answer(each, 0)).toList();
					return CompletableFuture.completedFuture(answer(ofSlot.get(0), 0).withTried(tried));
				}, (refunds) -> {
					refunded.addAll(refunds);
					return CompletableFuture.completedFuture(List.of());
				}, (demand, failure) -> failure)
			.decide()
			.join();
		assertThat(denied.isAdmitted()).isFalse();
		assertThat(costs).containsExactly(1L, 0L);
		assertThat(denied.tried()).singleElement().satisfies((tried) -> {
			assertThat(tried.demand().counts()).isSameAs(counts.candidate(0));
			assertThat(tried.demand().cost()).isOne();
		});
		assertThat(refunded).isEmpty();
	}

	private static RuleAnswer answer(Demand demand, long retryAfter) {
		return RuleAnswer.of(demand, NOW, (count) -> new LimitOutcome(4, retryAfter, 9));
	}

	private static boolean isOf(String rule, Demands demands) {
		return demands.get(0).rule().name().equals(rule);
	}

	private SplitCall sequence(Function<Demands, CompletionStage<StoreAnswer>> slot) {
		return new SplitCall(this.demands,
				(demand) -> ScriptReach.HASH_SLOT
					.group(RedisUnderTest.keys("test").counters(demand.counts()).first(demand.key())),
				Demands::tried, (ofSlot, candidates) -> slot.apply(ofSlot), this.store::correct,
				(demand, failure) -> new StoreException("slot of " + demand.rule().name(), failure));
	}

	private static Demand demand(String rule) {
		return new Demand(
				RateLimitRule.named(rule).limit(5, Duration.ofDays(1)).algorithm(Algorithm.SLIDING_LOG).build(), "key",
				1);
	}

	/**
	 * Script runner over many servers, one per rule, each with a time of its own.
	 */
	private static final class Servers implements ScriptRunner {

		/**
		 * Position of the 7 bytes of the cost in a count. The next constant is the number
		 * of bytes of a count.
		 */
		private static final int COST = 10;

		private static final int COUNT = 38;

		private final List<String> calls = new ArrayList<>();

		private boolean many = true;

		private boolean refusesRefunds;

		private Function<String, Integer> answers = (rule) -> 0;

		private CompletableFuture<Void> pending = CompletableFuture.completedFuture(null);

		@Override
		public boolean hasManyServers() {
			return this.many;
		}

		@Override
		public Object ownerOf(byte[] key) {
			return "server of " + rule(key);
		}

		@Override
		public CompletableFuture<byte[]> run(ScriptCall call) {
			byte[][] keys = call.keys();
			byte[][] arguments = call.arguments();
			boolean refund = call.script().text().endsWith(Script.read("refund"));
			StringBuilder text = new StringBuilder(refund ? "refund" : "decide");
			for (int i = 0; i < keys.length; i++) {
				// a refund is a call of its own, a decision one call with a demand per
				// key
				int count = refund ? (2 + COUNT) * (arguments[0][4 * i + 1] - 1) + 2 : 2 + COUNT * i;
				long cost = ByteBuffer.wrap(arguments[1]).getLong(count + COST - 1) & (1L << 56) - 1;
				text.append(' ').append(rule(keys[i])).append(' ').append(cost);
			}
			this.calls.add(text.toString());
			return this.pending.thenApply((go) -> refund ? refund(keys) : decide(keys));
		}

		private byte[] refund(byte[][] keys) {
			if (this.refusesRefunds) {
				throw new IllegalStateException("refuses refunds");
			}
			return new byte[Long.BYTES * (1 + keys.length)];
		}

		private byte[] decide(byte[][] keys) {
			ByteBuffer reply = ByteBuffer.allocate(8 + 24 * keys.length);
			reply.putLong(NOW + rule(keys[0]).charAt(0) - 'a' + 1);
			Arrays.stream(keys).forEach((key) -> reply.putLong(4).putLong(this.answers.apply(rule(key))).putLong(9));
			return reply.array();
		}

		private static String rule(byte[] key) {
			String name = new String(key, StandardCharsets.UTF_8);
			int end = name.indexOf(":key}");
			return name.substring(end - 1, end);
		}

	}

}
