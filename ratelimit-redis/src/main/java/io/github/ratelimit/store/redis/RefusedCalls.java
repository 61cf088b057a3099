package io.github.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Calls that a moving slot {@linkplain RefusedScripts refused}, each with keys of which
 * only some have moved. They are sent again after a pause, those with the same keys
 * together, until their deadline.
 */
final class RefusedCalls {

	private final Scheduler timer;

	private final Consumer<List<PendingCall>> sender;

	private final Queue<PendingCall> calls = new ConcurrentLinkedQueue<>();

	private final AtomicBoolean isTimed = new AtomicBoolean();

	/**
	 * Create an instance without calls.
	 * @param timer schedules the end of a pause
	 * @param sender sends calls with the same keys, some of which may be over
	 */
	RefusedCalls(Scheduler timer, Consumer<List<PendingCall>> sender) {
		this.timer = timer;
		this.sender = sender;
	}

	void add(List<PendingCall> refused) {
		this.calls.addAll(refused);
		if (this.isTimed.compareAndSet(false, true)) {
			this.timer.schedule(this::sendAgain, RefusedScripts.PAUSE.toNanos());
		}
	}

	private void sendAgain() {
		this.isTimed.set(false);
		List<PendingCall> refused = new ArrayList<>();
		for (PendingCall next = this.calls.poll(); next != null; next = this.calls.poll()) {
			refused.add(next);
		}
		PendingCall.byKeys(refused).forEach(this.sender);
	}

	boolean isEmpty() {
		return this.calls.isEmpty();
	}

	/**
	 * Return the calls that are not sent at the moment.
	 */
	Stream<PendingCall> stream() {
		return this.calls.stream();
	}

}
