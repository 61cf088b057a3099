package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.LimitCalendar;
import org.jspecify.annotations.Nullable;

/**
 * Edges between the windows of a calendar, encoded for scripts as
 * {@code calendar-window.lua} describes them: those of the window before the present one,
 * of this one, and of the following ones. They are cached until the next edge passes.
 */
final class EncodedEdges {

	private static final int LEAST = 4;

	private final LimitCalendar calendar;

	private volatile @Nullable Encoded latest;

	private volatile long needed = Long.MIN_VALUE;

	EncodedEdges(LimitCalendar calendar) {
		this.calendar = calendar;
	}

	/** Return the edges around a time, up to what lies ahead of it. */
	byte[] around(long now, long ahead) {
		long until = Math.max(now + ahead, this.needed);
		Encoded known = this.latest;
		if (known != null && known.present.contains(now) && until < known.end) {
			return known.bytes;
		}
		Encoded encoded = encode(now, until);
		this.latest = encoded;
		return encoded.bytes;
	}

	/**
	 * Let the windows reach beyond a time in the future that a count is ahead of the
	 * clock.
	 */
	void reach(long time) {
		this.needed = time;
	}

	private Encoded encode(long now, long until) {
		LimitCalendar.Window present = this.calendar.windowAt(now);
		List<Long> edges = new ArrayList<>();
		edges.add(this.calendar.windowAt(present.start() - 1).start());
		edges.add(present.start());
		long end = present.end();
		while (end <= until || edges.size() < LEAST - 1) {
			edges.add(end);
			end = this.calendar.windowAt(end).end();
		}
		edges.add(end);
		ByteBuffer encoded = ByteBuffer.allocate(7 * (1 + edges.size()));
		EncodedCall.sevenBytes(encoded, edges.size());
		edges.forEach((edge) -> EncodedCall.sevenBytes(encoded, edge));
		return new Encoded(present, end, encoded.array());
	}

	private record Encoded(LimitCalendar.Window present, long end, byte[] bytes) {

	}

}
