package io.github.ratelimit;

import java.time.Duration;
import java.util.Set;

/**
 * One thing that can be said of a {@link Limit}.
 *
 * @param <T> the type of its values
 * @since 0.1.0
 */
public final class LimitAttribute<T> {

	/**
	 * The name among several limits of a rule.
	 */
	public static final LimitAttribute<String> NAME = new LimitAttribute<>("name");

	/**
	 * How many units are admitted per period.
	 */
	public static final LimitAttribute<Long> MAX = new LimitAttribute<>("max");

	/**
	 * The time in which they are.
	 */
	public static final LimitAttribute<Duration> PERIOD = new LimitAttribute<>("period");

	/**
	 * How calls are counted.
	 */
	public static final LimitAttribute<Algorithm> ALGORITHM = new LimitAttribute<>("algorithm");

	/**
	 * The capacity of a bucket.
	 */
	public static final LimitAttribute<Long> BURST = new LimitAttribute<>("burst", Algorithm.TOKEN_BUCKET,
			Algorithm.LEAKY_BUCKET);

	/**
	 * Into how many sub-windows the period is cut.
	 */
	public static final LimitAttribute<Integer> SEGMENTS = new LimitAttribute<>("segments", Algorithm.SLIDING_WINDOW);

	/**
	 * Where windows begin.
	 */
	public static final LimitAttribute<Align> ALIGN = new LimitAttribute<>("align", Algorithm.FIXED_WINDOW);

	/**
	 * How long it takes to warm up.
	 */
	public static final LimitAttribute<Duration> WARM_UP_PERIOD = new LimitAttribute<>("warm-up-period",
			Algorithm.WARM_UP);

	/**
	 * How many times slower it is when cold.
	 */
	public static final LimitAttribute<Integer> COLD_FACTOR = new LimitAttribute<>("cold-factor", Algorithm.WARM_UP);

	/**
	 * How far apart two admitted calls are at least.
	 */
	public static final LimitAttribute<Duration> MIN_INTERVAL = new LimitAttribute<>("min-interval");

	/**
	 * Whether denied calls count too.
	 */
	public static final LimitAttribute<Boolean> COUNT_DENIED = new LimitAttribute<>("count-denied",
			Algorithm.SLIDING_LOG, Algorithm.FIXED_WINDOW);

	/**
	 * How {@code max} follows the load.
	 */
	public static final LimitAttribute<Adaptive> ADAPTIVE = new LimitAttribute<>("adaptive");

	private final String name;

	private final Set<Algorithm> algorithms;

	private LimitAttribute(String name, Algorithm... algorithms) {
		this.name = name;
		this.algorithms = Set.of(algorithms);
	}

	/**
	 * How configuration files and messages call it.
	 * @return the name in kebab case
	 */
	public String name() {
		return this.name;
	}

	/**
	 * The algorithms it has an effect with.
	 * @return the algorithms; empty means all
	 */
	Set<Algorithm> algorithms() {
		return this.algorithms;
	}

	@Override
	public String toString() {
		return this.name;
	}

}
