package io.github.ratelimit.store.redis;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.ratelimit.store.Refund;

/**
 * Queues of calls to Redis: one for a single server, and one per slot of a cluster, since
 * a script cannot span slots.
 */
final class Batches implements Deadlines.Calls {

	/**
	 * Number of script calls in flight per queue: while Redis runs one, the next is
	 * already sent.
	 */
	static final int UNDER_WAY = 2;

	/**
	 * Largest number of calls in a script call, see {@link BatchSize}.
	 */
	private static final int AT_ONCE = 128;

	private final Map<Object, BatchQueue> queues = new ConcurrentHashMap<>();

	private final BatchQueue.Sender sender;

	private final Consumer<List<Refund>> refunds;

	private final RedisFailures failures;

	private final PendingCalls pending;

	private final boolean enabled;

	/**
	 * Create new batches.
	 * @param enabled whether calls are batched
	 * @param sender sends calls as one script call
	 * @param refunds refunds units of calls that were over
	 * @param failures translates failures
	 * @param pending the bound that includes each call before it is added
	 */
	Batches(boolean enabled, BatchQueue.Sender sender, Consumer<List<Refund>> refunds, RedisFailures failures,
			PendingCalls pending) {
		this.enabled = enabled;
		this.sender = sender;
		this.refunds = refunds;
		this.failures = failures;
		this.pending = pending;
	}

	/**
	 * Send a call, at once or in the next batch.
	 * @param slot equal for calls that can be sent together
	 */
	void add(Object slot, PendingCall call) {
		BatchQueue queue = this.queues.get(slot);
		if (queue == null) {
			queue = this.queues.computeIfAbsent(slot, (unknown) -> newQueue());
		}
		queue.add(call);
	}

	private BatchQueue newQueue() {
		int underWay = this.enabled ? UNDER_WAY : Integer.MAX_VALUE;
		return new BatchQueue(this.sender, this.refunds, this.failures, this.pending, underWay,
				this.enabled ? AT_ONCE : 1, ReplyTimer::onTimerThread);
	}

	@Override
	public void end(long time) {
		busy().forEach((queue) -> queue.end(time));
	}

	@Override
	public OptionalLong earliest(long time) {
		return busy().flatMap(BatchQueue::pending)
			.mapToLong(PendingCall::deadline)
			.map((deadline) -> deadline - time)
			.filter((left) -> left > 0)
			.min()
			.stream()
			.map((left) -> time + left)
			.findFirst();
	}

	@Override
	public boolean isEmpty() {
		return this.pending.isEmpty();
	}

	/**
	 * Return the queues that are in use: most slots of a cluster are idle at any moment.
	 */
	private Stream<BatchQueue> busy() {
		return this.queues.values().stream().filter(BatchQueue::isBusy);
	}

}
