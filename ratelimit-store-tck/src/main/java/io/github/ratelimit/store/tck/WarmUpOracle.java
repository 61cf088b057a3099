package io.github.ratelimit.store.tck;

import java.math.BigInteger;
import java.util.Optional;

import io.github.ratelimit.Limit;
import io.github.ratelimit.store.LimitOutcome;

/**
 * Oracle that follows all admitted calls with integers of any size. Without calls a limit
 * only becomes colder, so times are found by bisection.
 */
final class WarmUpOracle implements Oracle {

	private static final BigInteger FULL = BigInteger.TWO.pow(44);

	private static final long LONGEST = 1L << 49;

	private BigInteger found = FULL;

	private long cost;

	private long last;

	private BigInteger charge = BigInteger.ZERO;

	/**
	 * The limit of the last admitted call, by which tokens are taken and refilled.
	 */
	private Limit by;

	@Override
	public Optional<LimitOutcome> acquire(Limit limit, long cost, long now, boolean ignored) {
		this.by = (this.by != null) ? this.by : limit;
		long elapsed = Math.max(0, now - this.last);
		long retryAfter = (cost == 0) ? 0 : owed(limit, elapsed);
		if (cost > 0) {
			this.last = Math.min(this.last, now);
		}
		if (cost > 0 && retryAfter == 0) {
			this.found = stored(this.by, elapsed);
			this.by = limit;
			this.cost = cost;
			this.last = now;
			this.charge = charge(limit);
			elapsed = 0;
		}
		long owed = owed(limit, elapsed);
		return Optional
			.of(new LimitOutcome((owed == 0) ? limit.max() : 0, retryAfter, Math.max(0, firstFull(this.by) - elapsed)));
	}

	/**
	 * Return the remaining debt: {@code coldFactor} times the even interval if cold, one
	 * interval if warm, proportional in between. A call with another limit owes the
	 * shorter of both charges.
	 */
	private long owed(Limit limit, long elapsed) {
		return charge(limit).min(this.charge).subtract(big(elapsed)).max(BigInteger.ZERO).longValueExact();
	}

	private BigInteger charge(Limit limit) {
		BigInteger line = warning(limit);
		BigInteger interval = interval(limit);
		BigInteger above = this.found.subtract(line).max(BigInteger.ZERO);
		BigInteger extra = interval.multiply(big(limit.coldFactor() - 1)).multiply(above).divide(FULL.subtract(line));
		return interval.add(extra);
	}

	private BigInteger interval(Limit limit) {
		BigInteger max = big(limit.max());
		BigInteger units = big(Math.min(this.cost, limit.max()));
		return units.multiply(big(limit.periodMicros())).add(max).subtract(BigInteger.ONE).divide(max);
	}

	private BigInteger stored(Limit limit, long elapsed) {
		BigInteger left = left(limit);
		BigInteger slow = big(elapsed).subtract(patience(limit)).max(BigInteger.ZERO);
		BigInteger always = left.add(cameBack(coolDown(limit), big(elapsed))).min(warning(limit));
		return left.add(cameBack(coolDown(limit), slow)).min(FULL).max(always);
	}

	private BigInteger left(Limit limit) {
		BigInteger tokens = coolDown(limit).multiply(big(limit.max())).divide(big(limit.periodMicros()));
		return this.found.subtract(big(this.cost).multiply(FULL).divide(tokens)).max(BigInteger.ZERO);
	}

	/**
	 * Return the interval between calls at {@code max / coldFactor}.
	 */
	private BigInteger patience(Limit limit) {
		return interval(limit).multiply(big(limit.coldFactor()));
	}

	private static BigInteger cameBack(BigInteger coolDown, BigInteger elapsed) {
		return elapsed.multiply(FULL).divide(coolDown);
	}

	private static BigInteger coolDown(Limit limit) {
		long factor = limit.coldFactor();
		return big(limit.warmUpPeriod().toMillis() * 1000).multiply(big(3 * factor - 1))
			.divide(big(factor * factor - 1));
	}

	private static BigInteger warning(Limit limit) {
		return FULL.multiply(big(1 + limit.coldFactor())).divide(big(3 * limit.coldFactor() - 1));
	}

	/**
	 * Return the first time after the last call at which all tokens are refilled.
	 */
	private long firstFull(Limit limit) {
		BigInteger missing = FULL.subtract(left(limit));
		BigInteger patience = patience(limit);
		BigInteger coolDown = coolDown(limit);
		long low = 0;
		long high = LONGEST;
		while (low < high) {
			long middle = (low + high) >>> 1;
			if (cameBack(coolDown, big(middle).subtract(patience).max(BigInteger.ZERO)).compareTo(missing) >= 0) {
				high = middle;
			}
			else {
				low = middle + 1;
			}
		}
		return low;
	}

	private static BigInteger big(long number) {
		return BigInteger.valueOf(number);
	}

}
