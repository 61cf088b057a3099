package io.github.ratelimit.algorithm;

import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;

import io.github.ratelimit.Limit;
import io.github.ratelimit.store.LimitOutcome;

/**
 * Oracle that records the units admitted in every window and weights them as exact
 * fractions: units times the period. The count only decreases with time, so waits are
 * found by bisection. After a change of the period, it distributes the remaining units to
 * the new windows.
 */
final class WeightedWindowOracle implements Oracle {

	private Map<Long, BigInteger> admitted = new HashMap<>();

	private long newest;

	private long period;

	private boolean followed;

	@Override
	public boolean hasFollowed() {
		return this.followed;
	}

	@Override
	public Optional<LimitOutcome> acquire(Limit limit, long cost, long now, boolean ignored) {
		if (this.period == 0) {
			this.period = limit.periodMicros();
		}
		long before = this.period;
		Map<Long, BigInteger> remembered = this.admitted;
		Map<Long, BigInteger> counted = counted(limit, now);
		this.period = limit.periodMicros();
		if (before != this.period) {
			counted = dealt(counted, before, now);
		}
		this.followed = cost > 0 && this.period > before && used(counted, now).signum() > 0;
		long retryAfter = retryAfter(counted, limit, cost, now);
		boolean admits = cost > 0 && retryAfter == 0;
		if (admits) {
			counted = new HashMap<>(counted);
			counted.merge(now / this.period, BigInteger.valueOf(cost), BigInteger::add);
		}
		BigInteger left = units(limit.max()).subtract(used(counted, now)).max(BigInteger.ZERO);
		Map<Long, BigInteger> last = counted;
		LimitOutcome outcome = new LimitOutcome(left.divide(BigInteger.valueOf(this.period)).longValueExact(),
				retryAfter, firstWait((wait) -> used(last, now + wait).signum() == 0));
		if (admits || this.followed || (cost > 0 && this.newest > now)) {
			this.admitted = counted;
			this.newest = now;
		}
		else {
			this.admitted = remembered;
			this.period = before;
		}
		return Optional.of(outcome);
	}

	private long retryAfter(Map<Long, BigInteger> counted, Limit limit, long cost, long now) {
		if (cost == 0 || cost > limit.max()) {
			return (cost == 0) ? 0 : LimitState.NEVER;
		}
		return firstWait((wait) -> used(counted, now + wait).add(units(cost)).compareTo(units(limit.max())) <= 0);
	}

	/**
	 * Return the admitted units, or, if the last admission is in a future window, the
	 * count at that time as if admitted now.
	 */
	private Map<Long, BigInteger> counted(Limit limit, long now) {
		if (this.newest / this.period <= now / this.period) {
			return this.admitted;
		}
		Map<Long, BigInteger> moved = new HashMap<>();
		moved.put(now / this.period, ceil(used(this.admitted, this.newest), this.period));
		return moved;
	}

	/**
	 * Distribute the units of two windows to windows of another period. A longer period
	 * keeps all units, a shorter one those of its current and previous window.
	 */
	private Map<Long, BigInteger> dealt(Map<Long, BigInteger> counted, long before, long now) {
		long window = now / before;
		BigInteger current = counted.getOrDefault(window, BigInteger.ZERO);
		BigInteger previous = counted.getOrDefault(window - 1, BigInteger.ZERO);
		BigInteger rest = ceil(previous.multiply(BigInteger.valueOf(before - now % before)), before);
		long currentAt = Math.min(this.newest, now);
		long restAt = Math.min(this.newest, window * before - 1);
		Map<Long, BigInteger> dealt = new HashMap<>();
		if (this.period < before) {
			dealt.merge(currentAt / this.period, current, BigInteger::add);
			dealt.merge(restAt / this.period, rest, BigInteger::add);
		}
		else if ((window * before - 1) / this.period == now / this.period) {
			dealt.put(now / this.period, current.add(rest));
		}
		else {
			BigInteger weight = BigInteger.valueOf(this.period - now % this.period);
			dealt.put(now / this.period, current);
			dealt.put(now / this.period - 1, previous.min(units(rest.longValueExact()).divide(weight)));
		}
		return dealt;
	}

	private BigInteger used(Map<Long, BigInteger> counted, long time) {
		long window = time / this.period;
		BigInteger current = counted.getOrDefault(window, BigInteger.ZERO);
		BigInteger previous = counted.getOrDefault(window - 1, BigInteger.ZERO);
		return current.multiply(BigInteger.valueOf(this.period))
			.add(previous.multiply(BigInteger.valueOf(this.period - time % this.period)));
	}

	private static BigInteger ceil(BigInteger dividend, long divisor) {
		return dividend.add(BigInteger.valueOf(divisor - 1)).divide(BigInteger.valueOf(divisor));
	}

	private BigInteger units(long units) {
		return BigInteger.valueOf(units).multiply(BigInteger.valueOf(this.period));
	}

	/**
	 * Return the first wait for which a condition becomes and stays true.
	 */
	private long firstWait(LongPredicate over) {
		long low = 0;
		long high = 2 * this.period;
		while (low < high) {
			long middle = (low + high) >>> 1;
			if (over.test(middle)) {
				high = middle;
			}
			else {
				low = middle + 1;
			}
		}
		return low;
	}

}
