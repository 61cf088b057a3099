package io.github.ratelimit.store.redis;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.ratelimit.store.Refund;

/**
 * The ways on which calls travel to Redis: one to a server, and to a cluster one per
 * slot, since a script cannot reach more.
 */
final class Batches implements Deadlines.Calls {

	/**
	 * While Redis answers one call, the next is on its way.
	 */
	static final int UNDER_WAY = 2;

	/**
	 * So that no script holds up other commands for long, see {@link BatchSize}.
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
	 * @param enabled whether calls wait for each other at all
	 * @param sender sends calls as one script call
	 * @param refunds gives back what was taken for nobody
	 * @param failures what failures mean
	 * @param pending counts the calls, which are in it when they are added
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
	 * Send a call, now or together with others.
	 * @param slot what is the same for calls that can be sent together
	 */
	void add(Object slot, PendingCall call) {
		BatchQueue queue = this.queues.get(slot);
		if (queue == null) {
			queue = this.queues.computeIfAbsent(slot, (unknown) -> newQueue());
		}
		queue.add(call);
	}

	private BatchQueue newQueue() {
		return this.enabled ? new BatchQueue(this.sender, this.refunds, this.failures, this.pending, UNDER_WAY, AT_ONCE)
				: new BatchQueue(this.sender, this.refunds, this.failures, this.pending, Integer.MAX_VALUE, 1);
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

	/**
	 * A cluster has a queue per slot, most of which are idle at any moment.
	 */
	private Stream<BatchQueue> busy() {
		return this.queues.values().stream().filter(BatchQueue::isBusy);
	}

}
