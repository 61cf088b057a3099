package io.github.ratelimit.store.tck;

import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;

import io.github.ratelimit.Limit;
import io.github.ratelimit.store.LimitOutcome;

/**
 * Oracle that records the units admitted in every window and weights them as exact
 * fractions. The count only decreases with time, so waits are found by bisection. For a
 * call with a shorter period, it distributes the units to its windows, and the smaller
 * count decides.
 */
final class WeightedWindowOracle implements Oracle {

	private Map<Long, Long> admitted = Map.of();

	private long newest;

	private long period;

	@Override
	public Optional<LimitOutcome> acquire(Limit limit, long cost, long now, boolean ignored) {
		if (this.admitted.isEmpty()) {
			this.period = limit.periodMicros();
		}
		Windows counted = new Windows(this.period, counted(now));
		Windows own = (limit.periodMicros() < this.period) ? dealt(counted, limit.periodMicros(), now) : counted;
		long retryAfter = retryAfter(counted, limit, cost, now);
		boolean admits = cost > 0 && retryAfter == 0;
		long used = Math.min(counted.used(now), own.used(now));
		if (admits) {
			counted = converted(counted, limit.periodMicros(), used, now).with(now, cost);
			used += cost;
		}
		Windows last = counted;
		LimitOutcome outcome = new LimitOutcome(Math.max(0, limit.max() - (admits ? counted.used(now) : used)),
				retryAfter, firstWait(last.period, (wait) -> last.used(now + wait) == 0));
		if (admits || (cost > 0 && this.newest > now)) {
			this.admitted = counted.units;
			this.period = counted.period;
			this.newest = now;
		}
		return Optional.of(outcome);
	}

	private long retryAfter(Windows counted, Limit limit, long cost, long now) {
		if (cost == 0) {
			return 0;
		}
		boolean shorter = limit.periodMicros() < this.period;
		return firstWait(counted.period, (wait) -> {
			Windows own = shorter ? dealt(counted, limit.periodMicros(), now, now + wait) : counted;
			return Math.min(counted.used(now + wait), own.used(now + wait)) + cost <= limit.max();
		});
	}

	/**
	 * Return the admitted units, or, if the last admission is in a future window, the
	 * count at that time as if admitted now.
	 */
	private Map<Long, Long> counted(long now) {
		if (this.newest / this.period <= now / this.period) {
			return this.admitted;
		}
		return Map.of(now / this.period, new Windows(this.period, this.admitted).used(this.newest));
	}

	/**
	 * Distribute the units of two windows to those of another period, by the latest
	 * moment at which they can have been admitted. Units of the current window stay there
	 * if it becomes longer. A window holds as many units as one with debts.
	 */
	private Windows dealt(Windows counted, long period, long now) {
		return dealt(counted, period, now, now);
	}

	private Windows dealt(Windows counted, long period, long now, long time) {
		long window = time / counted.period;
		boolean longer = period > counted.period;
		long currentAt = longer ? now : Math.min(this.newest, now);
		long previousAt = longer ? window * counted.period - 1 : Math.min(currentAt, window * counted.period - 1);
		Map<Long, Long> dealt = new HashMap<>();
		dealt.merge(currentAt / period, counted.in(window), Long::sum);
		dealt.merge(previousAt / period, counted.in(window - 1), (one, other) -> Math.min(1L << 30, one + other));
		return new Windows(period, dealt);
	}

	/**
	 * Distribute the units so that no more than some number of them counts now.
	 */
	private Windows converted(Windows counted, long period, long most, long now) {
		if (period == counted.period) {
			return counted;
		}
		Windows dealt = dealt(counted, period, now);
		long window = now / period;
		long current = Math.min(dealt.in(window), most);
		BigInteger previous = BigInteger.valueOf(most - current)
			.multiply(BigInteger.valueOf(period))
			.divide(BigInteger.valueOf(period - now % period));
		return new Windows(period, Map.of(window, current, window - 1,
				previous.min(BigInteger.valueOf(dealt.in(window - 1))).longValueExact()));
	}

	/**
	 * Return the first wait for which a condition becomes and stays true.
	 */
	private static long firstWait(long period, LongPredicate over) {
		long low = 0;
		long high = 2 * period;
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

	/**
	 * Units by the number of the window.
	 */
	private record Windows(long period, Map<Long, Long> units) {

		long in(long window) {
			return this.units.getOrDefault(window, 0L);
		}

		/**
		 * Return the units that count at a time, rounded up.
		 */
		long used(long time) {
			long window = time / this.period;
			BigInteger weight = BigInteger.valueOf(in(window - 1))
				.multiply(BigInteger.valueOf(this.period - time % this.period));
			return in(window) + weight.add(BigInteger.valueOf(this.period - 1))
				.divide(BigInteger.valueOf(this.period))
				.longValueExact();
		}

		Windows with(long time, long cost) {
			Map<Long, Long> all = new HashMap<>(this.units);
			all.merge(time / this.period, cost, Long::sum);
			return new Windows(this.period, all);
		}

	}

}
