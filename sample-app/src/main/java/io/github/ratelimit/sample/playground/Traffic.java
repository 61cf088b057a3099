package io.github.ratelimit.sample.playground;

import java.time.Duration;

/**
 * Traffic that is sent automatically, for two minutes at most.
 *
 * @param shape the distribution of calls over time
 * @param perSecond calls per second, on average or in calm periods
 * @param since the time of the visit at which the traffic began
 */
record Traffic(TrafficShape shape, int perSecond, Duration since) {

	static final Traffic NONE = new Traffic(TrafficShape.BY_HAND, 0, Duration.ZERO);

	static final int MOST_PER_SECOND = 20;

	static final Duration LONGEST = Duration.ofMinutes(2);

	Traffic {
		perSecond = Math.max(0, Math.min(perSecond, MOST_PER_SECOND));
	}

	/**
	 * Return the number of calls until a time of the visit.
	 */
	long callsUntil(Duration time) {
		return this.shape.callsUntil(time.minus(this.since).toNanos() / 1e9, this.perSecond);
	}

	boolean isRunningAt(Duration time) {
		return this.shape != TrafficShape.BY_HAND && time.minus(this.since).compareTo(LONGEST) < 0;
	}

}
