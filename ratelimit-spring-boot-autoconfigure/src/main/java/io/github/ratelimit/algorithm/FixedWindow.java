package io.github.ratelimit.algorithm;

import io.github.ratelimit.Align;
import io.github.ratelimit.Limit;

/**
 * Units admitted in one window, and a {@code time} that identifies the window. Windows
 * are one period long. If they begin by the clock, at multiples of the period,
 * {@code time} is that of the last admission. Otherwise a window begins with its first
 * admission, at {@code time}.
 *
 * <p>
 * If the period becomes shorter, {@code time} determines the new window of the units,
 * which may end later than the old one. If it becomes longer, the units count in the new
 * window of now, unless the old window is over, and {@code time} becomes now.
 *
 * <p>
 * If the clock is set back to the window before by less than a period, the count stays:
 * the end of that window would otherwise grant it again. The window then {@code begins}
 * at the time the clock was set to, and ends one period later.
 */
final class FixedWindow extends SingleWindow {

	private long storedTime;

	private long storedPeriod = 1;

	private long time;

	private boolean begins;

	private boolean firstRequest;

	/**
	 * The count of an older window has expired. A window in the future has none.
	 */
	@Override
	void advance(Limit limit) {
		this.time = this.storedTime;
		this.firstRequest = limit.align() == Align.FIRST_REQUEST;
		this.begins = this.storedBegins || this.firstRequest;
		long endBefore = end(this.storedPeriod);
		boolean longer = this.storedCount > 0 && limit.periodMicros() > this.storedPeriod;
		this.count = (this.at < (longer ? endBefore : end(limit.periodMicros()))) ? this.storedCount : 0;
		this.countsLonger = this.count > 0 && (longer || end(limit.periodMicros()) > endBefore);
		this.movedBack = this.count > 0 && this.time > this.at;
		if (this.count == 0) {
			this.begins = this.firstRequest;
		}
		else if (this.movedBack) {
			this.begins = this.firstRequest
					|| this.at < beginning(limit.periodMicros()) && this.time - this.at < limit.periodMicros();
		}
		if (this.count == 0 || this.movedBack || longer && !this.begins) {
			this.time = this.at;
		}
	}

	@Override
	void countUpTo(Limit limit, long units) {
		this.count = units;
		this.time = this.begins ? this.time : this.at;
		write(limit);
	}

	@Override
	long refund(Limit limit, long cost, long from, long to) {
		long beginning = beginning(limit.periodMicros());
		if (to >= beginning && !mayWait(from, to)) {
			this.count -= Math.min(cost, this.count);
		}
		long end = Math.max(this.now, beginning);
		if (from > this.now && !this.begins) {
			this.time = end;
		}
		write(limit);
		return end;
	}

	/**
	 * If windows begin with their first admission, a call that had taken nothing begins
	 * one, unless another call has done so since. No state contains when a window before
	 * that ended.
	 */
	@Override
	boolean owe(Limit limit, long units, long slot, long capacity, boolean first) {
		boolean begins = this.firstRequest && this.count == 0;
		boolean isOver = (begins || this.firstRequest && first) ? slot + limit.periodMicros() <= this.at
				: slot < beginning(limit.periodMicros());
		if (isOver) {
			return false;
		}
		this.time = begins ? slot : this.time;
		this.count = owed(this.count, units, MOST_OWED);
		write(limit);
		return true;
	}

	@Override
	void follow(Limit limit) {
		if (this.storedPeriod != limit.periodMicros()) {
			write(limit);
		}
	}

	@Override
	long end(Limit limit) {
		return end(limit.periodMicros());
	}

	private long beginning(long period) {
		return this.begins ? this.time : this.time - this.time % period;
	}

	private long end(long period) {
		return beginning(period) + period;
	}

	@Override
	void write(Limit limit) {
		this.storedPeriod = limit.periodMicros();
		this.storedTime = this.time;
		this.storedCount = this.count;
		this.storedBegins = this.begins && !this.firstRequest;
	}

}
