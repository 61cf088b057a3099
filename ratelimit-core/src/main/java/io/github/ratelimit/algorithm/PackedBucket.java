package io.github.ratelimit.algorithm;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import org.jspecify.annotations.Nullable;

/**
 * Numbers of a limit by which the state of a bucket is one {@code long}: the theoretical
 * arrival time of the generic cell rate algorithm, the time at which the bucket is full
 * again. It is exact, since it is counted in parts of {@code 1 / units} of a microsecond,
 * where {@code units} is that of the {@link io.github.ratelimit.arithmetic.Rate Rate} in
 * lowest terms. A unit takes {@code micros} such parts to be refilled.
 *
 * <p>
 * A store changes such a state by compare-and-set while calls take units and do nothing
 * else. For everything else it is {@linkplain #unpack unpacked}, and {@linkplain #pack
 * packed} again if nothing is left that one {@code long} cannot hold.
 *
 * @since 0.1.0
 */
public final class PackedBucket {

	/** The state of a full bucket. */
	public static final long UNUSED = Long.MIN_VALUE;

	/** No state: the bucket is not packed, or cannot be. */
	public static final long UNPACKED = Long.MAX_VALUE;

	private static final int BITS_OF_TIME = 49;

	private static final int BITS_OF_UNITS = 13;

	private static final long MOST_PARTS = 1L << 60;

	private final Limit limit;

	private final long epoch;

	private final long units;

	private final long micros;

	private final long capacity;

	private final long mostMissing;

	private PackedBucket(Limit limit, long epoch) {
		this.limit = limit;
		this.epoch = epoch;
		this.units = limit.rate().units();
		this.micros = limit.rate().micros();
		this.capacity = limit.capacity();
		this.mostMissing = this.capacity * this.micros;
	}

	/**
	 * Return the numbers of a limit.
	 * @param epoch the earliest time that is counted
	 * @return the numbers, or {@code null} if the limit is not counted by a bucket, or
	 * its numbers are too large
	 */
	public static @Nullable PackedBucket of(Limit limit, long epoch) {
		boolean isBucket = limit.algorithm() == Algorithm.TOKEN_BUCKET || limit.algorithm() == Algorithm.LEAKY_BUCKET;
		return (isBucket && limit.rate().units() >>> BITS_OF_UNITS == 0
				&& limit.capacity() <= MOST_PARTS / limit.rate().micros()) ? new PackedBucket(limit, epoch) : null;
	}

	public Limit limit() {
		return this.limit;
	}

	/**
	 * Return whether a call can be decided by a packed state.
	 * @return {@code false} if it costs more than the bucket holds, or if the time is
	 * before the epoch or 17 years after it
	 */
	public boolean fits(long time, long cost) {
		return cost <= this.capacity && (time - this.epoch) >>> BITS_OF_TIME == 0;
	}

	/** Return a time in parts since the epoch. */
	public long parts(long time) {
		return (time - this.epoch) * this.units;
	}

	/**
	 * Return the state after units were taken, which may lack more than the bucket holds.
	 * @param now the time in parts
	 */
	public long taken(long state, long now, long cost) {
		return Math.max(state, now) + cost * this.micros;
	}

	/**
	 * Return whether a bucket lacks more than it holds, so that the call is denied.
	 * @param missing what it lacks in parts: its state less the time
	 */
	public boolean isOverdrawn(long missing) {
		return missing > this.mostMissing;
	}

	/**
	 * Return the units that can be taken.
	 * @param missing what the bucket lacks in parts
	 */
	public long remaining(long missing) {
		return Math.max(0, (this.mostMissing - missing) / this.micros);
	}

	/**
	 * Return the microseconds until a call is admitted, 0 or more.
	 * @param missing what the bucket would lack with the units of the call, in parts
	 */
	public long retryAfter(long missing) {
		return micros(missing - this.mostMissing);
	}

	/**
	 * Return the microseconds until the bucket is full again.
	 * @param missing what it lacks in parts
	 */
	public long resetAfter(long missing) {
		return micros(missing);
	}

	private long micros(long parts) {
		return Math.max(0, -Math.floorDiv(-parts, this.units));
	}

	/**
	 * Create the count that a state stands for.
	 * @param since the time of the last call that was admitted
	 * @param knownSince the time of the last call that found the bucket full
	 */
	public Count unpack(long state, long since, long knownSince) {
		TokenBucket bucket = new TokenBucket();
		long missing = (state == UNUSED) ? 0 : state - parts(since);
		if (missing > 0) {
			long used = (missing + this.micros - 1) / this.micros;
			bucket.restore(this.limit, since, knownSince, used, used * this.micros - missing);
		}
		return bucket;
	}

	/**
	 * Return the state that stands for a count, {@link #UNPACKED} if it does not contain
	 * all of the count.
	 * @param count the count, advanced to the time of a call
	 */
	public long pack(Count count) {
		if (count.isUnusedNow()) {
			return UNUSED;
		}
		long missing = fits(count.changedAt(), 0) ? ((TokenBucket) count).restorable(this.limit) : -1;
		return (missing >= 0) ? parts(count.changedAt()) + missing : UNPACKED;
	}

}
