package io.github.ratelimit.store.redis;

import java.util.function.Function;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Align;
import io.github.ratelimit.Limit;
import io.github.ratelimit.store.CountSpec;

/**
 * The algorithms as scripts know them: each has a number and a file of its own, and is
 * told some numbers of a limit. Both buckets are the same one.
 */
enum Twin {

	SLIDING_LOG(1, (limit) -> new long[] { limit.max(), limit.periodMicros(), limit.countDenied() ? 1 : 0 },
			"sliding-log"),

	TOKEN_BUCKET(2, (limit) -> new long[] { limit.capacity(), limit.rate().units(), limit.rate().micros() }, "rate",
			"token-bucket"),

	WEIGHTED_WINDOW(3, (limit) -> new long[] { limit.max(), limit.periodMicros() }, "rate", "weighted-window"),

	SLIDING_WINDOW(4, (limit) -> new long[] { limit.max(), limit.periodMicros(), limit.segments() }, "sliding-window"),

	FIXED_WINDOW(5,
			(limit) -> new long[] { limit.max(), limit.periodMicros(), (limit.align() == Align.FIRST_REQUEST) ? 1 : 0,
					limit.countDenied() ? 1 : 0 },
			"fixed-window"),

	WARM_UP(6,
			(limit) -> new long[] { limit.max(), limit.rate().units(), limit.rate().micros(), limit.coolDownMicros(),
					limit.coldFactor() },
			"rate", "warm-up"),

	MIN_INTERVAL(7, (limit) -> new long[] { limit.periodMicros() }, "min-interval");

	private final int number;

	private final Function<Limit, long[]> parameters;

	private final String[] files;

	Twin(int number, Function<Limit, long[]> parameters, String... files) {
		this.number = number;
		this.parameters = parameters;
		this.files = files;
	}

	static Twin of(CountSpec spec) {
		return spec.isInterval() ? MIN_INTERVAL : of(spec.limit().algorithm());
	}

	private static Twin of(Algorithm algorithm) {
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
	 * What it has to know of a limit, in the order in which its file takes it.
	 */
	long[] parameters(Limit limit) {
		return this.parameters.apply(limit);
	}

	/**
	 * How many entries a script may have to read and write anew for one call. A log that
	 * counts denied calls holds up to twice {@code max}.
	 */
	long entries(Limit limit) {
		if (this != SLIDING_LOG) {
			return 0;
		}
		return limit.countDenied() ? 2 * limit.max() : limit.max();
	}

	/**
	 * The files it consists of, its own behind those that others need as well.
	 */
	String[] files() {
		return this.files;
	}

}
