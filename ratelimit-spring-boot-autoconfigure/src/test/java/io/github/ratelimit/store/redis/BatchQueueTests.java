package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.lettuce.core.RedisCommandExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.StoreException;

import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link BatchQueue}.
 */
class BatchQueueTests {

	private static final RateLimitRule RULE = RateLimitRule.named("rule")
		.limit(Limit.of(5, Duration.ofMinutes(1)).withAlgorithm(Algorithm.TOKEN_BUCKET))
		.build();

	private final List<List<PendingCall>> sent = new ArrayList<>();

	private final List<CompletableFuture<byte[]>> replies = new ArrayList<>();

	private final List<Consumer<byte[]>> late = new ArrayList<>();

	private final List<Refund> refunds = new ArrayList<>();

	private final List<Runnable> pauses = new ArrayList<>();

	private final PendingCalls pending = new PendingCalls(100);

	private final BatchQueue queue = queue(this::send, 2, 3);

	private long now;

	private BatchQueue queue(BatchQueue.Sender sender, int mostUnderWay, int mostAtOnce) {
		return new BatchQueue(sender, this.refunds::addAll, new RedisFailures(Duration.ofMillis(100)), this.pending,
				mostUnderWay, mostAtOnce, (task, nanoseconds) -> {
					this.pauses.add(task);
					return () -> {
					};
				});
	}

	@Test
	void leavesAtOnceWhileFewAreUnderWay() {
		enter("a", "b");
		assertThat(batches()).containsExactly("a", "b");
	}

	@Test
	void gatheredCallsLeaveTogetherWhenAReplyComes() {
		enter("a", "b", "c", "d");
		assertThat(batches()).containsExactly("a", "b");
		reply(0);
		assertThat(batches()).containsExactly("a", "b", "c d");
	}

	@Test
	void nothingOvertakesAndNoBatchIsLargerThanItMayBe() {
		enter("a", "b", "c", "d", "e", "f", "g");
		reply(1);
		assertThat(batches()).containsExactly("a", "b", "c d e");
		reply(0);
		assertThat(batches()).containsExactly("a", "b", "c d e", "f g");
	}

	@Test
	void callsThatMayRewriteLongLogsAreFewInABatch() {
		BatchQueue large = queue(this::send, 1, 128);
		enter(large, log(10_000), IntStream.range(0, 30).mapToObj((i) -> "key-" + i).toArray(String[]::new));
		reply(0);
		reply(1);
		reply(2);
		assertThat(this.sent).extracting(List::size).containsExactly(1, 10, 10, 9);
	}

	@Test
	void callsThatMayRewriteALogThatCountsDeniedCallsWeighTwice() {
		BatchQueue large = queue(this::send, 1, 128);
		enter(large, log(10_000).withCountDenied(true),
				IntStream.range(0, 12).mapToObj((i) -> "key-" + i).toArray(String[]::new));
		reply(0);
		reply(1);
		assertThat(this.sent).extracting(List::size).containsExactly(1, 5, 5);
	}

	@Test
	void callsInARowForTheSameLongLogAndCallsForShortLogsFillABatch() {
		BatchQueue large = queue(this::send, 1, 128);
		enter(large, log(10_000), Collections.nCopies(150, "key").toArray(String[]::new));
		reply(0);
		enter(large, log(500), IntStream.range(0, 150).mapToObj((i) -> "key-" + i).toArray(String[]::new));
		reply(1);
		assertThat(this.sent).extracting(List::size).containsExactly(1, 128, 128);
	}

	private static Limit log(long max) {
		return Limit.of(max, Duration.ofMinutes(1)).withAlgorithm(Algorithm.SLIDING_LOG);
	}

	private static void enter(BatchQueue queue, Limit limit, String... keys) {
		RateLimitRule rule = RateLimitRule.named("rule").limit(limit).build();
		for (String key : keys) {
			queue.add(PendingCall.of(new Demand(rule, key, 1),
					EncodedCounts.under(new RedisKeys("test"), CallerClock.of(() -> 0), 1), 100));
		}
	}

	@Test
	void eachCallGetsItsPartOfTheReply() {
		List<PendingCall> entered = enter("a", "b", "c", "d");
		reply(0);
		reply(2);
		assertThat(remaining(entered.get(0))).isEqualTo(100);
		assertThat(remaining(entered.get(2))).isEqualTo(100);
		assertThat(remaining(entered.get(3))).isEqualTo(101);
		assertThat(entered.get(1).answer()).isNotDone();
	}

