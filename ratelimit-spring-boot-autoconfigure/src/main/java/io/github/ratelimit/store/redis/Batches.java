package io.github.ratelimit.store.redis;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The ways on which questions travel to Redis: one to a server, and to a cluster one per
 * slot, since a script cannot reach more.
 */
final class Batches {

	/**
	 * While Redis answers one call, the next is on its way.
	 */
	static final int UNDER_WAY = 2;

	/**
	 * So that no script holds up other commands for long, see {@link BatchSize}.
	 */
	private static final int AT_ONCE = 128;

	private final Map<Object, BatchQueue> queues = new ConcurrentHashMap<>();

	private final Function<List<Question>, CompletableFuture<byte[]>> sender;

	private final RedisFailures failures;

	private final boolean enabled;

	/**
	 * Create new batches.
	 * @param enabled whether calls wait for each other at all
	 * @param sender asks all the questions in one script call
	 * @param failures what failures mean
	 */
	Batches(boolean enabled, Function<List<Question>, CompletableFuture<byte[]>> sender, RedisFailures failures) {
		this.enabled = enabled;
		this.sender = sender;
		this.failures = failures;
	}

	/**
	 * Ask a question, now or together with others.
	 * @param slot what is the same for questions that can be asked together
	 */
	void ask(Object slot, Question question) {
		BatchQueue queue = this.queues.get(slot);
		if (queue == null) {
			queue = this.queues.computeIfAbsent(slot, (unknown) -> newQueue());
		}
		queue.ask(question);
	}

	private BatchQueue newQueue() {
		return this.enabled ? new BatchQueue(this.sender, this.failures, UNDER_WAY, AT_ONCE)
				: new BatchQueue(this.sender, this.failures, Integer.MAX_VALUE, 1);
	}

}
