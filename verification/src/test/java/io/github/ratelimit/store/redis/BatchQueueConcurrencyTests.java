package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.lettuce.core.RedisCommandExecutionException;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.concurrency.Interleavings;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleCounts;

/**
 * Calls that are queued, answered, refused, given up and failed at once: each is
 * answered, none is decided twice, what nobody waited for is refunded, and in the end the
 * queue is empty and sends the next calls.
 */
@Tag("in-ci")
@Tag("concurrency")
public class BatchQueueConcurrencyTests {

	private static final int UNDER_WAY = 2;

	@Test
	void everyCallIsAnsweredOnce() {
		Interleavings.check(Queued.class);
	}

	/**
	 * Queue whose batches are replied to by operations.
	 */
	@Param(name = "key", gen = IntGen.class, conf = "0:1")
	public static class Queued {

		private final RuleCounts counts = RuleCounts.of(RateLimitRule.named("rule")
			.limit(Limit.of(5, Duration.ofMinutes(1)).withAlgorithm(Algorithm.TOKEN_BUCKET))
			.build());

		private final Queue<PendingCall> calls = new ConcurrentLinkedQueue<>();

		private final Queue<Sent> sent = new ConcurrentLinkedQueue<>();

		private final Queue<Runnable> pauses = new ConcurrentLinkedQueue<>();

		private final Queue<PendingCall> decided = new ConcurrentLinkedQueue<>();

		private final AtomicInteger refunded = new AtomicInteger();

		private final AtomicInteger pending = new AtomicInteger();

		private final Sharding sharding = new Sharding((call) -> new CompletableFuture<>(), "test", RedisSharding.NONE);

		private final BatchQueue queue = new BatchQueue(this::send, this::refund,
				new RedisFailures((call) -> new CompletableFuture<>(), Duration.ofMillis(100)), this.pending, UNDER_WAY,
				3, (task, nanoseconds) -> this.pauses.add(task), this.sharding,
				(call) -> call.fail(new IllegalStateException("regrouped")));

		private CompletableFuture<byte[]> send(List<PendingCall> batch, Consumer<byte[]> late) {
			Sent next = new Sent(List.copyOf(batch), new CompletableFuture<>());
			this.sent.add(next);
			return next.reply();
		}

		private void refund(List<Correction> corrections) {
			this.refunded.addAndGet(corrections.size());
		}

		@Operation(params = "key")
		public void add(int key) {
			PendingCall call = PendingCall.of(new Demand(this.counts, "key-" + key, 1),
					RedisUnderTest.keys("test").encoded(CallerClock.of(() -> 0), 1), 100, new CompletableFuture<>(),
					null);
			this.calls.add(call);
			this.pending.incrementAndGet();
			this.queue.add(call);
		}

		@Operation
		public void reply() {
			Sent next = this.sent.poll();
			if (next != null) {
				this.decided.addAll(next.calls());
				next.reply().complete(BatchQueueUnderTest.reply(new String[next.calls().size()]));
			}
		}

		@Operation
		public void refuse() {
			fail(new RedisCommandExecutionException("TRYAGAIN Multiple keys"));
		}

		@Operation
		public void lose() {
			fail(new TimeoutException());
		}

		private void fail(Throwable failure) {
			Sent next = this.sent.poll();
			if (next != null) {
				next.reply().completeExceptionally(failure);
			}
		}

		@Operation
		public void pause() {
			Runnable next = this.pauses.poll();
			if (next != null) {
				next.run();
			}
		}

		@Operation
		public void giveUp() {
			for (PendingCall call : this.calls) {
				if (call.answer().cancel(false)) {
					return;
				}
			}
		}

		@Validate
		public void nothingIsLeft() {
			for (int rounds = 0; rounds < 50; rounds++) {
				pause();
				reply();
			}
			check(this.calls.stream().allMatch(PendingCall::isOver), "A call was not answered");
			check(this.pending.get() == 0, this.pending + " calls are still pending");
			check(!this.queue.isBusy(), "The queue is not empty");
			Map<PendingCall, Boolean> once = new IdentityHashMap<>();
			this.decided.forEach((call) -> check(once.put(call, true) == null, "A call was decided twice"));
			long unused = this.decided.stream().filter((call) -> call.answer().isCancelled()).count();
			check(unused == this.refunded.get(), unused + " calls had to be refunded, " + this.refunded + " were");
			Collections.nCopies(UNDER_WAY, 0).forEach(this::add);
			check(this.sent.size() == UNDER_WAY, "Only " + this.sent.size() + " calls are sent at once");
		}

		private static void check(boolean holds, String otherwise) {
			if (!holds) {
				throw new IllegalStateException(otherwise);
			}
		}

		private record Sent(List<PendingCall> calls, CompletableFuture<byte[]> reply) {

		}

	}

}
