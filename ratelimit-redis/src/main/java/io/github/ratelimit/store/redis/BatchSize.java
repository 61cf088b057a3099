package io.github.ratelimit.store.redis;

import org.jspecify.annotations.Nullable;

/**
 * Size of a batch, bounded so that no script blocks other commands for long. It counts
 * the calls, and the entries of sliding logs that the script may have to rewrite.
 * Rewriting a log of 10,000 entries takes Redis about a millisecond, as long as a hundred
 * other calls. Consecutive equal calls of the same keys read a log once.
 */
final class BatchSize {

	private static final long MOST_ENTRIES = 100_000;

	private final int mostCalls;

	private int calls;

	private long entries;

	private @Nullable PendingCall last;

	/**
	 * Create the size of an empty batch.
	 * @param mostCalls the largest number of calls in a batch
	 */
	BatchSize(int mostCalls) {
		this.mostCalls = mostCalls;
	}

	/**
	 * Return whether the batch is full.
	 */
	boolean isReached() {
		return this.calls >= this.mostCalls || this.entries >= MOST_ENTRIES;
	}

	void add(PendingCall call) {
		this.calls++;
		if (call.encoded().entries() > 0 && (this.last == null || !call.isSentLike(this.last))) {
			this.entries += call.encoded().entries();
		}
		this.last = call;
	}

}
