package io.github.ratelimit.sample.playground;

/**
 * Distribution of calls over time: number of calls until a time, at a given rate per
 * second.
 */
enum TrafficShape {

	/**
	 * Calls at an even rate.
	 */
	STEADY {

		@Override
		long callsUntil(double seconds, int perSecond) {
			return 1 + (long) (seconds * perSecond);
		}

	},

	/**
	 * All calls of four seconds at once.
	 */
	BURSTS {

		@Override
		long callsUntil(double seconds, int perSecond) {
			return (1 + (long) (seconds / PHASE)) * (long) (perSecond * PHASE);
		}

	},

	/**
	 * Calm for four seconds, then eight times the rate for four seconds.
	 */
	ATTACK {

		@Override
		long callsUntil(double seconds, int perSecond) {
			long attacks = (long) (seconds / (2 * PHASE));
			double rest = seconds - attacks * 2 * PHASE;
			double calm = (attacks + Math.min(1, rest / PHASE)) * PHASE;
			double attack = (attacks + Math.max(0, rest / PHASE - 1)) * PHASE;
			return 1 + (long) ((calm + 8 * attack) * perSecond);
		}

	},

	/**
	 * Only calls that the visitor sends.
	 */
	BY_HAND {

		@Override
		long callsUntil(double seconds, int perSecond) {
			return 0;
		}

	};

	private static final double PHASE = 4;

	abstract long callsUntil(double seconds, int perSecond);

}
