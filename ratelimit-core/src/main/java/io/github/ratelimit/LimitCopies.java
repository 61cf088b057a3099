package io.github.ratelimit;

import java.time.Duration;
import java.time.ZoneId;

/**
 * Limit of which one value is changed at a time, in a copy.
 */
abstract sealed class LimitCopies extends LimitValues permits Limit {

	LimitCopies(Limit.Builder settings) {
		super(settings);
	}

	/**
	 * Name this limit among the several of its rule.
	 * @param newName lower case letters, digits and hyphens
	 * @return a changed copy
	 */
	public Limit withName(String newName) {
		return settings().name(newName).build();
	}

	/**
	 * Change the number of units that are admitted per period.
	 * @param newMax the number of units, from 1 to {@link Limit#MAX_UNITS}
	 * @return a changed copy
	 */
	public Limit withMax(long newMax) {
		return settings().max(newMax).build();
	}

	/**
	 * Change the algorithm that counts calls.
	 * @param newAlgorithm the algorithm
	 * @return a changed copy
	 */
	public Limit withAlgorithm(Algorithm newAlgorithm) {
		return settings().algorithm(newAlgorithm).build();
	}

	/**
	 * Change the number of units that pass at once, for {@link Algorithm#TOKEN_BUCKET}
	 * and {@link Algorithm#LEAKY_BUCKET}.
	 * @param newBurst the capacity of the bucket, from 1 to {@link Limit#MAX_UNITS}
	 * @return a changed copy
	 */
	public Limit withBurst(long newBurst) {
		return settings().burst(newBurst).build();
	}

	/**
	 * Change the number of sub-windows of a period, for {@link Algorithm#SLIDING_WINDOW}.
	 * @param newSegments the number, from 2 to {@link Limit#MAX_SEGMENTS}
	 * @return a changed copy
	 */
	public Limit withSegments(int newSegments) {
		return settings().segments(newSegments).build();
	}

	/**
	 * Change the start of windows, for {@link Algorithm#FIXED_WINDOW}.
	 * @param newAlign the start
	 * @return a changed copy
	 */
	public Limit withAlign(Align newAlign) {
		return settings().align(newAlign).build();
	}

	/**
	 * Change the day on which the months of a calendar begin, and its years in January.
	 * @param newFirstDay the day, from 1 to 28
	 * @return a changed copy
	 */
	public Limit withFirstDay(int newFirstDay) {
		return settings().firstDay(newFirstDay).build();
	}

	/**
	 * Change the time zone of a calendar.
	 * @param newZone the zone
	 * @return a changed copy, in the same zone for all calls
	 */
	public Limit withZone(ZoneId newZone) {
		return settings().zone(newZone).build();
	}

	/**
	 * Change the time from cold to warm, for {@link Algorithm#WARM_UP}.
	 * @param newWarmUpPeriod whole milliseconds up to {@link Limit#MAX_WARM_UP_PERIOD}
	 * @return a changed copy
	 */
	public Limit withWarmUpPeriod(Duration newWarmUpPeriod) {
		return settings().warmUpPeriod(newWarmUpPeriod).build();
	}

	/**
	 * Change the factor by which a cold limit is slower, for {@link Algorithm#WARM_UP}.
	 * @param newColdFactor the factor, from 2 to {@link Limit#MAX_COLD_FACTOR}
	 * @return a changed copy
	 */
	public Limit withColdFactor(int newColdFactor) {
		return settings().coldFactor(newColdFactor).build();
	}

	/**
	 * Change the shortest time between two admitted calls of a key.
	 * @param newMinInterval whole milliseconds from 1 ms to {@link Limit#MAX_PERIOD}
	 * @return a changed copy
	 */
	public Limit withMinInterval(Duration newMinInterval) {
		return settings().minInterval(newMinInterval).build();
	}

	/**
	 * Change whether denied calls count too, for {@link Algorithm#SLIDING_LOG} and
	 * {@link Algorithm#FIXED_WINDOW}: callers that keep trying then stay denied.
	 * @param newCountDenied whether denied calls count
	 * @return a changed copy
	 */
	public Limit withCountDenied(boolean newCountDenied) {
		return settings().countDenied(newCountDenied).build();
	}

	/**
	 * Make {@link #max()} follow the load of this node.
	 * @param newAdaptive the function of the load
	 * @return a changed copy
	 */
	public Limit withAdaptive(Adaptive newAdaptive) {
		return settings().adaptive(newAdaptive).build();
	}

	/**
	 * Change the time after which the slots of an instance that died are free, for
	 * {@link Algorithm#CONCURRENCY}.
	 * @param newLease whole milliseconds from {@link Limit#MIN_LEASE} to
	 * {@link Limit#MAX_LEASE}
	 * @return a changed copy
	 */
	public Limit withLease(Duration newLease) {
		return settings().lease(newLease).build();
	}

}
