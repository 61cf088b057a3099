package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.lettuce.core.RedisCommandExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.StoreAnswer;

import org.springframework.util.ReflectionUtils;

import static io.github.ratelimit.store.redis.BatchQueueUnderTest.failure;
import static io.github.ratelimit.store.redis.BatchQueueUnderTest.remaining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link BatchQueue}.
 */
class BatchQueueTests {

	private static final String CROSSSLOT = "CROSSSLOT Keys in request don't hash to the same slot";

	private final BatchQueueUnderTest batches = new BatchQueueUnderTest();

	@Test
	void leavesAtOnceWhileFewAreUnderWay() {
		this.batches.enter("a", "b");
		assertThat(this.batches.keys()).containsExactly("a", "b");
	}

	@Test
	void gatheredCallsLeaveTogetherWhenAReplyComes() {
		this.batches.enter("a", "b", "c", "d");
		assertThat(this.batches.keys()).containsExactly("a", "b");
		this.batches.reply(0);
		assertThat(this.batches.keys()).containsExactly("a", "b", "c d");
	}

	@Test
	void nothingOvertakesAndNoBatchIsLargerThanItMayBe() {
		this.batches.enter("a", "b", "c", "d", "e", "f", "g");
		this.batches.reply(1);
		assertThat(this.batches.keys()).containsExactly("a", "b", "c d e");
		this.batches.reply(0);
		assertThat(this.batches.keys()).containsExactly("a", "b", "c d e", "f g");
	}

	@Test
	void callsThatMayRewriteLongLogsAreFewInABatch() {
		BatchQueue large = this.batches.queue(this.batches::send, 1, 128);
		enter(large, log(10_000), IntStream.range(0, 30).mapToObj((i) -> "key-" + i).toArray(String[]::new));
		this.batches.reply(0);
		this.batches.reply(1);
		this.batches.reply(2);
		assertThat(this.batches.sent).extracting(List::size).containsExactly(1, 10, 10, 9);
	}

	@Test
	void callsThatMayRewriteALogThatCountsDeniedCallsWeighTwice() {
		BatchQueue large = this.batches.queue(this.batches::send, 1, 128);
		enter(large, log(10_000).withCountDenied(true),
				IntStream.range(0, 12).mapToObj((i) -> "key-" + i).toArray(String[]::new));
		this.batches.reply(0);
		this.batches.reply(1);
		assertThat(this.batches.sent).extracting(List::size).containsExactly(1, 5, 5);
	}

	@Test
	void callsInARowForTheSameLongLogAndCallsForShortLogsFillABatch() {
		BatchQueue large = this.batches.queue(this.batches::send, 1, 128);
		enter(large, log(10_000), Collections.nCopies(150, "key").toArray(String[]::new));
		this.batches.reply(0);
		enter(large, log(500), IntStream.range(0, 150).mapToObj((i) -> "key-" + i).toArray(String[]::new));
		this.batches.reply(1);
		assertThat(this.batches.sent).extracting(List::size).containsExactly(1, 128, 128);
	}

	private static Limit log(long max) {
		return Limit.of(max, Duration.ofMinutes(1)).withAlgorithm(Algorithm.SLIDING_LOG);
	}

	private static void enter(BatchQueue queue, Limit limit, String... keys) {
		RateLimitRule rule = RateLimitRule.named("rule").limit(limit).build();
		for (String key : keys) {
			queue.add(PendingCall.of(new Demand(rule, key, 1),
					RedisUnderTest.keys("test").encoded(CallerClock.of(() -> 0), 1), 100, new CompletableFuture<>(),
					null));
		}
	}

	@Test
	void eachCallGetsItsPartOfTheReply() {
		List<PendingCall> entered = this.batches.enter("a", "b", "c", "d");
		this.batches.reply(0);
		this.batches.reply(2);
		assertThat(remaining(entered.get(0))).isEqualTo(100);
		assertThat(remaining(entered.get(2))).isEqualTo(100);
		assertThat(remaining(entered.get(3))).isEqualTo(101);
		assertThat(entered.get(1).answer()).isNotDone();
	}