	@Test
	void callThatFailsDoesNotFailTheOthers() {
		List<PendingCall> entered = enter("a", "b", "c", "d");
		reply(0);
		byte[] error = "WRONGTYPE Operation against a key".getBytes();
		this.replies.get(2)
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
		List<PendingCall> entered = enter("a", "b", "c", "d", "e", "f");
		this.replies.get(0).completeExceptionally(new TimeoutException());
		assertThat(entered.get(1).answer()).isNotDone();
		entered.remove(1);
		assertThat(entered).allSatisfy((call) -> assertThat(failure(call).reason()).isEqualTo("timeout"));
		assertThat(batches()).containsExactly("a", "b");
		enter("g");
		assertThat(batches()).containsExactly("a", "b", "g");
	}

	@Test
	void callsThatWaitBehindAMistakeAreSent() {
		List<PendingCall> entered = enter("a", "b", "c");
		this.replies.get(0).completeExceptionally(new RedisCommandExecutionException("NOPERM no"));
		assertThat(failure(entered.get(0)).reason()).isEqualTo("noperm");
		assertThat(batches()).containsExactly("a", "b", "c");
	}

	@Test
	void keysOfAMovingSlotAreSentOneByOneAndThenUntilTheyAreAccepted() {
		List<PendingCall> entered = enter("a", "b", "c", "d", "c");
		reply(0);
		refuse(2);
		assertThat(batches()).containsExactly("a", "b", "c d c", "c c", "d");
		refuse(3);
		reply(4);
		assertThat(remaining(entered.get(3))).isEqualTo(100);
		assertThat(entered.get(2).answer()).isNotDone();
		this.pauses.remove(0).run();
		refuse(5);
		this.pauses.remove(0).run();
		assertThat(batches()).containsExactly("a", "b", "c d c", "c c", "d", "c c", "c c");
		reply(6);
		assertThat(remaining(entered.get(4))).isEqualTo(101);
		assertThat(this.pauses).isEmpty();
	}

	@Test
	void callsThatAMovingSlotRefusesUntilTheirDeadlineShowNoOutage() {
		List<PendingCall> entered = enter("a", "b");
		refuse(0);
		refuse(1);
		assertThat(this.queue.isBusy()).isTrue();
		this.pauses.remove(0).run();
		refuse(2);
		assertThat(this.queue.pending()).containsExactlyInAnyOrderElementsOf(entered);
		this.queue.end(100);
		assertThat(entered).allSatisfy((call) -> assertThat(failure(call).reason()).isEqualTo("tryagain"));
		this.pauses.remove(0).run();
		assertThat(batches()).containsExactly("a", "b", "a", "b");
		reply(3);
		assertThat(this.refunds).hasSize(1);
		assertThat(this.queue.isBusy()).isFalse();
		assertThat(IntStream.range(0, 101).filter((i) -> this.pending.enter())).hasSize(100);
	}

	@Test
	void callsBehindARefusedOneAreSent() {
		enter("a", "b", "c");
		refuse(0);
		assertThat(batches()).containsExactly("a", "b", "c");
	}

	private void refuse(int batch) {
		this.replies.get(batch).completeExceptionally(new RedisCommandExecutionException("TRYAGAIN Multiple keys"));
	}

	@Test
	void canceledCallIsNotSent() {
		List<PendingCall> entered = enter("a", "b", "c", "d");
		entered.get(2).answer().cancel(true);
		reply(0);
		assertThat(batches()).containsExactly("a", "b", "d");
	}

	@ParameterizedTest
	@ValueSource(classes = { IllegalStateException.class, NoClassDefFoundError.class })
	void senderThatThrowsHoldsUpNoOtherCall(Class<? extends Throwable> thrown) throws Exception {
		Throwable failure = thrown.getConstructor(String.class).newInstance("cannot send");
		BatchQueue failing = queue((calls, whenLate) -> {
			ReflectionUtils.rethrowRuntimeException(failure);
			return null;
		}, 1, 1);
		for (int i = 0; i < 3; i++) {
			PendingCall call = call("a");
			failing.add(call);
			assertThat(failure(call)).hasMessageContaining("cannot send");
		}
	}

	@Test
	void replyThatIsCutOffFailsTheCalls() {
		List<PendingCall> entered = enter("a");
		this.replies.get(0).complete(new byte[8]);
		assertThat(entered.get(0).answer()).isCompletedExceptionally();
	}

	@Test
	void expiredCallIsNotSentAndHoldsUpNoOtherCall() {
		List<PendingCall> entered = enter("a", "b", "c");
		this.now = 10;
		entered.addAll(enter("d"));
		this.queue.end(100);
		assertThat(entered.subList(0, 3)).allSatisfy((call) -> assertThat(failure(call).reason()).isEqualTo("timeout"));
		assertThat(entered.get(3).answer()).isNotDone();
		reply(0);
		assertThat(batches()).containsExactly("a", "b", "d");
		assertThat(this.queue.pending()).containsExactly(entered.get(3));
	}

