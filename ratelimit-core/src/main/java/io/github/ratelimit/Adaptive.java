package io.github.ratelimit;

/**
 * Function of a load signal that determines {@code max}: {@code low.max} at and below
 * {@code low.at}, {@code high.max} at and above {@code high.at}, linear between. With
 * 1000 at 1024 and 100 at 2048, a load of 1536 gives 550.
 *
 * @param signal the measured load: {@code memory}, {@code cpu} or the name of a
 * {@code LoadSignal} bean
 * @param low the point up to which {@code max} is constant
 * @param high the point from which {@code max} is constant again
 * @since 0.1.0
 */
public record Adaptive(String signal, Point low, Point high) {

	/**
	 * Create a new adaptation.
	 * @param signal the name of the load signal
	 * @param low the point up to which the load does not lower {@code max}
	 * @param high the point from which on {@code max} stays the same
	 * @throws InvalidAttributeException if the two points do not define a function
	 */
	public Adaptive {
		if (signal.isBlank()) {
			throw new InvalidAttributeException("adaptive.signal", '"' + signal + '"', "it names what is measured.",
					"Write memory, cpu or the name of a LoadSignal bean.");
		}
		if (low.at >= high.at) {
			throw new InvalidAttributeException("adaptive.high.at", high.at,
					"it has to be above adaptive.low.at, which is " + low.at + ".",
					"Write the lower load as low, {low: {at: 0.6, max: 1000}, high: {at: 0.9, max: 100}} for example.");
		}
	}

	/**
	 * {@return the number of units that a limit admits per period under a load, rounded
	 * down and never below the smaller {@code max}}
	 * @param load the load
	 */
	public long maxAt(double load) {
		if (load <= this.low.at) {
			return this.low.max;
		}
		if (load >= this.high.at) {
			return this.high.max;
		}
		double part = (load - this.low.at) / (this.high.at - this.low.at);
		long max = (long) Math.floor(this.low.max + part * (this.high.max - this.low.max));
		return Math.max(max, Math.min(this.low.max, this.high.max));
	}

	/**
	 * Load and the {@code max} that belongs to it.
	 *
	 * @param at the load
	 * @param max the number of units that are admitted per period, 1 or more
	 */
	public record Point(double at, long max) {

		/**
		 * Create a new point.
		 * @param at the load
		 * @param max how many units are admitted per period, 1 or more
		 * @throws InvalidAttributeException if the load is not a finite number
		 */
		public Point {
			if (!Double.isFinite(at)) {
				throw new InvalidAttributeException("adaptive.at", at, "a load is a finite number.",
						"Write a fraction, at: 0.6 for example.");
			}
		}

	}

}
