package io.github.ratelimit.top;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.store.StoredKey;
import org.jspecify.annotations.Nullable;

/**
 * Calls of the last ten minutes by key, in two summaries: a summary begins with a call,
 * counts those of five minutes, and is forgotten ten minutes after it began. So each call
 * is known for five minutes at least and ten at most. A complete summary is kept encoded,
 * as it is shared. Not thread-safe: threads count in different windows, which are merged
 * when they are read.
 */
final class TalkerWindow {

	static final Duration LENGTH = Duration.ofMinutes(10);

	private static final long WHOLE = LENGTH.toNanos();

	private static final long HALF = WHOLE / 2;

	private final int size;

	private @Nullable SpaceSaving current;

	private long begun;

	private byte @Nullable [] complete;

	private long completeBegun;

	private boolean changed;

	TalkerWindow(int size) {
		this.size = size;
	}

	/**
	 * Count calls of a key.
	 * @param earliest the time before which none of them was made
	 * @param now the time in nanoseconds, never less than before
	 */
	void add(StoredKey key, long times, long earliest, long now) {
		SpaceSaving counting = this.current;
		if (counting == null || now - this.begun >= HALF) {
			advance(now);
			counting = new SpaceSaving(this.size);
			this.current = counting;
			this.begun = earliest;
		}
		else if (earliest - this.begun < 0) {
			this.begun = earliest;
		}
		counting.add(key, times);
		this.changed = true;
	}

	private void advance(long now) {
		if (this.current != null && now - this.begun >= HALF) {
			this.complete = this.current.encode();
			this.completeBegun = this.begun;
			this.current = null;
		}
		if (this.complete != null && now - this.completeBegun >= WHOLE) {
			this.complete = null;
		}
	}

	void clear() {
		this.current = null;
		this.complete = null;
		this.changed = false;
	}

	/** Return whether calls were counted since this method was called last. */
	boolean hasChanged() {
		boolean was = this.changed;
		this.changed = false;
		return was;
	}

	/** Return the summaries, each after its age, at a time in nanoseconds. */
	byte[] encode(long now) {
		advance(now);
		List<ByteBuffer> parts = new ArrayList<>();
		if (this.complete != null) {
			parts.add(part(now - this.completeBegun, this.complete));
		}
		if (this.current != null) {
			parts.add(part(now - this.begun, this.current.encode()));
		}
		ByteBuffer all = ByteBuffer.allocate(parts.stream().mapToInt(ByteBuffer::remaining).sum());
		parts.forEach(all::put);
		return all.array();
	}

	private static ByteBuffer part(long age, byte[] summary) {
		return ByteBuffer.allocate(Long.BYTES + summary.length).putLong(age / 1000).put(summary).flip();
	}

}
