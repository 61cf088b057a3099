package io.github.ratelimit.store.redis;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Align;
import io.github.ratelimit.Limit;

/**
 * The algorithms as scripts know them: each is in a file of its own, has a number, and is
 * told some numbers of a limit. Both buckets are the same one.
 */
enum Twin {

	SLIDING_LOG(1, "sliding-log") {

		@Override
		long[] parameters(Limit limit) {
			return new long[] { limit.max(), limit.periodMicros(), limit.countDenied() ? 1 : 0 };
		}

	},

	TOKEN_BUCKET(2, "rate", "token-bucket") {

		@Override
		long[] parameters(Limit limit) {
			return new long[] { limit.capacity(), limit.rate().units(), limit.rate().micros() };
		}

	},

	WEIGHTED_WINDOW(3, "rate", "weighted-window") {

		@Override
		long[] parameters(Limit limit) {
			return new long[] { limit.max(), limit.periodMicros() };
		}

	},

	SLIDING_WINDOW(4, "sliding-window") {

		@Override
		long[] parameters(Limit limit) {
			return new long[] { limit.max(), limit.periodMicros(), limit.segments() };
		}

	},

	FIXED_WINDOW(5, "fixed-window") {

		@Override
		long[] parameters(Limit limit) {
			return new long[] { limit.max(), limit.periodMicros(), (limit.align() == Align.FIRST_REQUEST) ? 1 : 0,
					limit.countDenied() ? 1 : 0 };
		}

	},

	WARM_UP(6, "rate", "warm-up") {

		@Override
		long[] parameters(Limit limit) {
			return new long[] { limit.max(), limit.rate().units(), limit.rate().micros(), limit.coolDownMicros(),
					limit.coldFactor() };
		}

	};

	private final int number;

	private final String[] files;

	Twin(int number, String... files) {
		this.number = number;
		this.files = files;
	}

	static Twin of(Algorithm algorithm) {
		return switch (algorithm) {
			case SLIDING_LOG -> SLIDING_LOG;
			case TOKEN_BUCKET, LEAKY_BUCKET -> TOKEN_BUCKET;
			case WEIGHTED_WINDOW -> WEIGHTED_WINDOW;
			case SLIDING_WINDOW -> SLIDING_WINDOW;
			case FIXED_WINDOW -> FIXED_WINDOW;
			case WARM_UP -> WARM_UP;
			case DEFAULT -> throw new IllegalArgumentException("DEFAULT has to be resolved before counting");
		};
	}

	/**
	 * What scripts call it.
	 */
	int number() {
		return this.number;
	}

	/**
	 * The files it consists of, its own behind those that others need as well.
	 */
	String[] files() {
		return this.files;
	}

	/**
	 * What it has to know of a limit, in the order in which its file takes it.
	 */
	abstract long[] parameters(Limit limit);

}
