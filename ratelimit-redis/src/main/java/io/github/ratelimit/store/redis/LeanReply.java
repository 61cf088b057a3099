package io.github.ratelimit.store.redis;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Limit;
import io.github.ratelimit.arithmetic.Rate;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;

/**
 * Reply of a lean script, see {@code lean-bucket.lua} and {@code lean-log.lua}: the state
 * after each row of equal calls, from which the outcome of each of them is computed.
 */
final class LeanReply extends Reply {

	/**
	 * Marker of a row whose state the script does not know, in place of the number of
	 * admitted calls.
	 */
	private static final int UNKNOWN = 0xFFFF;

	/** Number of the form of {@code lean-log.lua}. */
	private static final byte LOG = 2;

	private final boolean isLog;

	/** Admitted calls of the row from the current one on. */
	private int admitted;

	private boolean isKnown;

	/** Units that are missing in a bucket, or left in a log. */
	private long units;

	/**
	 * Of a bucket, the part of a unit that has been refilled; of a log, when a denied
	 * call is admitted.
	 */
	private long parts;

	/** When a log equals an unused one. */
	private long resetAfter;

	LeanReply(byte[] reply) {
		super(reply);
		this.isLog = reply[0] == LOG;
	}

	@Override
	@Nullable ScriptFailure nextCall() {
		if (this.later > 0) {
			this.later--;
			this.admitted--;
		}
		else {
			this.later = Short.toUnsignedInt(this.rest.getShort()) - 1;
			this.admitted = Short.toUnsignedInt(this.rest.getShort());
			this.isKnown = this.admitted != UNKNOWN;
			this.units = Integer.toUnsignedLong(this.rest.getInt());
			this.parts = sixBytes();
			this.resetAfter = this.isLog ? sixBytes() : 0;
		}
		return this.isKnown ? null : ScriptFailure.NOT_LEAN;
	}

	private long sixBytes() {
		return ((long) Short.toUnsignedInt(this.rest.getShort()) << Integer.SIZE)
				+ Integer.toUnsignedLong(this.rest.getInt());
	}

	/**
	 * Return the outcome of the call: the units of the later ones of its row were left
	 * then. All denied ones have the same.
	 */
	@Override
	LimitOutcome nextOutcome(Demand demand) {
		long ofLater = Math.max(0, this.admitted - 1) * demand.cost();
		return this.isLog
				? new LimitOutcome(this.units + ofLater, (this.admitted > 0) ? 0 : this.parts, this.resetAfter)
				: bucket(demand.counts().get(0).limit(), demand.cost(), this.units - ofLater);
	}

	private LimitOutcome bucket(Limit limit, long cost, long used) {
		long missing = used + cost - limit.capacity();
		return new LimitOutcome(Math.max(0, limit.capacity() - used),
				(this.admitted > 0) ? 0 : microsFor(limit.rate(), missing),
				(used > 0) ? microsFor(limit.rate(), used) : 0);
	}

	/**
	 * Return the time in which units are refilled, less the part of a unit that has been
	 * refilled, rounded up.
	 */
	private long microsFor(Rate rate, long units) {
		long cycles = Rate.quotient(units, rate.units());
		long rest = units - cycles * rate.units();
		return cycles * rate.micros() - Rate.floor(this.parts - rest * rate.micros(), rate.units());
	}

}
