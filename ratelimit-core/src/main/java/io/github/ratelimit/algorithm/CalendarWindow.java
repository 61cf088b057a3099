package io.github.ratelimit.algorithm;

import java.time.Duration;
import java.util.Objects;

import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitCalendar;

/**
 * Units admitted in one window of a calendar: the {@code start} and the {@code end} of
 * the window, and the {@code time} of the last admission.
 *
 * <p>
 * For a call with another calendar, the units count if {@code time} is in its window, and
 * until the first of both windows ends. So a month that becomes a day keeps the units
 * until the end of the day of the last admission. The state contains its window, so the
 * calendar that it was counted by need not be known.
 *
 * <p>
 * If the clock is set back to before the window, by less than its length, the count
 * stays: the end of the window before would otherwise grant it again. The window then
 * {@code begins} at the time the clock was set to, and is as long as before.
 */
final class CalendarWindow extends SingleWindow {

	/**
	 * A leap year is an hour or two longer in which the clocks are set back for good, or
	 * for Ramadan.
	 */
	private static final long LONGEST = Duration.ofDays(368).toNanos() / 1000;

	private long storedTime;

	private long storedStart;

	private long storedEnd;

	private long time;

	private long start;

	private long end;

	private boolean begins;

	/** The window of the call's calendar. */
	private LimitCalendar.Window present = new LimitCalendar.Window(0, 0);

	@Override
	void advance(Limit limit) {
		this.present = Objects.requireNonNull(limit.calendar()).windowAt(this.at);
		this.count = (this.at < this.storedEnd) ? this.storedCount : 0;
		if (this.storedCount > 0 && this.count == 0) {
			this.knownSince = Math.max(this.knownSince, this.storedEnd);
		}
		this.time = this.storedTime;
		this.start = this.storedStart;
		this.end = this.storedEnd;
		this.begins = this.storedBegins;
		this.corrected = this.count > 0 && this.time > this.at;
		boolean isBefore = this.count > 0 && this.at < this.start;
		if (isBefore && this.time - this.at < this.end - this.start) {
			this.end = this.at + this.end - this.start;
			this.start = this.at;
			this.begins = true;
		}
		else if (isBefore || this.count == 0) {
			begin();
		}
		if (this.count == 0) {
			knowSince(this.start);
		}
		this.time = this.corrected ? this.at : this.time;
	}

	private void begin() {
		this.start = this.present.start();
		this.end = this.present.end();
		this.begins = false;
		this.time = (this.count > 0) ? this.time : this.at;
	}

	@Override
	void convert(Limit limit) {
		boolean counted = this.count > 0;
		this.count = used(limit);
		this.knownSince = (counted && this.count == 0) ? this.at : this.knownSince;
		if (this.count == 0 || !this.begins) {
			begin();
		}
	}

	@Override
	long end() {
		return this.end;
	}

	@Override
	long end(Limit limit) {
		if (this.begins) {
			return this.end;
		}
		return (this.time < this.present.start()) ? this.at : Math.min(this.end, this.present.end());
	}

	@Override
	void countUpTo(long units) {
		this.count = units;
		this.time = this.at;
		write();
	}

	@Override
	long refund(Limit limit, long cost, long from, long to) {
		if (to >= this.knownSince && !mayWait(from, to)) {
			this.count -= Math.min(cost, this.count);
		}
		long end = Math.max(this.now, Math.max(this.knownSince, this.start));
		this.time = (from > this.now) ? end : this.time;
		write();
		return end;
	}

	@Override
	boolean owe(long units, long countedAt, boolean first) {
		if (countedAt < (first ? this.start : this.knownSince)) {
			return false;
		}
		this.count = owed(this.count, units, MOST_OWED);
		write();
		return true;
	}

	@Override
	void write() {
		this.storedTime = this.time;
		this.storedCount = this.count;
		this.storedStart = this.start;
		this.storedEnd = this.end;
		this.storedBegins = this.begins;
	}

	@Override
	void write(StateOutput to) {
		to.number(this.storedTime);
		to.number(this.storedStart);
		to.number(this.storedEnd);
		to.number(this.storedCount);
		to.flag(this.storedBegins);
	}

	@Override
	void read(StateInput from, Limit limit) {
		this.storedTime = from.time();
		this.storedStart = from.time();
		this.storedEnd = from.number(this.storedStart + 1, this.storedStart + LONGEST);
		this.storedCount = from.units();
		this.storedBegins = from.flag();
	}

}
