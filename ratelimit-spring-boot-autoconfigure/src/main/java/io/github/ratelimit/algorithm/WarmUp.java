package io.github.ratelimit.algorithm;

import io.github.ratelimit.Limit;
import io.github.ratelimit.arithmetic.Rate;

/**
 * The last admitted call, its {@code cost}, and how cold the limit was when it came:
 * {@code stored}, in parts of {@link #FULL}. Calls leave evenly and pay afterwards: each
 * is charged a time in which no other passes.
 *
 * <p>
 * This is the bucket of Guava's SmoothWarmingUp and Sentinel's WarmUpController, told as
 * of the last call. Full of tokens it is cold, and a unit is charged {@code coldFactor}
 * times {@code period / max}; from there the charge falls evenly to {@code period / max}
 * at the warning line, and no further. Calls take as many tokens as they cost, so that
 * they warm it up in {@code warmUpPeriod}: the tokens above the warning line are
 * {@code 2 * warmUpPeriod / (coldFactor + 1)} at the full rate, those below
 * {@code warmUpPeriod / (coldFactor - 1)}. Tokens come back at the full rate, always as
 * far as the warning line, above it only while demand stays under
 * {@code max / coldFactor}: from {@code coldFactor * period / max} after the last call
 * on, until the next one.
 *
 * <p>
 * Kept as a part of all tokens, {@code stored} keeps its meaning when the limit changes.
 * There are many more parts than tokens, so that each of these is worth about as many.
 *
 * <p>
 * {@code storedCharge} is the charge of the last call by the limit that it was counted
 * by. Once it is paid, a limit with a longer one does not ask for the difference.
 */
final class WarmUp extends Count {

	private static final long FULL = 1L << 44;

	private long last;

	private long lastCost;

	private long stored = FULL;

	private long storedCharge;

	@Override
	void tell(Limit limit) {
	}

	@Override
	long retryAfter(Limit limit, long cost) {
		return (cost > limit.max()) ? NEVER : owed(limit);
	}

	@Override
	void add(Limit limit, long cost) {
		this.stored = storedNow(limit);
		this.last = this.at;
		this.lastCost = cost;
		this.storedCharge = charge(limit);
	}

	/**
	 * Only the last call is known, and how it found the limit does not change.
	 */
	@Override
	long takeOut(Limit limit, long cost, long from, long to) {
		if (from <= this.last && to >= this.last) {
			this.lastCost = Math.max(0, this.lastCost - cost);
			this.storedCharge = Math.min(this.storedCharge, charge(limit));
		}
		return this.last;
	}

	@Override
	boolean correct(Limit limit) {
		boolean movedBack = this.last > this.at;
		this.last = Math.min(this.last, this.at);
		boolean longer = elapsed() < this.storedCharge && charge(limit) > this.storedCharge;
		this.storedCharge = longer ? charge(limit) : this.storedCharge;
		return movedBack || longer;
	}

	@Override
	long room(Limit limit) {
		return (owed(limit) > 0) ? 0 : limit.max();
	}

	/**
	 * Units are spacing here, and what was admitted lies in the past: the last one.
	 */
	@Override
	long counted(Limit limit, long left) {
		return (left == 0) ? 1 : 0;
	}

	@Override
	long untilUnused(Limit limit) {
		long missing = FULL - left(limit);
		long micros = share(missing, FULL, limit.coolDownMicros());
		if (share(micros, limit.coolDownMicros(), FULL) < missing) {
			micros++;
		}
		return Math.max(0, base(limit) * limit.coldFactor() + micros - elapsed());
	}

	@Override
	void clear() {
		this.last = 0;
		this.lastCost = 0;
		this.stored = FULL;
		this.storedCharge = 0;
	}

	private long owed(Limit limit) {
		return (elapsed() < this.storedCharge) ? Math.max(0, charge(limit) - elapsed()) : 0;
	}

	/**
	 * The time that the last call takes for itself.
	 */
	private long charge(Limit limit) {
		long above = Math.max(0, this.stored - warning(limit));
		return base(limit) + share(above, FULL - warning(limit), base(limit) * (limit.coldFactor() - 1));
	}

	private long base(Limit limit) {
		return limit.rate().microsFor(Math.min(this.lastCost, limit.max()));
	}

	/**
	 * What was left and came back by now.
	 */
	private long storedNow(Limit limit) {
		long elapsed = elapsed();
		long slow = Math.max(0, elapsed - base(limit) * limit.coldFactor());
		long warm = Math.min(warning(limit), left(limit) + share(elapsed, limit.coolDownMicros(), FULL));
		return Math.max(warm, Math.min(FULL, left(limit) + share(slow, limit.coolDownMicros(), FULL)));
	}

	/**
	 * What the last call left behind.
	 */
	private long left(Limit limit) {
		long tokens = limit.rate().unitsIn(limit.coolDownMicros());
		return this.stored - Math.min(this.stored, share(this.lastCost, tokens, FULL));
	}

	private static long warning(Limit limit) {
		return FULL * (limit.coldFactor() + 1) / (3 * limit.coldFactor() - 1);
	}

	private long elapsed() {
		return Math.max(0, this.at - this.last);
	}

	/**
	 * As much of something as a part is of a whole, rounded down, but never more than all
	 * of it.
	 */
	private static long share(long part, long whole, long of) {
		return (part >= whole) ? of : Rate.floorOfProduct(part, of, whole);
	}

}
