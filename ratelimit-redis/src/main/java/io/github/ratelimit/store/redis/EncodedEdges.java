package io.github.ratelimit.store.redis;

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
	private final @Nullable CalendarEdges[] edges;

	private final CallerClock clock;

	EncodedEdges(RuleCounts counts, CallerClock clock) {
		this.edges = edges(counts);
		this.clock = clock;
	}

	private static @Nullable CalendarEdges[] edges(RuleCounts counts) {
		@Nullable CalendarEdges[] edges = new CalendarEdges[counts.size()];
		boolean hasCalendars = false;
		for (int i = 0; i < counts.size(); i++) {
			LimitCalendar calendar = counts.get(i).limit().calendar();
			edges[i] = (calendar != null) ? new CalendarEdges(calendar) : null;
			hasCalendars |= calendar != null;
		}
		return hasCalendars ? edges : new CalendarEdges[0];
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
			CalendarEdges own = this.edges[i];
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

	/**
	 * Send edges that reach beyond a time from now on.
	 */
	void reach(long time) {
		for (CalendarEdges each : this.edges) {
			if (each != null) {
				each.reach(time);
			}
		}
	}

}
