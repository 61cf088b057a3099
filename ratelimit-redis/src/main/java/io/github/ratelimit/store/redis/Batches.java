package io.github.ratelimit.store.redis;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.ratelimit.store.Refund;

/**
 * Queues of calls to Redis: one if a script reaches all keys, else one per hash slot.
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

	private final Sharding sharding;

	private final Consumer<PendingCall> regroup;

	/**
	 * Create new batches.
	 * @param enabled whether calls are batched
	 * @param sender sends calls as one script call
	 * @param refunds refunds units of calls that were over
	 * @param failures translates failures
	 * @param pending the bound that includes each call before it is added
	 * @param sharding decides which calls can be sent together
	 * @param regroup sends a call anew, if calls were sent together that cannot be
	 */
	Batches(boolean enabled, BatchQueue.Sender sender, Consumer<List<Refund>> refunds, RedisFailures failures,
			PendingCalls pending, Sharding sharding, Consumer<PendingCall> regroup) {
		this.enabled = enabled;
		this.sender = sender;
		this.refunds = refunds;
		this.failures = failures;
		this.pending = pending;
		this.sharding = sharding;
		this.regroup = regroup;
	}

	/**
	 * Send a call, at once or in the next batch.
	 */
	void add(PendingCall call) {
		Object group = this.sharding.reach().queue(call.keys()[0]);
		BatchQueue queue = this.queues.get(group);
		if (queue == null) {
			queue = this.queues.computeIfAbsent(group, (unknown) -> newQueue());
		}
		queue.add(call);
	}

	private BatchQueue newQueue() {
		int underWay = this.enabled ? UNDER_WAY : Integer.MAX_VALUE;
		return new BatchQueue(this.sender, this.refunds, this.failures, this.pending, underWay,
				this.enabled ? AT_ONCE : 1, ReplyTimer::onTimerThread, this.sharding, this.regroup);
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
