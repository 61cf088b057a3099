package io.github.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
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

import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.StoreException;

/**
 * Queue of calls that wait while enough script calls are in flight. When a reply arrives,
 * the waiting calls, up to a size, are sent as one micro-batch: one script call that
 * decides them in order of arrival. When nothing is in flight, a call is sent at once: no
 * call waits for a batch to fill.
 *
 * <p>
 * A call that is over before it is sent is not sent. If a call is over when its reply
 * arrives, even after the script call was given up, the units that Redis counted are
 * refunded.
 *
 * <p>
 * Calls to candidates are calls of their own, in the same script call as the call that
 * they belong to.
 */
final class BatchQueue {

	/**
	 * Most entries of logs that a script may have to rewrite. Rewriting 10,000 takes
	 * Redis about a millisecond, as long as a hundred other calls.
	 */
	private static final long MOST_ENTRIES = 100_000;

	private static final int FEW = 8;

	private final Sender sender;

	private final Consumer<List<Correction>> refunds;

	private final RedisFailures failures;

	private final AtomicInteger pending;

	private final int mostUnderWay;

	private final int mostAtOnce;

	private final Queue<PendingCall> waiting = new ConcurrentLinkedQueue<>();

	private final AtomicInteger underWay = new AtomicInteger();

	private final Set<Batch> sent = ConcurrentHashMap.newKeySet();

	private final Scheduler timer;

	private final Sharding sharding;

	private final Consumer<PendingCall> regroup;

	/**
	 * @param pending the calls queued or sent and not yet replied to; it includes each
	 * call before it is added
	 * @param regroup sends a call anew, if calls were sent together that cannot be
	 */
	BatchQueue(Sender sender, Consumer<List<Correction>> refunds, RedisFailures failures, AtomicInteger pending,
			int mostUnderWay, int mostAtOnce, Scheduler timer, Sharding sharding, Consumer<PendingCall> regroup) {
		this.sender = sender;
		this.refunds = refunds;
		this.failures = failures;
		this.pending = pending;
		this.mostUnderWay = mostUnderWay;
		this.mostAtOnce = mostAtOnce;
		this.timer = timer;
		this.sharding = sharding;
		this.regroup = regroup;
	}

	void add(PendingCall call) {
		this.waiting.add(call);
		sendWaiting();
	}

	/**
	 * End the calls whose deadline is not after a time. Those that Redis has refused
	 * until then show no outage.
	 */
	void end(long time) {
		end(this.sent.stream().filter((batch) -> batch.isRefused).flatMap((batch) -> batch.calls.stream()), time,
				this.failures.refused());
		end(pending(), time, this.failures.timedOut());
		for (PendingCall next = this.waiting.peek(); next != null && next.isOver(); next = this.waiting.peek()) {
			if (this.waiting.remove(next)) {
				this.pending.decrementAndGet();
			}
		}
	}

	private static void end(Stream<PendingCall> calls, long time, StoreException failure) {
		calls.filter((call) -> call.deadline() - time <= 0).forEach((call) -> call.fail(failure));
	}

	boolean isBusy() {
		return !this.sent.isEmpty() || !this.waiting.isEmpty();
	}

	Stream<PendingCall> pending() {
		return Stream.concat(this.sent.stream().flatMap((batch) -> batch.calls.stream()), this.waiting.stream())
			.filter((call) -> !call.isOver());
	}

	private void sendWaiting() {
		while (!this.waiting.isEmpty() && enter()) {
			List<PendingCall> batch = List.of();
			ScriptReach reach;
			Collection<List<PendingCall>> groups;
			try {
				ArrayList<PendingCall> next = new ArrayList<>(FEW);
				batch = next;
				batch = next(next);
				reach = this.sharding.reach();
				groups = batch.isEmpty() ? List.of() : reach.groups(batch);
			}
			catch (Throwable ex) { // no memory
				this.underWay.decrementAndGet();
				fail(batch, this.failures.of(ex));
				return;
			}
			this.underWay.addAndGet(groups.size() - 1);
			groups.forEach((group) -> send(group, reach, false));
		}
	}

	private void sendAgain(List<PendingCall> calls) {
		List<PendingCall> unanswered = calls.stream().filter((call) -> !call.isOver()).toList();
		this.pending.addAndGet(unanswered.size() - calls.size());
		for (int i = 0; i < unanswered.size(); i += this.mostAtOnce) {
			this.underWay.incrementAndGet();
			send(unanswered.subList(i, Math.min(i + this.mostAtOnce, unanswered.size())), this.sharding.reach(), true);
		}
	}