	@Test
	void callThatFailsDoesNotFailTheOthers() {
		List<PendingCall> entered = this.batches.enter("a", "b", "c", "d");
		this.batches.reply(0);
		byte[] error = "WRONGTYPE Operation against a key".getBytes();
		this.batches.replies.get(2)
			.complete(ByteBuffer.allocate(8 + 16 + error.length + 24)
				.putLong(1)
				.putLong(-1)
				.putLong(error.length)
				.put(error)
				.putLong(7)
				.array());
		assertThatExceptionOfType(Exception.class).isThrownBy(() -> entered.get(2).answer().join())
			.withRootCauseInstanceOf(ScriptFailure.class)
			.withStackTraceContaining("WRONGTYPE");
		assertThat(remaining(entered.get(3))).isEqualTo(7);
	}

	@Test
	void callsThatWaitBehindASilentRedisWaitNoLonger() {
		List<PendingCall> entered = this.batches.enter("a", "b", "c", "d", "e", "f");
		this.batches.replies.get(0).completeExceptionally(new TimeoutException());
		assertThat(entered.get(1).answer()).isNotDone();
		entered.remove(1);
		assertThat(entered).allSatisfy((call) -> assertThat(failure(call).reason()).isEqualTo("timeout"));
		assertThat(this.batches.keys()).containsExactly("a", "b");
		this.batches.enter("g");
		assertThat(this.batches.keys()).containsExactly("a", "b", "g");
	}

	@Test
	void callsThatWaitBehindAMistakeAreSent() {
		List<PendingCall> entered = this.batches.enter("a", "b", "c");
		this.batches.replies.get(0).completeExceptionally(new RedisCommandExecutionException("NOPERM no"));
		assertThat(failure(entered.get(0)).reason()).isEqualTo("noperm");
		assertThat(this.batches.keys()).containsExactly("a", "b", "c");
	}

	@Test
	void canceledCallIsNotSent() {
		List<PendingCall> entered = this.batches.enter("a", "b", "c", "d");
		entered.get(2).answer().cancel(true);
		this.batches.reply(0);
		assertThat(this.batches.keys()).containsExactly("a", "b", "d");
	}

	@ParameterizedTest
	@ValueSource(classes = { IllegalStateException.class, NoClassDefFoundError.class })
	void senderThatThrowsHoldsUpNoOtherCall(Class<? extends Throwable> thrown) throws Exception {
		Throwable failure = thrown.getConstructor(String.class).newInstance("cannot send");
		BatchQueue failing = this.batches.queue((calls, whenLate) -> {
			ReflectionUtils.rethrowRuntimeException(failure);
			return null;
		}, 1, 1);
		for (int i = 0; i < 3; i++) {
			PendingCall call = this.batches.call("a");
			failing.add(call);
			assertThat(failure(call)).hasMessageContaining("cannot send");
		}
	}

