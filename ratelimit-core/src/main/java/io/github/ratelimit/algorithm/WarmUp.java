package io.github.ratelimit.algorithm;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import io.github.ratelimit.Limit;
import io.github.ratelimit.arithmetic.Rate;
import org.jspecify.annotations.Nullable;

/**
 * Last admitted call, its {@code cost}, and how cold the limit was before it:
 * {@code stored}, in parts of {@link #FULL}. Calls leave evenly and pay afterwards: each
 * is charged a time in which no other call passes.
 *
 * <p>
 * This is the bucket of Guava's SmoothWarmingUp and Sentinel's WarmUpController, as of
 * the last call. A bucket full of tokens is cold, and a unit is charged
 * {@code coldFactor} times {@code period / max}. The charge falls evenly to
 * {@code period / max} at the warning line, and no further. Calls take as many tokens as
 * they cost, which warms the limit up in {@code warmUpPeriod}: the tokens above the
 * warning line are {@code 2 * warmUpPeriod / (coldFactor + 1)} at the full rate, those
 * below it {@code warmUpPeriod / (coldFactor - 1)}. Tokens are refilled at the full rate:
 * up to the warning line always, above it while demand stays under
 * {@code max / coldFactor}: from {@code coldFactor * period / max} after the last call
 * until the next one.
 *
 * <p>
 * {@code stored} is a part of all tokens, so it keeps its meaning when the limit changes.
 * There are many more parts than tokens, so all tokens are worth about the same.
 *
 * <p>
 * Tokens are taken and refilled by the limit that the last call was counted by. A call by
 * another one waits for the shorter of its own charge and the {@code storedCharge} of
 * that limit.
 */
final class WarmUp extends Count {

	private static final long FULL = 1L << 44;

	private long last;

	private long lastCost;

	private long stored = FULL;

	private long storedCharge;

	/** The limit that the last call was counted by. */
	private @Nullable Limit countedBy;

	@Override
	void advance(Limit limit) {
		this.corrected = this.last > this.at;
	}

	@Override
	long retryAfter(Limit limit, long cost) {
		return owed(limit);
	}

	@Override
	void convert(Limit limit) {
		Limit by = this.countedBy;
		if (by != null) {
			this.stored = storedNow(by);
		}
		this.countedBy = limit;
	}

	@Override
	void take(Limit limit, long cost) {
		this.last = this.at;
		this.lastCost = cost;
		this.storedCharge = charge(limit);
	}

	/** Only the last call is known. The coldness before it does not change. */
	@Override
	long refund(Limit limit, long cost, long from, long to) {
		Limit by = this.countedBy;
		if (by != null && from <= this.last && to >= this.last) {
			this.lastCost = Math.max(0, this.lastCost - cost);
			this.storedCharge = Math.min(this.storedCharge, charge(by));
		}
		return this.last;
	}

	@Override
	void correct() {
		this.last = this.at;
	}

	/** Until the last call is paid, no units remain, regardless of the capacity. */
	@Override
	long used(Limit limit) {
		return (owed(limit) > 0) ? Limit.MAX_UNITS : 0;
	}

	/** Units are intervals between calls here. Only the last call's still counts. */
	@Override
	long counted(Limit limit) {
		return (owed(limit) > 0) ? 1 : 0;
	}

	@Override
	long resetAfter() {
		Limit by = this.countedBy;
		if (by == null) {
			return 0;
		}
		long missing = FULL - left(by);
		long micros = share(missing, FULL, by.coolDownMicros());
		if (share(micros, by.coolDownMicros(), FULL) < missing) {
			micros++;
		}
		return Math.max(0, base(by) * by.coldFactor() + micros - elapsed());
	}

	@Override
	void clear() {
		this.last = 0;
		this.lastCost = 0;
		this.stored = FULL;
		this.storedCharge = 0;
		this.countedBy = null;
	}

	private long owed(Limit limit) {
		return Math.max(0, Math.min(this.storedCharge, charge(limit)) - elapsed());
	}

	/** Return the time in which no call passes after the last one. */
	private long charge(Limit limit) {
		long above = Math.max(0, this.stored - warning(limit));
		return base(limit) + share(above, FULL - warning(limit), base(limit) * (limit.coldFactor() - 1));
	}

	private long base(Limit limit) {
		return limit.rate().microsFor(Math.min(this.lastCost, limit.max()));
	}

	/** Return the tokens left, and those refilled by now. */
	private long storedNow(Limit limit) {
		long elapsed = elapsed();
		long slow = Math.max(0, elapsed - base(limit) * limit.coldFactor());
		long warm = Math.min(warning(limit), left(limit) + share(elapsed, limit.coolDownMicros(), FULL));
		return Math.max(warm, Math.min(FULL, left(limit) + share(slow, limit.coolDownMicros(), FULL)));
	}

	/** Return the tokens that the last call left. */
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

	/** Return {@code of * part / whole}, rounded down, and at most {@code of}. */
	private static long share(long part, long whole, long of) {
		return (part >= whole) ? of : Rate.floorOfProduct(part, of, whole);
	}

	@Override
	void write(StateOutput to) {
		to.number(this.last);
		to.number(this.lastCost);
		to.number(this.stored);
		to.number(this.storedCharge);
		Limit by = this.countedBy;
		to.flag(by != null);
		if (by != null) {
			to.number(by.max());
			to.number(by.periodMicros());
			to.number(by.warmUpPeriod().toNanos() / 1000);
			to.number(by.coldFactor());
		}
	}

	@Override
	void read(StateInput from, Limit limit) {
		this.last = from.time();
		this.lastCost = from.units();
		this.stored = from.number(0, FULL);
		this.storedCharge = from.number(0, Limit.MAX_COLD_FACTOR * StateInput.LONGEST);
		if (from.flag()) {
			this.countedBy = limit.toBuilder()
				.max(from.number())
				.period(Duration.of(from.number(), ChronoUnit.MICROS))
				.warmUpPeriod(Duration.of(from.number(), ChronoUnit.MICROS))
				.coldFactor((int) from.number())
				.build();
		}
	}

}
