package io.github.ratelimit.algorithm;

import io.github.ratelimit.Limit;
import io.github.ratelimit.Rate;

/**
 * A bucket from which {@code used} units were missing at the time {@code since}, and
 * which has been refilling at the limit's {@link Rate} from then on.
 *
 * <p>
 * This is the generic cell rate algorithm (ITU-T I.371; redis-cell) told in units instead
 * of time: its theoretical arrival time is {@code since + used * period / max}. Told this
 * way the state keeps its meaning when {@code max} or {@code period} change, and no
 * fraction is ever stored: with a rate of {@code units} per {@code micros} in lowest
 * terms, {@code since} moves on by whole {@code micros} only, in which exactly
 * {@code units} whole units come back.
 */
final class TokenBucket extends Count {

	private long storedSince;

	private long storedUsed;

	private long since;

	private long used;

	private long missing;

	private boolean corrected;

	/**
	 * Whole cycles of the rate are over, nothing is in the future, and no more is missing
	 * than the bucket can hold, which a lowered limit would have.
	 */
	@Override
	void tell(Limit limit) {
		Rate rate = limit.rate();
		this.since = Math.min(this.storedSince, this.at);
		this.used = this.storedUsed;
		this.corrected = this.storedSince > this.at;
		if (this.at - this.since >= rate.micros()) {
			long cycles = (this.at - this.since) / rate.micros();
			if (cycles > this.used / rate.units()) {
				miss(0);
				return;
			}
			this.since += cycles * rate.micros();
			this.used -= cycles * rate.units();
		}
		this.missing = this.used - rate.unitsIn(this.at - this.since);
		if (this.missing <= 0) {
			miss(0);
		}
		else if (this.missing > limit.capacity()) {
			miss(limit.capacity());
			this.corrected = true;
		}
	}

	private void miss(long units) {
		this.since = this.at;
		this.used = units;
		this.missing = units;
	}

	@Override
	long retryAfter(Limit limit, long cost) {
		if (cost > limit.capacity()) {
			return NEVER;
		}
		long excess = this.used + cost - limit.capacity();
		return (excess <= 0) ? 0 : Math.max(0, limit.rate().microsFor(excess) - (this.at - this.since));
	}

	@Override
	void add(Limit limit, long cost) {
		this.used += cost;
		this.missing += cost;
		store();
	}

	/**
	 * The bucket as a whole moves to an earlier time, by the cycles in which the units
	 * would have come back; what is left of them is filled up. So while calls wait,
	 * everything is as if the one that gives up had never come.
	 */
	@Override
	long takeOut(Limit limit, long cost, long slot) {
		Rate rate = limit.rate();
		long units = Math.min(cost, this.used);
		long rest = units % rate.units();
		long earlier = units / rate.units() * rate.micros();
		this.since -= earlier;
		this.used -= rest;
		store();
		return Math.max(this.since, this.at - earlier - ((rest == 0) ? 0 : rate.microsFor(rest) - 1));
	}

	@Override
	boolean correct(Limit limit) {
		if (this.corrected) {
			store();
		}
		return this.corrected;
	}

	@Override
	long room(Limit limit) {
		return limit.capacity() - this.missing;
	}

	@Override
	long untilUnused(Limit limit) {
		return limit.rate().microsFor(this.used) - (this.at - this.since);
	}

	private void store() {
		this.storedSince = this.since;
		this.storedUsed = this.used;
	}

}