	/** Send calls as one batch, so that anything thrown fails them. */
	private void send(List<PendingCall> calls, ScriptReach reach, boolean isRefused) {
		Batch batch = null;
		try {
			Batch next = new Batch(calls, reach, isRefused);
			batch = next;
			this.sent.add(next);
			this.sender.send(calls, (reply) -> answer(calls, reply))
				.whenComplete((reply, failure) -> replied(next, reply, failure));
		}
		catch (Throwable ex) {
			if (batch != null) {
				this.sent.remove(batch);
			}
			this.underWay.decrementAndGet();
			fail(calls, this.failures.of(ex));
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

	/**
	 * Take the next calls, so many that their script does not block other commands for
	 * long. Equal calls of the same keys in a row read a log once.
	 * @param batch gets the calls, also if more of them cannot be taken
	 * @return the calls, and before them those to candidates
	 */
	private List<PendingCall> next(ArrayList<PendingCall> batch) {
		PendingCall last = null;
		long entries = 0;
		int tried = 0;
		while (batch.size() + tried < this.mostAtOnce && entries < MOST_ENTRIES) {
			batch.ensureCapacity(batch.size() + 1); // while no call can be lost
			PendingCall call = this.waiting.poll();
			if (call == null) {
				break;
			}
			if (call.isOver()) {
				this.pending.decrementAndGet();
			}
			else {
				batch.add(call);
				if (call.encoded().entries() > 0) {
					tried += call.untried().size();
					entries += (last == null || !call.isSentLike(last)) ? call.encoded().entries() : 0;
				}
				last = call;
			}
		}
		return (tried > 0) ? withTried(batch) : batch;
	}

	/**
	 * Put the calls to candidates before a batch. Those to the first candidate of each
	 * call come first, since equal calls in a row are decided together.
	 */
	private List<PendingCall> withTried(List<PendingCall> batch) {
		List<PendingCall> all = new ArrayList<>();
		int most = batch.stream().mapToInt((call) -> call.untried().size()).max().orElse(0);
		for (int i = 0; i < most; i++) {
			for (PendingCall call : batch) {
				if (i < call.untried().size()) {
					all.add(call.untried().get(i));
				}
			}
		}
		all.addAll(batch);
		this.pending.addAndGet(all.size() - batch.size());
		return all;
	}

	/**
	 * Send the waiting calls before the replied ones are answered, since Redis is idle.
	 */
	private void replied(Batch batch, byte[] reply, @Nullable Throwable failure) {
		this.sent.remove(batch);
		this.underWay.decrementAndGet();
		if (failure != null) {
			failed(batch, this.failures.of(failure));
			return;
		}
		this.pending.addAndGet(-batch.calls.size());
		try {
			sendWaiting();
		}
		finally {
			answer(batch.calls, reply);
		}
	}

	private void answer(List<PendingCall> batch, byte[] reply) {
		List<Correction> unused = new ArrayList<>(0);
		try {
			Reply answers = Reply.of(reply);
			batch.forEach((call) -> unused.addAll(call.answer(answers)));
		}
		catch (Throwable ex) {
			StoreException failure = this.failures.of(ex);
			batch.forEach((call) -> call.fail(failure));
		}
		if (!unused.isEmpty()) {
			this.refunds.accept(unused);
		}
	}

	/**
	 * Handle a failed batch. One that was {@linkplain Sharding#untilAccepted refused} is
	 * divided by its keys; calls with the same keys are sent again after a pause, or with
	 * other keys.
	 */
	private void failed(Batch batch, StoreException failure) {
		boolean isMoving = RedisError.TRYAGAIN.reason().equals(failure.reason());
		if (!isMoving && !batch.isRegrouped(failure, this.sharding)) {
			fail(batch.calls, failure);
			return;
		}
		Collection<List<PendingCall>> byKeys = PendingCall.byKeys(batch.calls);
		if (byKeys.size() > 1) {
			byKeys.forEach(this::sendAgain);
		}
		else if (isMoving) {
			sendLater(batch, failure);
		}
		else {
			this.pending.addAndGet(-batch.calls.size());
			batch.calls.stream().filter((call) -> !call.isOver()).forEach(this.regroup);
		}
		sendWaiting();
	}

	/** Send a batch again after a pause, or fail it if there is no timer. */
	private void sendLater(Batch batch, StoreException refusal) {
		batch.isRefused = true;
		this.sent.add(batch);
		try {
			this.timer.schedule(() -> {
				sendAgain(batch.calls);
				this.sent.remove(batch);
			}, Sharding.PAUSE.toNanos());
		}
		catch (Throwable ex) {
			this.sent.remove(batch);
			fail(batch.calls, refusal);
		}
	}

	/**
	 * Fail a batch, and in an outage all waiting calls as well: they would wait in vain.
	 */
	private void fail(List<PendingCall> batch, StoreException failure) {
		this.pending.addAndGet(-batch.size());
		try {
			for (int left = failure.isOutage() ? this.waiting.size() : 0; left > 0; left--) {
				PendingCall next = this.waiting.poll();
				if (next != null) {
					this.pending.decrementAndGet();
					next.fail(failure);
				}
			}
			sendWaiting();
		}
		finally {
			batch.forEach((call) -> call.fail(failure));
		}
	}

	interface Sender {

		CompletableFuture<byte[]> send(List<PendingCall> calls, Consumer<byte[]> late);

	}

	/** Calls in flight, compared by identity. */
	private static final class Batch {

		private final List<PendingCall> calls;

		private final ScriptReach reach;

		private volatile boolean isRefused;

		Batch(List<PendingCall> calls, ScriptReach reach, boolean isRefused) {
			this.calls = calls;
			this.reach = reach;
			this.isRefused = isRefused;
		}

		/**
		 * Return whether the calls were refused because of their keys, and can be grouped
		 * otherwise.
		 */
		boolean isRegrouped(StoreException failure, Sharding sharding) {
			return RedisError.CROSSSLOT.reason().equals(failure.reason())
					&& (!this.reach.reaches(this.calls.stream().flatMap((call) -> Arrays.stream(call.keys())))
							|| sharding.refused(this.reach));
		}

	}

}