	@Test
	void failureThatCannotBeDescribedLeavesNoCallWithoutAnAnswer() {
		BatchQueue failing = this.batches.queue(this.batches::send, 1, 1, new RedisFailures(new ScriptRunner() {

			@Override
			public CompletableFuture<byte[]> run(ScriptCall call) {
				return call.reply();
			}

			@Override
			public String address() {
				throw new OutOfMemoryError("no memory");
			}

		}, Duration.ofMillis(100)));
		List<PendingCall> entered = List.of(this.batches.call("a"), this.batches.call("b"));
		this.batches.pending.set(2);
		entered.forEach(failing::add);
		this.batches.replies.get(0).completeExceptionally(new IllegalStateException("broken"));
		assertThat(entered).allSatisfy((call) -> assertThat(call.answer()).isCompletedExceptionally());
		assertThat(failure(entered.get(1)).reason()).isEqualTo("connection");
		assertThat(this.batches.pending).hasValue(0);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void replyThatCannotBeAwaitedHoldsUpNoOtherCall(boolean isThere) {
		CompletableFuture<byte[]> reply = new CompletableFuture<>() {

			@Override
			public CompletableFuture<byte[]> whenComplete(BiConsumer<? super byte[], ? super Throwable> action) {
				throw new NoClassDefFoundError("cannot await");
			}

		};
		BatchQueue failing = this.batches.queue((calls, whenLate) -> isThere ? reply : null, 1, 1);
		for (int i = 0; i < 3; i++) {
			PendingCall call = this.batches.call("a");
			this.batches.pending.incrementAndGet();
			failing.add(call);
			assertThat(call.answer()).isCompletedExceptionally();
		}
		assertThat(failing.isBusy()).isFalse();
		assertThat(this.batches.pending).hasValue(0);
	}

	@Test
	void callThatCannotBePutIntoABatchHoldsUpNoOtherCall() {
		List<PendingCall> entered = this.batches.enter("a", "b");
		List<PendingCall> unreadable = List.of(unreadable(), unreadable());
		unreadable.forEach(this.batches::enter);
		this.batches.reply(0);
		assertThat(entered.get(0).answer()).isCompleted();
		assertThat(unreadable).allSatisfy((call) -> assertThat(call.answer()).isCompletedExceptionally());
		this.batches.enter(unreadable());
		this.batches.reply(1);
		this.batches.enter("c", "d");
		assertThat(this.batches.keys()).containsExactly("a", "b", "c", "d");
		this.batches.reply(2);
		this.batches.reply(3);
		assertThat(this.batches.pending).hasValue(0);
	}

	private PendingCall unreadable() {
		PendingCall call = this.batches.call("unreadable");
		return new PendingCall(call.demands(), call.rules(), null, call.keys(), call.deadline(), call.answer(),
				call.fetch(), null, List.of(), false);
	}

	@Test
	void replyThatIsCutOffFailsTheCalls() {
		List<PendingCall> entered = this.batches.enter("a");
		this.batches.replies.get(0).complete(new byte[8]);
		assertThat(entered.get(0).answer()).isCompletedExceptionally();
	}

	@Test
	void callWhoseAnswerCannotBeReadLeavesNoOtherCallWithoutOne() {
		this.batches.enter("a", "b");
		this.batches.enter(this.batches.call("c", new CompletableFuture<>() {

			@Override
			public boolean complete(StoreAnswer answer) {
				throw new NoClassDefFoundError("cannot read");
			}

		}));
		List<PendingCall> entered = this.batches.enter("d");
		this.batches.reply(0);
		this.batches.reply(2);
		assertThat(entered.get(0).answer()).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.withMessageContaining("cannot read");
	}

	@Test
	void expiredCallIsNotSentAndHoldsUpNoOtherCall() {
		List<PendingCall> entered = this.batches.enter("a", "b", "c");
		this.batches.now = 10;
		entered.addAll(this.batches.enter("d"));
		this.batches.queue.end(100);
		assertThat(entered.subList(0, 3)).allSatisfy((call) -> assertThat(failure(call).reason()).isEqualTo("timeout"));
		assertThat(entered.get(3).answer()).isNotDone();
		assertThat(this.batches.pending).as("a and b, for which Redis works still, and d").hasValue(3);
		this.batches.reply(0);
		assertThat(this.batches.keys()).containsExactly("a", "b", "d");
		assertThat(this.batches.queue.pending()).containsExactly(entered.get(3));
	}

	@Test
	void callsToCandidatesAreSentBeforeTheirBatchTheFirstOnesOfAllCallsTogether() {
		this.batches.enter("a", "b");
		this.batches.enter(tried("c", "c-1", "c-2"));
		this.batches.enter(this.batches.call("d"));
		this.batches.reply(0);
		this.batches.enter(tried("e", "e-1", "e-2"));
		this.batches.enter(tried("f", "f-1"));
		assertThat(this.batches.keys()).containsExactly("a", "b", "c-1 c-2 c");
		this.batches.reply(2);
		assertThat(this.batches.keys().get(3)).isEqualTo("e-1 e-2 d e");
		this.batches.reply(1);
		this.batches.reply(3);
		assertThat(this.batches.keys().get(4)).isEqualTo("f-1 f");
		this.batches.reply(4);
		assertThat(this.batches.pending).hasValue(0);
	}

	@Test
	void deniedCallThatWasGivenUpTookNothingIfItsCandidateFails() {
		this.batches.enter("a", "b");
		PendingCall call = tried("c", "c-1");
		this.batches.enter(call);
		this.batches.reply(0);
		call.answer().cancel(true);
		byte[] error = "WRONGTYPE Operation against a key".getBytes();
		this.batches.replies.get(2)
			.complete(ByteBuffer.allocate(8 + 16 + error.length + 24)
				.putLong(1)
				.putLong(-1)
				.putLong(error.length)
				.put(error)
				.putLong(0)
				.putLong(1_000)
				.putLong(1_000)
				.array());
		assertThat(this.batches.refunds).isEmpty();
	}

	private PendingCall tried(String key, String... candidates) {
		return this.batches.call(key)
			.trying(Stream.of(candidates).map((each) -> new Demand(BatchQueueUnderTest.RULE, each, 1)).toList());
	}

	@Test
	void callsOfOneKeyThatRedisRefusesAreSentWithOtherKeysWhileThereAreOthers() {
		List<PendingCall> entered = this.batches.enter("a", "b", "c", "c");
		this.batches.reply(0);
		entered.get(2).answer().cancel(true);
		this.batches.refuse(2, CROSSSLOT);
		assertThat(this.batches.regrouped).containsExactly(entered.get(3));
		assertThat(this.batches.pending).as("b").hasValue(1);
		this.batches.enter("d");
		this.batches.refuse(3, CROSSSLOT);
		assertThat(this.batches.regrouped).hasSize(2);
		entered = this.batches.enter("e");
		this.batches.refuse(4, CROSSSLOT);
		assertThat(failure(entered.get(0)).reason()).isEqualTo("crossslot");
		assertThat(this.batches.regrouped).hasSize(2);
	}

	@Test
	void callsThatWereQueuedTogetherAreDividedWhenAScriptReachesOneHashSlot() {
		this.batches.enter("a", "b", "c", "d");
		this.batches.refuse(0, CROSSSLOT);
		assertThat(this.batches.keys()).containsExactly("a", "b", "c d");
		this.batches.refuse(2, CROSSSLOT);
		assertThat(this.batches.keys()).containsExactly("a", "b", "c d", "c", "d");
		assertThat(this.batches.sharding.reach()).isEqualTo(ScriptReach.HASH_SLOT);
	}

	@Test
	void everyCallLeavesThePendingOnesOnce() {
		List<PendingCall> entered = this.batches.enter("a", "b", "c", "d", "e", "f", "g", "h", "i");
		this.batches.reply(0);
		entered.get(5).answer().cancel(true);
		this.batches.refuse(2);
		this.batches.reply(3);
		this.batches.replies.get(4).completeExceptionally(new RedisCommandExecutionException("NOPERM no"));
		this.batches.reply(5);
		this.batches.queue.end(100);
		for (int i = 1; i < this.batches.replies.size(); i++) {
			if (!this.batches.replies.get(i).isDone()) {
				this.batches.reply(i);
			}
		}
		this.batches.enter("j", "k", "l");
		this.batches.replies.get(this.batches.replies.size() - 2).completeExceptionally(new TimeoutException());
		this.batches.reply(this.batches.replies.size() - 1);
		assertThat(this.batches.queue.pending()).isEmpty();
		assertThat(this.batches.pending).hasValue(0);
	}

}
