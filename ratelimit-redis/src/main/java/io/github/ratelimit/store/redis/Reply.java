package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.arithmetic.Rate;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;

/**
 * Reply of a script to calls that it decides, read call by call, see {@code decide.lua}.
 * Equal calls in a row that were counted together have one answer, from which that of
 * each of them is computed.
 */
class Reply {

	/** Marker of calls in a row, in place of a number that is never negative. */
	private static final long ROW = -2;

	/** Bits of the time. */
	private static final long TIME = (1L << 56) - 1;

	final ByteBuffer rest;

	private final long time;

	private boolean isInRow;

	private int beginningOfRow;

	/** Calls of the row after the current one. */
	long later;

	Reply(byte[] reply) {
		this.rest = ByteBuffer.wrap(reply);
		this.time = this.rest.getLong() & TIME;
	}

	/**
	 * Create a new reply, of which no call has been read. One of a lean script begins
	 * with the number of its form.
	 */
	static Reply of(byte[] reply) {
		return (reply[0] != 0) ? new LeanReply(reply) : new Reply(reply);
	}

	long time() {
		return this.time;
	}

	/**
	 * Go on to the next call, and return its failure, {@code null} if it has outcomes.
	 */
	@Nullable ScriptFailure nextCall() {
		if (this.later > 0) {
			this.later--;
			this.rest.position(this.beginningOfRow);
			return null;
		}
		this.isInRow = this.rest.getLong(this.rest.position()) == ROW;
		if (this.isInRow) {
			this.rest.getLong();
			this.later = this.rest.getLong() - 1;
			this.beginningOfRow = this.rest.position();
			return null;
		}
		return ScriptFailure.next(this.rest);
	}

	/** Return the outcome of the next count of the call. */
	LimitOutcome nextOutcome(Demand demand) {
		return this.isInRow ? outcomeInRow()
				: new LimitOutcome(this.rest.getLong(), this.rest.getLong(), this.rest.getLong());
	}

	/**
	 * Return the outcome of an admitted call, from that of the last one of its row: the
	 * units of the later calls were left, and did not have to be refilled.
	 */
	private LimitOutcome outcomeInRow() {
		long units = this.later * this.rest.getLong();
		long remaining = this.rest.getLong() + units;
		long ahead = this.rest.getLong();
		long resetAfter = this.rest.getLong();
		Rate refill = new Rate(this.rest.getLong(), this.rest.getLong());
		long earlier = refill.microsFor(units, this.rest.getLong());
		return new LimitOutcome(remaining, 0, ahead + Math.max(0, resetAfter - earlier));
	}

}
