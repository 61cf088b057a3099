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
 * the new window of now, and one whose windows begin with their first admission makes the
 * window begin at {@code time}.
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

	/** The count of an older window has expired. A window in the future has none. */
	@Override
	void advance(Limit limit) {
		this.time = this.storedTime;
		this.period = this.storedPeriod;
		this.firstRequest = limit.align() == Align.FIRST_REQUEST;
		this.begins = this.storedBegins;
		this.count = (this.storedCount > 0 && this.at < end()) ? this.storedCount : 0;
		if (this.storedCount > 0 && this.count == 0) {
			this.knownSince = Math.max(this.knownSince, end());
		}
		this.corrected = this.count > 0 && this.time > this.at;
		if (this.count == 0) {
			begin(limit);
			knowSince(beginning(this.period));
		}
		else if (this.corrected) {
			this.begins = this.firstRequest && this.begins
					|| this.at < beginning(this.period) && this.time - this.at < this.period;
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
			this.knownSince = this.at;
		}
		else if (!this.begins && !this.firstRequest && limit.periodMicros() > this.period) {
			this.time = this.at;
		}
		this.begins |= this.firstRequest;
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
		if (to >= this.knownSince && !mayWait(from, to)) {
			this.count -= Math.min(cost, this.count);
		}
		long end = Math.max(this.now, Math.max(this.knownSince, beginning(this.period)));
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
	boolean owe(long units, long countedAt, boolean first) {
		if (first ? isOver(countedAt) : countedAt < this.knownSince) {
			return false;
		}
		if (this.firstRequest && this.count == 0) {
			this.time = countedAt;
			this.knownSince = countedAt;
		}
		this.count = owed(this.count, units, MOST_OWED);
		write();
		return true;
	}

	private boolean isOver(long countedAt) {
		return this.firstRequest ? countedAt + this.period <= this.at : countedAt < beginning(this.period);
	}

	@Override
	long end() {
		return end(this.period);
	}

	@Override
	long end(Limit limit) {
		long period = limit.periodMicros();
		if (period >= this.period) {
			return end();
		}
		return Math.min(end(), this.firstRequest ? this.time + period : end(period));
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

	@Override
	void write(StateOutput to) {
		to.number(this.storedTime);
		to.number(this.storedPeriod);
		to.number(this.storedCount);
		to.flag(this.storedBegins);
	}

	@Override
	void read(StateInput from, Limit limit) {
		this.storedTime = from.time();
		this.storedPeriod = from.period();
		this.storedCount = from.units();
		this.storedBegins = from.flag();
	}

}
