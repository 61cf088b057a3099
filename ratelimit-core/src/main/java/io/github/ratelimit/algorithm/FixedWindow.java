package io.github.ratelimit.algorithm;

import io.github.ratelimit.Align;
import io.github.ratelimit.Limit;

/**
 * Units admitted in one window, and a {@code time} that identifies the window. Windows
 * are one period long. If they begin by the clock, at multiples of the period,
 * {@code time} is that of the last admission. Otherwise a window {@code begins} with its
 * first admission, at {@code time}.
 *
 * <p>
 * For a call with a shorter period, the window ends earlier if the shorter window that
 * {@code time} is in does. An admitted call whose period is longer counts the units in
 * the new window of now.
 *
 * <p>
 * If the clock is set back to the window before by less than a period, the count stays:
 * the end of that window would otherwise grant it again. The window then {@code begins}
 * at the time the clock was set to, and ends one period later.
 */
final class FixedWindow extends SingleWindow {

	private long storedTime;

	private long storedPeriod = 1;

	private long period;

	private long time;

	private boolean begins;

	private boolean firstRequest;

	/**
	 * The count of an older window has expired. A window in the future has none.
	 */
	@Override
	void advance(Limit limit) {
		this.time = this.storedTime;
		this.period = this.storedPeriod;
		this.firstRequest = limit.align() == Align.FIRST_REQUEST;
		this.begins = this.storedBegins || this.firstRequest;
		this.count = (this.storedCount > 0 && this.at < end()) ? this.storedCount : 0;
		this.movedBack = this.count > 0 && this.time > this.at;
		if (this.count == 0) {
			begin(limit);
		}
		else if (this.movedBack) {
			this.begins = this.firstRequest || this.at < beginning(this.period) && this.time - this.at < this.period;
			this.time = this.at;
		}
	}

	private void begin(Limit limit) {
		this.count = 0;
		this.begins = this.firstRequest;
		this.time = this.at;
		this.period = limit.periodMicros();
	}

	/**
	 * The units that still count do so in the new window of {@code time}, or of now if
	 * the window becomes longer.
	 */
	@Override
	void convert(Limit limit) {
		if (this.at >= end(limit)) {
			begin(limit);
		}
		else if (!this.begins && limit.periodMicros() > this.period) {
			this.time = this.at;
		}
		this.period = limit.periodMicros();
	}

	@Override
	void countUpTo(long units) {
		this.count = units;
		this.time = this.begins ? this.time : this.at;
		write();
	}

	@Override
	long refund(Limit limit, long cost, long from, long to) {
		long beginning = beginning(this.period);
		if (to >= beginning && !mayWait(from, to)) {
			this.count -= Math.min(cost, this.count);
		}
		long end = Math.max(this.now, beginning);
		if (from > this.now && !this.begins) {
			this.time = end;
		}
		write();
		return end;
	}

	/**
	 * If windows begin with their first admission, a call that had taken nothing begins
	 * one, unless another call has done so since. No state contains when a window before
	 * that ended.
	 */
	@Override
	boolean owe(long units, long slot, boolean first) {
		boolean begins = this.firstRequest && this.count == 0;
		boolean isOver = (begins || this.firstRequest && first) ? slot + this.period <= this.at
				: slot < beginning(this.period);
		if (isOver) {
			return false;
		}
		this.time = begins ? slot : this.time;
		this.count = owed(this.count, units, MOST_OWED);
		write();
		return true;
	}

	@Override
	long end() {
		return end(this.period);
	}

	@Override
	long end(Limit limit) {
		long period = limit.periodMicros();
		return (period < this.period) ? Math.min(end(), end(period)) : end();
	}

	/**
	 * The window that was counted may begin by the clock, although the windows of the
	 * call begin otherwise.
	 */
	@Override
	boolean isUnused() {
		long begun = this.storedBegins ? this.storedTime : this.storedTime - this.storedTime % this.storedPeriod;
		return this.storedCount == 0 || this.at >= begun + this.storedPeriod;
	}

	private long beginning(long period) {
		return this.begins ? this.time : this.time - this.time % period;
	}

	private long end(long period) {
		return beginning(period) + period;
	}

	@Override
	void write() {
		this.storedPeriod = this.period;
		this.storedTime = this.time;
		this.storedCount = this.count;
		this.storedBegins = this.begins;
	}

}