	@Test
	void unitsOfCallsThatHaveEndedAreRefundedTogether() {
		List<PendingCall> entered = enter("a", "b", "c", "d", "e");
		reply(0);
		entered.get(2).answer().cancel(true);
		this.queue.end(100);
		reply(2);
		assertThat(this.refunds).extracting((refund) -> refund.demand().key().text()).containsExactly("c", "d", "e");
		assertThat(this.refunds).extracting(Refund::slot).containsOnly(1L);
	}

	@Test
	void callThatIsAnsweredInTimeOrDeniedIsNotRefunded() {
		List<PendingCall> entered = enter("a", "b");
		reply(0);
		entered.get(1).answer().cancel(true);
		this.replies.get(1)
			.complete(ByteBuffer.allocate(8 + 24).putLong(1).putLong(0).putLong(5_000).putLong(5_000).array());
		assertThat(this.refunds).isEmpty();
	}

	@Test
	void replyThatComesAfterItsBatchWasGivenUpIsRefunded() {
		List<PendingCall> entered = enter("a", "b", "c", "d");
		reply(0);
		this.replies.get(2).completeExceptionally(new TimeoutException());
		assertThat(failure(entered.get(2)).reason()).isEqualTo("timeout");
		assertThat(this.refunds).isEmpty();
		this.late.get(2).accept(reply("c", "d"));
		assertThat(this.refunds).extracting((refund) -> refund.demand().key().text()).containsExactly("c", "d");
	}

	@Test
	void callsThatOnlyPeekAreNotRefunded() {
		PendingCall peek = PendingCall.of(new Demand(RULE, "a", 0),
				EncodedCounts.under(new RedisKeys("test"), CallerClock.of(() -> 0), 1), 100);
		enter(peek);
		peek.answer().cancel(true);
		reply(0);
		assertThat(this.refunds).isEmpty();
	}

	@Test
	void everyCallLeavesThePendingOnesOnce() {
		List<PendingCall> entered = enter("a", "b", "c", "d", "e", "f", "g", "h", "i");
		reply(0);
		entered.get(5).answer().cancel(true);
		refuse(2);
		reply(3);
		this.replies.get(4).completeExceptionally(new RedisCommandExecutionException("NOPERM no"));
		reply(5);
		this.queue.end(100);
		for (int i = 1; i < this.replies.size(); i++) {
			if (!this.replies.get(i).isDone()) {
				reply(i);
			}
		}
		enter("j", "k", "l");
		this.replies.get(this.replies.size() - 2).completeExceptionally(new TimeoutException());
		reply(this.replies.size() - 1);
		assertThat(this.queue.pending()).isEmpty();
		assertThat(IntStream.range(0, 101).filter((i) -> this.pending.enter())).hasSize(100);
	}

	private CompletableFuture<byte[]> send(List<PendingCall> calls, Consumer<byte[]> whenLate) {
		this.sent.add(calls);
		this.late.add(whenLate);
		this.replies.add(new CompletableFuture<>());
		return this.replies.get(this.replies.size() - 1);
	}

	private List<PendingCall> enter(String... keys) {
		List<PendingCall> entered = new ArrayList<>();
		for (String key : keys) {
			entered.add(call(key));
			enter(entered.get(entered.size() - 1));
		}
		return entered;
	}

	private void enter(PendingCall call) {
		assertThat(this.pending.enter()).isTrue();
		this.queue.add(call);
	}

	private PendingCall call(String key) {
		return PendingCall.of(new Demand(RULE, key, 1),
				EncodedCounts.under(new RedisKeys("test"), CallerClock.of(() -> 0), 1), this.now + 100);
	}

	private void reply(int batch) {
		this.replies.get(batch)
			.complete(reply(this.sent.get(batch)
				.stream()
				.map((call) -> call.demands().get(0).key().text())
				.toArray(String[]::new)));
	}

	private static byte[] reply(String... keys) {
		ByteBuffer reply = ByteBuffer.allocate(8 + 24 * keys.length).putLong(1);
		for (int i = 0; i < keys.length; i++) {
			reply.putLong(100 + i).putLong(0).putLong(0);
		}
		return reply.array();
	}

	private List<String> batches() {
		return this.sent.stream()
			.map((batch) -> String.join(" ", batch.stream().map((call) -> call.demands().get(0).key().text()).toList()))
			.toList();
	}

	private static long remaining(PendingCall call) {
		return call.answer().join().get(0).outcomes().get(0).remaining();
	}

	private static StoreException failure(PendingCall call) {
		try {
			call.answer().join();
			throw new AssertionError("answered");
		}
		catch (RuntimeException ex) {
			return (StoreException) ex.getCause();
		}
	}

}
