package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.lettuce.core.RedisCommandExecutionException;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;

/**
 * {@link BatchQueue} whose batches are recorded, and replied to by the test.
 */
class BatchQueueUnderTest {

	static final RateLimitRule RULE = RateLimitRule.named("rule")
		.limit(Limit.of(5, Duration.ofMinutes(1)).withAlgorithm(Algorithm.TOKEN_BUCKET))
		.build();

	final List<List<PendingCall>> sent = new ArrayList<>();

	final List<CompletableFuture<byte[]>> replies = new ArrayList<>();

	final List<Consumer<byte[]>> late = new ArrayList<>();

	final List<Correction> refunds = new ArrayList<>();

	final List<Runnable> pauses = new ArrayList<>();

	boolean withoutTimer;

	final List<PendingCall> regrouped = new ArrayList<>();

	final Sharding sharding = new Sharding((call) -> new CompletableFuture<>(), "test", RedisSharding.NONE);

	final AtomicInteger pending = new AtomicInteger();

	final BatchQueue queue = queue(this::send, 2, 3);

	long now;

	BatchQueue queue(BatchQueue.Sender sender, int mostUnderWay, int mostAtOnce) {
		return queue(sender, mostUnderWay, mostAtOnce,
				new RedisFailures((call) -> new CompletableFuture<>(), Duration.ofMillis(100)));
	}

	BatchQueue queue(BatchQueue.Sender sender, int mostUnderWay, int mostAtOnce, RedisFailures failures) {
		return new BatchQueue(sender, this.refunds::addAll, failures, this.pending, mostUnderWay, mostAtOnce,
				(task, nanoseconds) -> pause(task), this.sharding, this.regrouped::add);
	}

	private void pause(Runnable task) {
		if (this.withoutTimer) {
			throw new OutOfMemoryError("no thread");
		}
		this.pauses.add(task);
	}

	void refuse(int batch) {
		refuse(batch, "TRYAGAIN Multiple keys");
	}

	void refuse(int batch, String reply) {
		this.replies.get(batch).completeExceptionally(new RedisCommandExecutionException(reply));
	}

	CompletableFuture<byte[]> send(List<PendingCall> calls, Consumer<byte[]> whenLate) {
		this.sent.add(calls);
		this.late.add(whenLate);
		this.replies.add(new CompletableFuture<>());
		return this.replies.get(this.replies.size() - 1);
	}

	List<PendingCall> enter(String... keys) {
		List<PendingCall> entered = new ArrayList<>();
		for (String key : keys) {
			entered.add(call(key));
			enter(entered.get(entered.size() - 1));
		}
		return entered;
	}

	void enter(PendingCall call) {
		this.pending.incrementAndGet();
		this.queue.add(call);
	}

	PendingCall call(String key) {
		return call(key, new CompletableFuture<>());
	}

	PendingCall call(String key, CompletableFuture<StoreAnswer> answer) {
		return PendingCall.of(new Demand(RULE, key, 1), RedisUnderTest.keys("test").encoded(CallerClock.of(() -> 0), 1),
				this.now + 100, answer, null);
	}

	void reply(int batch) {
		this.replies.get(batch)
			.complete(reply(this.sent.get(batch)
				.stream()
				.map((call) -> call.demands().get(0).key().text())
				.toArray(String[]::new)));
	}

	static byte[] reply(String... keys) {
		ByteBuffer reply = ByteBuffer.allocate(8 + 24 * keys.length).putLong(1);
		for (int i = 0; i < keys.length; i++) {
			reply.putLong(100 + i).putLong(0).putLong(0);
		}
		return reply.array();
	}

	List<String> keys() {
		return this.sent.stream()
			.map((batch) -> String.join(" ", batch.stream().map((call) -> call.demands().get(0).key().text()).toList()))
			.toList();
	}

	static long remaining(PendingCall call) {
		return call.answer().join().get(0).outcomes().get(0).remaining();
	}

	static StoreException failure(PendingCall call) {
		try {
			call.answer().join();
			throw new AssertionError("answered");
		}
		catch (RuntimeException ex) {
			return (StoreException) ex.getCause();
		}
	}

}
