package io.github.ratelimit.algorithm;

import java.math.BigInteger;
import java.util.Optional;

import io.github.ratelimit.Limit;
import io.github.ratelimit.store.LimitOutcome;

/**
 * Keeps what is missing from the bucket as an exact fraction: units times the period. Not
 * sure of its answers once the clock went back or the limit changed, because how much had
 * refilled until then is a matter of taste.
 */
final class TokenBucketOracle implements Oracle {

	private BigInteger missing = BigInteger.ZERO;

	private long time = Long.MIN_VALUE;

	private Limit first;

	private boolean sure = true;

	@Override
	public Optional<LimitOutcome> acquire(Limit limit, long cost, long now, boolean admitted) {
		if (this.first == null) {
			this.first = limit;
			this.time = now;
		}
		this.sure &= limit.equals(this.first) && now >= this.time;
		if (!this.sure) {
			return Optional.empty();
		}
		BigInteger max = BigInteger.valueOf(limit.max());
		BigInteger period = BigInteger.valueOf(limit.periodMicros());
		BigInteger capacity = BigInteger.valueOf(limit.capacity()).multiply(period);
		BigInteger wanted = BigInteger.valueOf(cost).multiply(period);
		this.missing = this.missing.subtract(BigInteger.valueOf(now - this.time).multiply(max)).max(BigInteger.ZERO);
		this.time = now;
		long retryAfter = (wanted.compareTo(capacity) > 0) ? LimitState.NEVER
				: ceil(this.missing.add(wanted).subtract(capacity).max(BigInteger.ZERO), max);
		if (retryAfter == 0) {
			this.missing = this.missing.add(wanted);
		}
		return Optional.of(new LimitOutcome(capacity.subtract(this.missing).divide(period).longValueExact(), retryAfter,
				ceil(this.missing, max)));
	}

	private static long ceil(BigInteger dividend, BigInteger divisor) {
		return dividend.add(divisor).subtract(BigInteger.ONE).divide(divisor).longValueExact();
	}

}
