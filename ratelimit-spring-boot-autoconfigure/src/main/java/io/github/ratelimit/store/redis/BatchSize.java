package io.github.ratelimit.store.redis;

import org.jspecify.annotations.Nullable;

/**
 * Size of a batch, so that no script holds up other commands for long: the calls, and the
 * entries of sliding logs that their script may have to read and write anew. A log of
 * 10,000 entries takes Redis about a millisecond then, as long as a hundred other calls.
 * Calls in a row that ask the same of the same keys read a log once.
 */
final class BatchSize {

	private static final long MOST_ENTRIES = 100_000;

	private final int mostCalls;

	private int calls;

	private long entries;

	private @Nullable PendingCall last;

	/**
	 * Create a new size, of an empty batch.
	 * @param mostCalls how many calls a batch has at most
	 */
	BatchSize(int mostCalls) {
		this.mostCalls = mostCalls;
	}

	/**
	 * Whether no call is to be added any more.
	 */
	boolean isReached() {
		return this.calls >= this.mostCalls || this.entries >= MOST_ENTRIES;
	}

	void add(PendingCall call) {
		this.calls++;
		if (call.encoded().entries() > 0 && (this.last == null || !call.asksTheSameAs(this.last))) {
			this.entries += call.encoded().entries();
		}
		this.last = call;
	}

}
