package io.github.ratelimit.sample.playground;

/**
 * How calls come in: how many of them have come by a time, at a given number per second.
 */
enum TrafficShape {

	/**
	 * One after the other.
	 */
	STEADY {

		@Override
		long callsUntil(double seconds, int perSecond) {
			return 1 + (long) (seconds * perSecond);
		}

	},

	/**
	 * Those of four seconds at once.
	 */
	BURSTS {

		@Override
		long callsUntil(double seconds, int perSecond) {
			return (1 + (long) (seconds / PHASE)) * (long) (perSecond * PHASE);
		}

	},

	/**
	 * Calm for four seconds, eight times as many for the next four.
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
	 * Only those that the visitor sends.
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
