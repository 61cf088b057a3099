package io.github.ratelimit.benchmarks.session;

import java.util.Locale;

import io.github.ratelimit.benchmarks.measure.Table;

/**
 * Load of the machine around a measurement.
 *
 * @param loadBefore the load average of the last minute before the measurement
 * @param loadAfter the load average of its last minute
 * @param percentStolen the percentage of processor time that other virtual machines took
 * @param incrBefore {@code INCR} commands per second before the measurement
 * @param incrAfter {@code INCR} commands per second after it
 */
record Conditions(double loadBefore, double loadAfter, double percentStolen, double incrBefore, double incrAfter) {

	private static final double MOST_STOLEN = 2;

	private static final double MOST_CHANGE = 0.15;

	/**
	 * Return whether others used the machine as well.
	 */
	boolean disturbed() {
		double change = Math.abs(this.incrAfter - this.incrBefore) / Math.max(this.incrBefore, this.incrAfter);
		return this.percentStolen > MOST_STOLEN || change > MOST_CHANGE;
	}

	/**
	 * Return the caption of a table.
	 */
	String describe() {
		return String.format(Locale.ROOT,
				"Load average %.2f before, %.2f after; %.1f %% of the processor time stolen; `INCR` by `redis-benchmark` %s/s before, %s/s after.",
				this.loadBefore, this.loadAfter, this.percentStolen, Table.number(this.incrBefore),
				Table.number(this.incrAfter));
	}

}
