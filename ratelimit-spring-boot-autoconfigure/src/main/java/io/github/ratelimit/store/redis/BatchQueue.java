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
 * Queue of calls that wait while enough script calls are in flight. When a reply arrives,
 * the waiting calls, up to a {@link BatchSize}, are sent as one micro-batch: one script
 * call that decides them in order of arrival. When nothing is in flight, a call is sent
 * at once: no call waits for a batch to fill.
 *
 * <p>
 * A call that is over before it is sent is not sent. If a call is over when its reply
 * arrives, even after the script call was given up, the units that Redis counted are
 * refunded.
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
	 * @param refunds refunds units of calls that were over
	 * @param failures translates failures
	 * @param pending the bound that includes each call before it is added
	 * @param mostUnderWay the largest number of script calls in flight
	 * @param mostAtOnce the largest number of calls in a script call
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
	 * Return the calls that wait for an answer.
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
	 * Send a batch, so that anything thrown is a failed reply.
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
	 * Send the waiting calls before the replied ones are answered, since Redis is idle.
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
	 * Handle a failed batch. A cluster slot in migration refuses several keys together,
	 * without counting anything, but accepts them one by one.
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
	 * Fail a batch, and in an outage all waiting calls as well: they would wait in vain.
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
	 * Sender of calls as one script call.
	 */
	interface Sender {

		/**
		 * Send the calls.
		 * @param late gets the reply if it arrives after the returned future has failed
		 * @return the reply
		 */
		CompletableFuture<byte[]> send(List<PendingCall> calls, Consumer<byte[]> late);

	}

	/**
	 * Calls in flight, compared by identity.
	 */
	private static final class Batch {

		private final List<PendingCall> calls;

		Batch(List<PendingCall> calls) {
			this.calls = calls;
		}

	}

}
