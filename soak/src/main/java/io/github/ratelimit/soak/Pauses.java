package io.github.ratelimit.soak;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/**
 * Pauses of this process in the last minute: times at which a thread that gives a sign of
 * life every millisecond gave none. All times are nanoseconds of
 * {@link System#nanoTime()}.
 */
final class Pauses {

	/**
	 * Time between two signs of life.
	 */
	static final Duration INTERVAL = Duration.ofMillis(1);

	/**
	 * Shortest pause. Sleeps are not more exact.
	 */
	private static final long SHORTEST = Duration.ofMillis(1).toNanos();

	/**
	 * Time that is longer than a call, and short enough to bound the number of pauses.
	 */
	private static final long MEMORY = Duration.ofMinutes(1).toNanos();

	private final Deque<Pause> pauses = new ArrayDeque<>();

	private long due;

	/**
	 * Create an empty list.
	 * @param begin the time of the first sign of life
	 */
	Pauses(long begin) {
		this.due = begin + INTERVAL.toNanos();
	}

	/**
	 * Note a sign of life.
	 * @param now the time of the sign, not before that of the last one
	 */
	synchronized void alive(long now) {
		if (now - this.due >= SHORTEST) {
			this.pauses.addLast(new Pause(this.due, now));
		}
		this.due = now + INTERVAL.toNanos();
		while (!this.pauses.isEmpty() && now - this.pauses.getFirst().to > MEMORY) {
			this.pauses.removeFirst();
		}
	}

	/**
	 * Return the nanoseconds of pauses within a time. A pause whose end has not been
	 * noted yet, because other threads go on earlier, counts as well.
	 */
	synchronized long within(long from, long to) {
		long sum = (to - this.due >= SHORTEST) ? new Pause(this.due, to).within(from, to) : 0;
		for (Iterator<Pause> latest = this.pauses.descendingIterator(); latest.hasNext();) {
			Pause pause = latest.next();
			if (pause.to - from <= 0) {
				break;
			}
			sum += pause.within(from, to);
		}
		return sum;
	}

	/**
	 * Pause. Those of one thread do not overlap.
	 */
	private record Pause(long from, long to) {

		private long within(long begin, long end) {
			return Math.max(0, Math.min(this.to - begin, end - begin) - Math.max(this.from - begin, 0));
		}

	}

}
