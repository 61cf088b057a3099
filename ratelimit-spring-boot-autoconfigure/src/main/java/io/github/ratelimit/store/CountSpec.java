package io.github.ratelimit.store;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;

/**
 * One of the counts that a rule needs. Each limit has one; a limit with a
 * {@linkplain Limit#minInterval() minimum interval} has a second one behind it, the time
 * of the last call.
 *
 * @param kind the kind of the state; states of the same kind mean the same
 * @param name the name among several limits, {@code null} for the only one
 * @param limit the limit to count by
 * @since 0.1.0
 */
public record CountSpec(String kind, @Nullable String name, Limit limit) {

	private static final String INTERVAL = "gap";

	/**
	 * Create the count of a limit.
	 */
	static CountSpec of(Limit limit, @Nullable String name) {
		return new CountSpec(kind(limit.algorithm()), name, limit);
	}

	/**
	 * Create the count of the interval between calls.
	 */
	static CountSpec ofInterval(Limit interval, @Nullable String name) {
		return new CountSpec(INTERVAL, name, interval);
	}

	/**
	 * Whether this count keeps the interval between calls.
	 * @return {@code false} for that of a limit
	 */
	public boolean isInterval() {
		return this.kind.equals(INTERVAL);
	}

	/**
	 * Return how many units a call takes from this count. An interval separates calls,
	 * whatever they cost.
	 * @param cost the cost of the call
	 * @return the units
	 */
	public long units(long cost) {
		return isInterval() ? Math.min(1, cost) : cost;
	}

	/**
	 * Return what identifies the state of this count among those of a key. It stays the
	 * same when the numbers of the limit change.
	 * @return the kind and the name
	 */
	public String meaning() {
		return this.kind + ' ' + this.name;
	}

	private static String kind(Algorithm algorithm) {
		return switch (algorithm) {
			case SLIDING_LOG -> "times";
			case TOKEN_BUCKET -> "tokens";
			case WEIGHTED_WINDOW -> "weights";
			case SLIDING_WINDOW -> "segments";
			case FIXED_WINDOW -> "fixed";
			case LEAKY_BUCKET -> "leaky";
			case WARM_UP -> "warming";
			case DEFAULT -> throw new IllegalArgumentException("DEFAULT has to be resolved before counting");
		};
	}

}
