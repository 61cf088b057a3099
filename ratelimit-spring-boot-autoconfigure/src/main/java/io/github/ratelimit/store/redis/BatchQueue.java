package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.StoreException;

/**
 * Where calls wait while enough of them are on their way to Redis. What has gathered when
 * a reply comes in leaves together, as one script call that decides each of them, in the
 * order in which they came. When nothing is on its way, a call leaves at once: nobody
 * ever waits for others to come.
 *
 * <p>
 * A call that is over before it is sent is not sent. One that is over when its reply
 * comes in, before or after the script call was given up, gets a refund of what Redis has
 * counted.
 */
final class BatchQueue {

	private final Sender sender;

	private final Consumer<List<Refund>> refunds;

	private final RedisFailures failures;

	private final PendingCalls pending;

	private final int mostUnderWay;

	private final int mostAtOnce;

	private final Queue<PendingCall> waiting = new ConcurrentLinkedQueue<>();

	private final AtomicInteger underWay = new AtomicInteger();

	private final Set<Batch> sent = ConcurrentHashMap.newKeySet();

	/**
	 * Create a new queue.
	 * @param sender sends calls as one script call
	 * @param refunds gives back what was taken for nobody
	 * @param failures what failures mean
	 * @param pending counts the calls, which are in it when they are added
	 * @param mostUnderWay how many script calls are on their way at most
	 * @param mostAtOnce how many calls a script call has at most
	 */
	BatchQueue(Sender sender, Consumer<List<Refund>> refunds, RedisFailures failures, PendingCalls pending,
			int mostUnderWay, int mostAtOnce) {
		this.sender = sender;
		this.refunds = refunds;
		this.failures = failures;
		this.pending = pending;
		this.mostUnderWay = mostUnderWay;
		this.mostAtOnce = mostAtOnce;
	}

	void add(PendingCall call) {
		this.waiting.add(call);
		sendWaiting();
	}

	/**
	 * End the calls whose deadline is not after a time.
	 */
	void end(long time) {
		pending().filter((call) -> call.deadline() - time <= 0).forEach((call) -> call.fail(this.failures.timedOut()));
		for (PendingCall next = this.waiting.peek(); next != null && next.isOver(); next = this.waiting.peek()) {
			if (this.waiting.remove(next)) {
				this.pending.leave(1);
			}
		}
	}

	boolean isBusy() {
		return !this.sent.isEmpty() || !this.waiting.isEmpty();
	}

	/**
	 * The calls that wait for an answer.
	 */
	Stream<PendingCall> pending() {
		return Stream.concat(this.sent.stream().flatMap((batch) -> batch.calls.stream()), this.waiting.stream())
			.filter((call) -> !call.isOver());
	}

	private void sendWaiting() {
		while (!this.waiting.isEmpty() && enter()) {
			List<PendingCall> batch = next();
			if (batch.isEmpty()) {
				this.underWay.decrementAndGet();
			}
			else {
				send(batch);
			}
		}
	}

	private void send(List<PendingCall> calls) {
		Batch batch = new Batch(calls);
		this.sent.add(batch);
		sent(batch).whenComplete((reply, failure) -> replied(batch, reply, failure));
	}

	/**
	 * Whatever is thrown, the batch is not on its way any more.
	 */
	private CompletableFuture<byte[]> sent(Batch batch) {
		try {
			return this.sender.send(batch.calls, (reply) -> answer(batch.calls, reply));
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private boolean enter() {
		int already = this.underWay.get();
		while (already < this.mostUnderWay) {
			if (this.underWay.compareAndSet(already, already + 1)) {
				return true;
			}
			already = this.underWay.get();
		}
		return false;
	}

	private List<PendingCall> next() {
		List<PendingCall> batch = new ArrayList<>();
		BatchSize size = new BatchSize(this.mostAtOnce);
		while (!size.isReached()) {
			PendingCall call = this.waiting.poll();
			if (call == null) {
				break;
			}
			if (call.isOver()) {
				this.pending.leave(1);
			}
			else {
				batch.add(call);
				size.add(call);
			}
		}
		return batch;
	}

	/**
	 * Who waits is told before those who are answered: Redis is idle.
	 */
	private void replied(Batch batch, byte[] reply, @Nullable Throwable failure) {
		this.sent.remove(batch);
		this.underWay.decrementAndGet();
		if (failure != null) {
			failed(batch.calls, this.failures.of(failure));
			return;
		}
		this.pending.leave(batch.calls.size());
		sendWaiting();
		answer(batch.calls, reply);
	}

	private void answer(List<PendingCall> batch, byte[] reply) {
		List<Refund> unused = new ArrayList<>(0);
		try {
			ByteBuffer buffer = ByteBuffer.wrap(reply);
			long now = buffer.getLong();
			batch.forEach((call) -> unused.addAll(call.answer(now, buffer)));
		}
		catch (RuntimeException ex) {
			StoreException failure = this.failures.of(ex);
			batch.forEach((call) -> call.fail(failure));
		}
		if (!unused.isEmpty()) {
			this.refunds.accept(unused);
		}
	}

	/**
	 * A slot of a cluster that moves refuses keys together that it would take one by one,
	 * and has counted nothing then.
	 */
	private void failed(List<PendingCall> batch, StoreException failure) {
		if (batch.size() > 1 && RedisError.TRYAGAIN.reason().equals(failure.reason())) {
			for (PendingCall call : batch) {
				this.underWay.incrementAndGet();
				send(List.of(call));
			}
		}
		else {
			fail(batch, failure);
		}
	}

	/**
	 * When Redis cannot answer, those who wait behind have waited as long as can be asked
	 * of them.
	 */
	private void fail(List<PendingCall> batch, StoreException failure) {
		List<PendingCall> failed = new ArrayList<>(batch);
		if (failure.isOutage()) {
			for (PendingCall next = this.waiting.poll(); next != null; next = this.waiting.poll()) {
				failed.add(next);
			}
		}
		this.pending.leave(failed.size());
		sendWaiting();
		failed.forEach((call) -> call.fail(failure));
	}

	/**
	 * Sends calls as one script call.
	 */
	interface Sender {

		/**
		 * Send the calls.
		 * @param late gets the reply if it comes after what is returned has failed
		 * @return the reply
		 */
		CompletableFuture<byte[]> send(List<PendingCall> calls, Consumer<byte[]> late);

	}

	/**
	 * Calls that are on their way; equal to no other.
	 */
	private static final class Batch {

		private final List<PendingCall> calls;

		Batch(List<PendingCall> calls) {
			this.calls = calls;
		}

	}

}
