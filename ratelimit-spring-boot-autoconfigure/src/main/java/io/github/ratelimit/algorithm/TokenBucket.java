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
final class TokenBucket implements LimitState {

	private long since;

	private long used;

	private boolean corrected;

	@Override
	public long retryAfter(Limit limit, long cost, long now) {
		if (cost > limit.capacity()) {
			return NEVER;
		}
		TokenBucket bucket = at(limit, now);
		long excess = bucket.used + cost - limit.capacity();
		return (excess <= 0) ? 0 : Math.max(0, limit.rate().microsFor(excess) - (now - bucket.since));
	}

	@Override
	public void take(Limit limit, long cost, long slot, long now) {
		become(at(limit, slot));
		this.used += cost;
	}

	/**
	 * The bucket as a whole moves to an earlier time, by the cycles in which the units
	 * would have come back; what is left of them is filled up. So while calls wait,
	 * everything is as if the one that gives up had never come.
	 */
	@Override
	public long giveBack(Limit limit, long cost, long slot, long judged, long now) {
		become(at(limit, judged));
		Rate rate = limit.rate();
		long units = Math.min(cost, this.used);
		long rest = units % rate.units();
		long earlier = units / rate.units() * rate.micros();
		this.since -= earlier;
		this.used -= rest;
		return Math.max(this.since, judged - earlier - ((rest == 0) ? 0 : rate.microsFor(rest) - 1));
	}

	@Override
	public boolean settle(Limit limit, long now) {
		TokenBucket bucket = at(limit, now);
		if (bucket.corrected) {
			become(bucket);
		}
		return bucket.corrected;
	}

	@Override
	public long remaining(Limit limit, long now) {
		return limit.capacity() - at(limit, now).missing(limit.rate(), now);
	}

	@Override
	public long resetAfter(Limit limit, long now) {
		TokenBucket bucket = at(limit, now);
		return limit.rate().microsFor(bucket.used) - (now - bucket.since);
	}

	/**
	 * The same bucket told as of now: whole cycles of the rate are over, nothing is in
	 * the future, and no more is missing than it can hold, which a lowered limit would
	 * have.
	 */
	private TokenBucket at(Limit limit, long now) {
		Rate rate = limit.rate();
		TokenBucket bucket = new TokenBucket();
		bucket.since = Math.min(this.since, now);
		bucket.corrected = this.since > now;
		long cycles = (now - bucket.since) / rate.micros();
		if (cycles > this.used / rate.units()) {
			bucket.since = now;
			return bucket;
		}
		bucket.since += cycles * rate.micros();
		bucket.used = this.used - cycles * rate.units();
		long missing = bucket.missing(rate, now);
		if (missing <= 0) {
			bucket.since = now;
			bucket.used = 0;
		}
		else if (missing > limit.capacity()) {
			bucket.since = now;
			bucket.used = limit.capacity();
			bucket.corrected = true;
		}
		return bucket;
	}

	private long missing(Rate rate, long now) {
		return this.used - rate.unitsIn(now - this.since);
	}

	private void become(TokenBucket bucket) {
		this.since = bucket.since;
		this.used = bucket.used;
	}

}
