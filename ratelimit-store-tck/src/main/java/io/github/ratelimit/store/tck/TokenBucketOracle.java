package io.github.ratelimit.store.tck;

import java.math.BigInteger;
import java.util.Optional;

import io.github.ratelimit.Limit;
import io.github.ratelimit.arithmetic.Rate;
import io.github.ratelimit.store.LimitOutcome;

/**
 * Oracle that stores the units missing from the bucket as an exact fraction. The
 * denominator is a multiple of the period; only a change of the rate rounds up, to the
 * denominator of the new one. The bucket refills by the rate of the last admitted call,
 * or of a later call with a higher one.
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
		BigInteger left = left(now);
		boolean rises = isHigher(limit.rate(), this.limit.rate()) && left.signum() > 0;
		Limit by = (rises || left.signum() == 0) ? limit : this.limit;
		left = converted(left, by);
		BigInteger excess = left.add(units(cost, by)).subtract(units(limit.capacity(), by));
		long retryAfter = (cost == 0) ? 0 : micros(by, excess.max(BigInteger.ZERO));
		this.followed = cost > 0 && (now < this.time || rises);
		boolean admits = cost > 0 && retryAfter == 0;
		if (admits) {
			left = converted(left, by, limit).add(units(cost, limit));
			by = limit;
		}
		if (admits || this.followed) {
			this.missing = left;
			this.time = now;
			this.limit = by;
		}
		BigInteger remaining = units(limit.capacity(), by).subtract(left).max(BigInteger.ZERO);
		return Optional
			.of(new LimitOutcome(remaining.divide(parts(by)).longValueExact(), retryAfter, micros(by, left)));
	}

	private static boolean isHigher(Rate rate, Rate other) {
		return (double) rate.units() * other.micros() > (double) other.units() * rate.micros();
	}

	/**
	 * Return the missing amount at this time, in fractions of a unit.
	 */
	private BigInteger left(long now) {
		BigInteger came = BigInteger.valueOf(Math.max(0, now - this.time)).multiply(perMicro(this.limit));
		return this.missing.subtract(came).max(BigInteger.ZERO);
	}

	private BigInteger converted(BigInteger left, Limit to) {
		return converted(left, this.limit, to);
	}

	private static BigInteger converted(BigInteger left, Limit from, Limit to) {
		return to.rate().equals(from.rate()) ? left : ceil(left.multiply(parts(to)), parts(from));
	}

	private static BigInteger units(long units, Limit limit) {
		return BigInteger.valueOf(units).multiply(parts(limit));
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
