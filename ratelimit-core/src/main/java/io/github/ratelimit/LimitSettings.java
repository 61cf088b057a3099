package io.github.ratelimit;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Settings of a limit that a builder collects. Those that are not set are left to their
 * defaults.
 *
 * @param <B> the type of the builder
 */
abstract sealed class LimitSettings<B extends LimitSettings<B>> permits Limit.Builder, RateLimitRule.Builder {

	@Nullable Algorithm algorithm;

	@Nullable Long burst;

	@Nullable Integer segments;

	@Nullable Align align;

	@Nullable Duration warmUpPeriod;

	@Nullable Integer coldFactor;

	@Nullable Duration minInterval;

	@Nullable Boolean countDenied;

	@Nullable Adaptive adaptive;

	@Nullable Duration lease;

	abstract B self();

	/**
	 * Set the algorithm that counts calls.
	 * @param algorithm the algorithm; {@link Algorithm#DEFAULT} leaves it to the default
	 * @return this builder
	 */
	public B algorithm(Algorithm algorithm) {
		this.algorithm = (algorithm != Algorithm.DEFAULT) ? algorithm : null;
		return self();
	}

	/**
	 * Set the number of units that pass at once, for {@link Algorithm#TOKEN_BUCKET} and
	 * {@link Algorithm#LEAKY_BUCKET}.
	 * @param burst the capacity of the bucket, from 1 to {@link Limit#MAX_UNITS}
	 * @return this builder
	 */
	public B burst(long burst) {
		this.burst = burst;
		return self();
	}

	/**
	 * Set the number of sub-windows of a period, for {@link Algorithm#SLIDING_WINDOW}.
	 * @param segments the number, from 2 to {@link Limit#MAX_SEGMENTS}
	 * @return this builder
	 */
	public B segments(int segments) {
		this.segments = segments;
		return self();
	}

	/**
	 * Set the start of windows, for {@link Algorithm#FIXED_WINDOW}.
	 * @param align the start
	 * @return this builder
	 */
	public B align(Align align) {
		this.align = align;
		return self();
	}

	/**
	 * Set the time from cold to warm, for {@link Algorithm#WARM_UP}.
	 * @param warmUpPeriod whole milliseconds up to {@link Limit#MAX_WARM_UP_PERIOD}
	 * @return this builder
	 */
	public B warmUpPeriod(Duration warmUpPeriod) {
		this.warmUpPeriod = warmUpPeriod;
		return self();
	}

	/**
	 * Set the factor by which a cold limit is slower, for {@link Algorithm#WARM_UP}.
	 * @param coldFactor the factor, from 2 to {@link Limit#MAX_COLD_FACTOR}
	 * @return this builder
	 */
	public B coldFactor(int coldFactor) {
		this.coldFactor = coldFactor;
		return self();
	}

	/**
	 * Set the shortest time between two admitted calls of a key.
	 * @param minInterval whole milliseconds from 1 ms to {@link Limit#MAX_PERIOD}
	 * @return this builder
	 */
	public B minInterval(Duration minInterval) {
		this.minInterval = minInterval;
		return self();
	}

	/**
	 * Set whether denied calls count too, for {@link Algorithm#SLIDING_LOG} and
	 * {@link Algorithm#FIXED_WINDOW}: callers that keep trying then stay denied.
	 * @param countDenied whether denied calls count
	 * @return this builder
	 */
	public B countDenied(boolean countDenied) {
		this.countDenied = countDenied;
		return self();
	}

	/**
	 * Make {@code max} follow the load of this node.
	 * @param adaptive the function of the load
	 * @return this builder
	 */
	public B adaptive(Adaptive adaptive) {
		this.adaptive = adaptive;
		return self();
	}

	/**
	 * Set the time after which the slots of an instance that died are free, for
	 * {@link Algorithm#CONCURRENCY}. A living instance renews all of its slots, so calls
	 * may take longer.
	 * @param lease whole milliseconds from 1 s to 1 h
	 * @return this builder
	 */
	public B lease(Duration lease) {
		this.lease = lease;
		return self();
	}

	/**
	 * Add the settings of others that are not set here.
	 */
	final B completedBy(LimitSettings<?> others) {
		this.algorithm = either(this.algorithm, others.algorithm);
		this.burst = either(this.burst, others.burst);
		this.segments = either(this.segments, others.segments);
		this.align = either(this.align, others.align);
		this.warmUpPeriod = either(this.warmUpPeriod, others.warmUpPeriod);
		this.coldFactor = either(this.coldFactor, others.coldFactor);
		this.minInterval = either(this.minInterval, others.minInterval);
		this.countDenied = either(this.countDenied, others.countDenied);
		this.adaptive = either(this.adaptive, others.adaptive);
		this.lease = either(this.lease, others.lease);
		return self();
	}

	private static <T extends @Nullable Object> T either(T own, T other) {
		return (own != null) ? own : other;
	}

}
