package io.github.ratelimit.algorithm;

import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;

import io.github.ratelimit.Limit;
import io.github.ratelimit.store.LimitOutcome;

/**
 * Remembers what was admitted in every window and weighs it as an exact fraction: units
 * times the period. Solves nothing: since what counts only becomes less with time, a wait
 * is found by bisection. Not sure of its answers once the period changed, because other
 * windows cut the calls otherwise.
 */
final class WeightedWindowOracle implements Oracle {

	private Map<Long, BigInteger> admitted = new HashMap<>();

	private long newest;

	private long period;

	private boolean sure = true;

	@Override
	public Optional<LimitOutcome> acquire(Limit limit, long cost, long now, boolean ignored) {
		if (this.period == 0) {
			this.period = limit.periodMicros();
		}
		this.sure &= limit.periodMicros() == this.period;
		if (!this.sure) {
			return Optional.empty();
		}
		Map<Long, BigInteger> counted = counted(limit, now);
		BigInteger max = units(limit.max());
		long retryAfter = (cost == 0) ? 0 : (cost > limit.max()) ? LimitState.NEVER
				: firstWait((wait) -> used(counted, now + wait).add(units(cost)).compareTo(max) <= 0);
		if (cost > 0 && this.newest > now) {
			this.admitted = counted;
			this.newest = now;
		}
		if (cost > 0 && retryAfter == 0) {
			counted.merge(now / this.period, BigInteger.valueOf(cost), BigInteger::add);
			this.newest = now;
		}
		BigInteger left = max.subtract(used(counted, now)).max(BigInteger.ZERO);
		return Optional.of(new LimitOutcome(left.divide(BigInteger.valueOf(this.period)).longValueExact(), retryAfter,
				firstWait((wait) -> used(counted, now + wait).signum() == 0)));
	}

	/**
	 * What was admitted, or, if the last admission is in a window yet to come, what
	 * counted then, as if it was admitted now.
	 */
	private Map<Long, BigInteger> counted(Limit limit, long now) {
		if (this.newest / this.period <= now / this.period) {
			return this.admitted;
		}
		BigInteger micros = BigInteger.valueOf(this.period);
		BigInteger consumed = used(this.admitted, this.newest).add(micros).subtract(BigInteger.ONE).divide(micros);
		Map<Long, BigInteger> moved = new HashMap<>();
		moved.put(now / this.period, consumed.min(BigInteger.valueOf(limit.max())));
		return moved;
	}

	private BigInteger used(Map<Long, BigInteger> counted, long time) {
		long window = time / this.period;
		BigInteger current = counted.getOrDefault(window, BigInteger.ZERO);
		BigInteger previous = counted.getOrDefault(window - 1, BigInteger.ZERO);
		return current.multiply(BigInteger.valueOf(this.period))
			.add(previous.multiply(BigInteger.valueOf(this.period - time % this.period)));
	}

	private BigInteger units(long units) {
		return BigInteger.valueOf(units).multiply(BigInteger.valueOf(this.period));
	}

	/**
	 * The first wait for which something is true that then stays true.
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
