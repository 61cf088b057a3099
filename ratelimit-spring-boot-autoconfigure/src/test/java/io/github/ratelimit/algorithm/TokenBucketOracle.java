package io.github.ratelimit.algorithm;

import java.math.BigInteger;
import java.util.Optional;

import io.github.ratelimit.Limit;
import io.github.ratelimit.store.LimitOutcome;

/**
 * Oracle that stores the units missing from the bucket as an exact fraction. The
 * denominator is a multiple of the period; only a change of the limit rounds up, to the
 * denominator of the new limit.
 */
final class TokenBucketOracle implements Oracle {

	private static final BigInteger FINEST = BigInteger.TWO.pow(44);

	private BigInteger missing = BigInteger.ZERO;

	private long time;

	private Limit limit;

	private boolean followed;

	@Override
	public boolean hasFollowed() {
		return this.followed;
	}

	@Override
	public Optional<LimitOutcome> acquire(Limit limit, long cost, long now, boolean admitted) {
		if (this.limit == null) {
			this.limit = limit;
			this.time = now;
		}
		BigInteger parts = parts(limit);
		BigInteger capacity = BigInteger.valueOf(limit.capacity()).multiply(parts);
		BigInteger wanted = BigInteger.valueOf(cost).multiply(parts);
		BigInteger left = left(limit, now);
		long retryAfter = (cost == 0) ? 0 : (wanted.compareTo(capacity) > 0) ? LimitState.NEVER
				: micros(limit, left.add(wanted).subtract(capacity).max(BigInteger.ZERO));
		boolean corrected = cost > 0 && (now < this.time || !limit.rate().equals(this.limit.rate())
				|| left(this.limit, now).compareTo(capacity) > 0 || left.equals(capacity));
		this.followed = corrected;
		if (cost > 0 && retryAfter == 0) {
			left = left.add(wanted);
			corrected = true;
		}
		if (corrected) {
			this.missing = left;
			this.time = now;
			this.limit = limit;
		}
		return Optional.of(new LimitOutcome(capacity.subtract(left).divide(parts).longValueExact(), retryAfter,
				micros(limit, left)));
	}

	/**
	 * Return the missing amount at this time, in fractions of a unit under this limit.
	 */
	private BigInteger left(Limit changed, long now) {
		BigInteger came = BigInteger.valueOf(Math.max(0, now - this.time)).multiply(perMicro(this.limit));
		BigInteger left = this.missing.subtract(came).max(BigInteger.ZERO);
		if (!changed.rate().equals(this.limit.rate())) {
			left = ceil(left.multiply(parts(changed)), parts(this.limit));
		}
		BigInteger capacity = BigInteger.valueOf(changed.capacity()).multiply(parts(changed));
		BigInteger units = ceil(left, parts(changed));
		return (units.compareTo(BigInteger.valueOf(changed.capacity())) > 0) ? capacity : left;
	}

	private static BigInteger parts(Limit limit) {
		BigInteger micros = BigInteger.valueOf(limit.rate().micros());
		return micros.multiply(FINEST.divide(micros).max(BigInteger.ONE));
	}

	private static BigInteger perMicro(Limit limit) {
		return parts(limit).divide(BigInteger.valueOf(limit.rate().micros()))
			.multiply(BigInteger.valueOf(limit.rate().units()));
	}

	private static long micros(Limit limit, BigInteger parts) {
		return ceil(parts, perMicro(limit)).longValueExact();
	}

	private static BigInteger ceil(BigInteger dividend, BigInteger divisor) {
		return dividend.add(divisor).subtract(BigInteger.ONE).divide(divisor);
	}

}
