package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.StoreException;

/**
 * Where calls wait while enough of them are on their way to Redis. What has gathered when
 * a reply comes in leaves together, as one script call that decides each of them, in the
 * order in which they came. When nothing is on its way, a call leaves at once: nobody
 * ever waits for others to come.
 */
final class BatchQueue {

	private final Function<List<Question>, CompletableFuture<byte[]>> sender;

	private final RedisFailures failures;

	private final int mostUnderWay;

	private final int mostAtOnce;

	private final Queue<Question> waiting = new ConcurrentLinkedQueue<>();

	private final AtomicInteger underWay = new AtomicInteger();

	/**
	 * Create a new queue.
	 * @param sender asks all the questions in one script call
	 * @param failures what failures mean
	 * @param mostUnderWay how many script calls are on their way at most
	 * @param mostAtOnce how many questions a script call has at most
	 */
	BatchQueue(Function<List<Question>, CompletableFuture<byte[]>> sender, RedisFailures failures, int mostUnderWay,
			int mostAtOnce) {
		this.sender = sender;
		this.failures = failures;
		this.mostUnderWay = mostUnderWay;
		this.mostAtOnce = mostAtOnce;
	}

	void ask(Question question) {
		this.waiting.add(question);
		sendWaiting();
	}

	private void sendWaiting() {
		while (!this.waiting.isEmpty() && enter()) {
			List<Question> batch = next();
			if (batch.isEmpty()) {
				this.underWay.decrementAndGet();
			}
			else {
				send(batch);
			}
		}
	}

	private void send(List<Question> batch) {
		sent(batch).whenComplete((reply, failure) -> replied(batch, reply, failure));
	}

	/**
	 * Whatever is thrown, the batch is not on its way any more.
	 */
	private CompletableFuture<byte[]> sent(List<Question> batch) {
		try {
			return this.sender.apply(batch);
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

	private List<Question> next() {
		List<Question> batch = new ArrayList<>();
		BatchSize size = new BatchSize(this.mostAtOnce);
		while (!size.isReached()) {
			Question question = this.waiting.poll();
			if (question == null) {
				break;
			}
			if (!question.answer().isDone()) {
				batch.add(question);
				size.add(question);
			}
		}
		return batch;
	}

	/**
	 * Who waits is told before those who are answered: Redis is idle.
	 */
	private void replied(List<Question> batch, byte[] reply, @Nullable Throwable failure) {
		this.underWay.decrementAndGet();
		if (failure != null) {
			failed(batch, this.failures.of(failure));
			return;
		}
		sendWaiting();
		try {
			ByteBuffer buffer = ByteBuffer.wrap(reply);
			long now = buffer.getLong();
			batch.forEach((question) -> question.answer(now, buffer));
		}
		catch (RuntimeException ex) {
			batch.forEach((question) -> question.answer().completeExceptionally(ex));
		}
	}

	/**
	 * A slot of a cluster that moves refuses keys together that it would take one by one,
	 * and has counted nothing then.
	 */
	private void failed(List<Question> batch, StoreException failure) {
		if (batch.size() > 1 && RedisError.TRYAGAIN.reason().equals(failure.reason())) {
			for (Question question : batch) {
				this.underWay.incrementAndGet();
				send(List.of(question));
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
	private void fail(List<Question> batch, StoreException failure) {
		List<Question> failed = new ArrayList<>(batch);
		if (failure.isOutage()) {
			for (Question next = this.waiting.poll(); next != null; next = this.waiting.poll()) {
				failed.add(next);
			}
		}
		sendWaiting();
		failed.forEach((question) -> question.answer().completeExceptionally(failure));
	}

}
