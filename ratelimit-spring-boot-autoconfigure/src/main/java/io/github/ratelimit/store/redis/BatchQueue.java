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

	private final Queue<Question> waiting = new ConcurrentLinkedQueue<>();

	private final AtomicInteger underWay = new AtomicInteger();

	private final Set<Batch> sent = ConcurrentHashMap.newKeySet();

	/**
	 * Create a new queue.
	 * @param sender asks all the questions in one script call
	 * @param refunds gives back what was taken for nobody
	 * @param failures what failures mean
	 * @param pending counts the questions, which are in it when they are asked
	 * @param mostUnderWay how many script calls are on their way at most
	 * @param mostAtOnce how many questions a script call has at most
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

	void ask(Question question) {
		this.waiting.add(question);
		sendWaiting();
	}

	/**
	 * End the questions whose deadline is not after a time.
	 */
	void end(long time) {
		pending().filter((question) -> question.deadline() - time <= 0)
			.forEach((question) -> question.fail(this.failures.timedOut()));
		for (Question next = this.waiting.peek(); next != null && next.isOver(); next = this.waiting.peek()) {
			if (this.waiting.remove(next)) {
				this.pending.leave(1);
			}
		}
	}

	boolean isBusy() {
		return !this.sent.isEmpty() || !this.waiting.isEmpty();
	}

	/**
	 * The questions that wait for an answer.
	 */
	Stream<Question> pending() {
		return Stream.concat(this.sent.stream().flatMap((batch) -> batch.questions.stream()), this.waiting.stream())
			.filter((question) -> !question.isOver());
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

	private void send(List<Question> questions) {
		Batch batch = new Batch(questions);
		this.sent.add(batch);
		sent(batch).whenComplete((reply, failure) -> replied(batch, reply, failure));
	}

	/**
	 * Whatever is thrown, the batch is not on its way any more.
	 */
	private CompletableFuture<byte[]> sent(Batch batch) {
		try {
			return this.sender.send(batch.questions, (reply) -> answer(batch.questions, reply));
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
			if (question.isOver()) {
				this.pending.leave(1);
			}
			else {
				batch.add(question);
				size.add(question);
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
			failed(batch.questions, this.failures.of(failure));
			return;
		}
		this.pending.leave(batch.questions.size());
		sendWaiting();
		answer(batch.questions, reply);
	}

	private void answer(List<Question> batch, byte[] reply) {
		List<Refund> unused = new ArrayList<>(0);
		try {
			ByteBuffer buffer = ByteBuffer.wrap(reply);
			long now = buffer.getLong();
			batch.forEach((question) -> unused.addAll(question.answer(now, buffer)));
		}
		catch (RuntimeException ex) {
			StoreException failure = this.failures.of(ex);
			batch.forEach((question) -> question.fail(failure));
		}
		if (!unused.isEmpty()) {
			this.refunds.accept(unused);
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
		this.pending.leave(failed.size());
		sendWaiting();
		failed.forEach((question) -> question.fail(failure));
	}

	/**
	 * Asks questions in one script call.
	 */
	interface Sender {

		/**
		 * Send the questions.
		 * @param late gets the reply if it comes after what is returned has failed
		 * @return the reply
		 */
		CompletableFuture<byte[]> send(List<Question> questions, Consumer<byte[]> late);

	}

	/**
	 * Questions that are on their way; equal to no other.
	 */
	private static final class Batch {

		private final List<Question> questions;

		Batch(List<Question> questions) {
			this.questions = questions;
		}

	}

}
