package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.LimitCalendar;
import io.github.ratelimit.store.RuleCounts;
import org.jspecify.annotations.Nullable;

/**
 * Edges of the calendars of a rule, encoded for scripts.
 */
final class EncodedEdges {

	private static final byte[] NOTHING = {};

	private static final byte[][] NO_EDGES = {};

	/**
	 * Edges of the counts by calendars, {@code null} for those that have a period; empty
	 * if all of them do.
	 */
	private final @Nullable OfCalendar[] edges;

	private final CallerClock clock;

	EncodedEdges(RuleCounts counts, CallerClock clock) {
		this.edges = edges(counts);
		this.clock = clock;
	}

	private static @Nullable OfCalendar[] edges(RuleCounts counts) {
		@Nullable OfCalendar[] edges = new OfCalendar[counts.size()];
		boolean hasCalendars = false;
		for (int i = 0; i < counts.size(); i++) {
			LimitCalendar calendar = counts.get(i).limit().calendar();
			edges[i] = (calendar != null) ? new OfCalendar(calendar) : null;
			hasCalendars |= calendar != null;
		}
		return hasCalendars ? edges : new OfCalendar[0];
	}

	boolean isEmpty() {
		return this.edges.length == 0;
	}

	/**
	 * Encode the edges around the present time.
	 * @param ahead how far ahead of the clock a call may be counted
	 * @return the bytes per count, none if the rule has no calendars
	 */
	byte[][] around(long ahead) {
		if (isEmpty()) {
			return NO_EDGES;
		}
		byte[][] encoded = new byte[this.edges.length][];
		long now = this.clock.now();
		for (int i = 0; i < encoded.length; i++) {
			OfCalendar own = this.edges[i];
			encoded[i] = (own != null) ? own.around(now, ahead) : NOTHING;
		}
		return encoded;
	}

	static int sizeOf(byte[][] edges) {
		int size = 0;
		for (byte[] each : edges) {
			size += each.length;
		}
		return size;
	}

	void reach(long time) {
		for (OfCalendar each : this.edges) {
			if (each != null) {
				each.reach(time);
			}
		}
	}

	/**
	 * Edges between the windows of a calendar, encoded for scripts as
	 * {@code calendar-window.lua} describes them: those of the window before the present
	 * one, of this one, and of the following ones. They are cached until the next edge
	 * passes.
	 */
	private static final class OfCalendar {

		private static final int LEAST = 4;

		private final LimitCalendar calendar;

		private volatile @Nullable Encoded latest;

		private volatile long needed = Long.MIN_VALUE;

		OfCalendar(LimitCalendar calendar) {
			this.calendar = calendar;
		}

		/**
		 * Return the edges around a time.
		 * @param now the time
		 * @param ahead how far the windows have to reach beyond it
		 */
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
			EncodedCounts.sevenBytes(encoded, edges.size());
			edges.forEach((edge) -> EncodedCounts.sevenBytes(encoded, edge));
			return new Encoded(present, end, encoded.array());
		}

		private record Encoded(LimitCalendar.Window present, long end, byte[] bytes) {

		}

	}

}
