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
final class CalendarWindow extends Count {

	private long storedTime;

	private long storedCount;

	private long storedStart;

	private long storedEnd;

	private boolean storedBegins;

	private long time;

	private long count;

	private long start;

	private long end;

	private boolean begins;

	private boolean movedBack;

	private boolean countsLonger;

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
	long retryAfter(Limit limit, long cost) {
		if (cost > limit.max()) {
			return NEVER;
		}
		return (this.count + cost <= limit.max()) ? 0 : this.end - this.at;
	}

	@Override
	void take(Limit limit, long cost) {
		this.count += cost;
		write();
	}

	/**
	 * A denied call fills the window up, but not beyond {@code max}, so a raised limit
	 * does not depend on the number of attempts. If the limit was lowered, the excess
	 * stays.
	 */
	@Override
	void takeDenied(Limit limit, long cost, long max) {
		this.count = Math.max(this.count, Math.min(max, this.count + cost));
		write();
	}

	@Override
	long refund(Limit limit, long cost, long from, long to) {
		if (to >= this.start && !mayWait(from, to)) {
			this.count -= Math.min(cost, this.count);
		}
		this.time = (from > this.now) ? Math.max(this.now, this.start) : this.at;
		write();
		return this.time;
	}

	@Override
	boolean owe(Limit limit, long units, long slot, long capacity, boolean first) {
		if (slot < this.start) {
			return false;
		}
		this.count = owed(this.count, units, MOST_OWED);
		write();
		return true;
	}

	@Override
	boolean correct(Limit limit) {
		boolean corrected = this.movedBack || this.countsLonger;
		if (corrected) {
			write();
			this.countsLonger = false;
		}
		return corrected;
	}

	@Override
	void follow(Limit limit) {
		write();
	}

	@Override
	long remaining(Limit limit) {
		return Math.max(0, limit.max() - this.count);
	}

	@Override
	long used(Limit limit) {
		return this.count;
	}

	@Override
	long resetAfter(Limit limit) {
		return (this.count > 0) ? this.end - this.at : 0;
	}

	private void write() {
		this.storedTime = this.time;
		this.storedCount = this.count;
		this.storedStart = this.start;
		this.storedEnd = this.end;
		this.storedBegins = this.begins;
	}

	@Override
	void clear() {
		this.storedCount = 0;
		this.storedBegins = false;
	}

}
