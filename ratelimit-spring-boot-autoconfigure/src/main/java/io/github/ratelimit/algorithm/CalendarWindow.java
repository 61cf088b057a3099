package io.github.ratelimit.algorithm;

import java.util.Objects;

import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitCalendar;

/**
 * Units admitted in one window of a calendar: the {@code start} and the {@code end} of
 * the window, and the {@code time} of the last admission.
 *
 * <p>
 * If the calendar changes, the units count in the window of the new calendar that holds
 * {@code time}, unless the old window is over. So a month that becomes a day keeps the
 * units until the end of the day of the last admission.
 *
 * <p>
 * If the clock is set back to before the window, by less than its length, the count
 * stays: the end of the window before would otherwise grant it again. The window then
 * {@code begins} at the time the clock was set to, and is as long as before.
 */
final class CalendarWindow extends SingleWindow {

	private long storedTime;

	private long storedStart;

	private long storedEnd;

	private long time;

	private long start;

	private long end;

	private boolean begins;

	@Override
	void advance(Limit limit) {
		LimitCalendar.Window window = Objects.requireNonNull(limit.calendar()).windowAt(this.at);
		this.count = (this.at < this.storedEnd) ? this.storedCount : 0;
		this.start = this.storedStart;
		this.end = this.storedEnd;
		this.begins = this.storedBegins;
		this.movedBack = this.count > 0 && this.storedTime > this.at;
		this.countsLonger = false;
		boolean isBefore = this.count > 0 && this.at < this.start;
		if (isBefore && this.storedTime - this.at < this.end - this.start) {
			this.end = this.at + this.end - this.start;
			this.start = this.at;
			this.begins = true;
		}
		else if (isBefore || this.count == 0 || !this.begins) {
			this.count = (isBefore || this.storedTime >= window.start()) ? this.count : 0;
			this.countsLonger = !isBefore && this.count > 0 && window.end() > this.end;
			this.start = window.start();
			this.end = window.end();
			this.begins = false;
		}
		this.time = this.at;
	}

	@Override
	long end(Limit limit) {
		return this.end;
	}

	@Override
	void countUpTo(Limit limit, long units) {
		this.count = units;
		write(limit);
	}

	@Override
	long refund(Limit limit, long cost, long from, long to) {
		if (to >= this.start && !mayWait(from, to)) {
			this.count -= Math.min(cost, this.count);
		}
		this.time = (from > this.now) ? Math.max(this.now, this.start) : this.at;
		write(limit);
		return this.time;
	}

	@Override
	boolean owe(Limit limit, long units, long slot, long capacity, boolean first) {
		if (slot < this.start) {
			return false;
		}
		this.count = owed(this.count, units, MOST_OWED);
		write(limit);
		return true;
	}

	@Override
	void follow(Limit limit) {
		write(limit);
	}

	@Override
	void write(Limit limit) {
		this.storedTime = this.time;
		this.storedCount = this.count;
		this.storedStart = this.start;
		this.storedEnd = this.end;
		this.storedBegins = this.begins;
	}

}
