package io.github.ratelimit.algorithm;

import io.github.ratelimit.Align;
import io.github.ratelimit.Limit;

/**
 * The units admitted in one window, and a {@code time} that tells which. Windows are one
 * period long. Those by the clock begin at the multiples of the period, and {@code time}
 * is that of the last admission; others begin with their first admission, and
 * {@code time} is that of the first.
 *
 * <p>
 * By the clock, the time of the last admission says more than the beginning of its window
 * would: when the period became shorter, it tells in which of the new windows
 * {@code count} lies. When it became longer, {@code count} goes on in the new window of
 * now, unless the old window is over.
 *
 * <p>
 * When the clock was set back by less than a period to the window before, the count goes
 * on in the window that the clock has already seen: else the end of the window before
 * would grant it again. The window then {@code begins} at the time the clock was set to,
 * and ends one period later.
 */
final class FixedWindow extends Count {

	private long storedTime;

	private long storedCount;

	private boolean storedBegins;

	private long storedPeriod;

	private long time;

	private long count;

	private boolean begins;

	private boolean movedBack;

	private boolean longer;

	private boolean firstRequest;

	/**
	 * The count of an older window is over, and nothing is in a later one.
	 */
	@Override
	void tell(Limit limit) {
		this.time = this.storedTime;
		this.firstRequest = limit.align() == Align.FIRST_REQUEST;
		this.begins = this.storedBegins || this.firstRequest;
		this.longer = this.storedCount > 0 && limit.periodMicros() > this.storedPeriod;
		this.count = (this.at < end(this.longer ? this.storedPeriod : limit.periodMicros())) ? this.storedCount : 0;
		this.movedBack = this.count > 0 && this.time > this.at;
		if (this.count == 0) {
			this.begins = this.firstRequest;
		}
		else if (this.movedBack) {
			this.begins = this.firstRequest
					|| this.at < beginning(limit.periodMicros()) && this.time - this.at < limit.periodMicros();
		}
		if (this.count == 0 || this.movedBack || !this.begins) {
			this.time = this.at;
		}
	}

	@Override
	long retryAfter(Limit limit, long cost) {
		if (cost > limit.max()) {
			return NEVER;
		}
		return (this.count + cost <= limit.max()) ? 0 : end(limit.periodMicros()) - this.at;
	}

	@Override
	void add(Limit limit, long cost) {
		this.count += cost;
		store(limit);
	}

	/**
	 * A full window is no fuller after a denied call, so that nobody has to know how
	 * often it was tried if the limit is raised. More than fits stays, if it was lowered.
	 */
	@Override
	void addDenied(Limit limit, long cost) {
		this.count = Math.max(this.count, Math.min(limit.max(), this.count + cost));
		store(limit);
	}

	@Override
	long takeOut(Limit limit, long cost, long from, long to) {
		long beginning = beginning(limit.periodMicros());
		if (to >= beginning && !mayWait(from, to)) {
			this.count -= Math.min(cost, this.count);
		}
		long end = (from > this.now) ? Math.max(this.now, beginning) : this.at;
		this.time = this.begins ? this.time : end;
		store(limit);
		return end;
	}

	@Override
	boolean correct(Limit limit) {
		boolean corrected = this.movedBack || this.longer && this.count > 0;
		if (corrected) {
			store(limit);
			this.longer = false;
		}
		return corrected;
	}

	@Override
	void follow(Limit limit) {
		if (this.storedPeriod != limit.periodMicros()) {
			store(limit);
		}
	}

	@Override
	long room(Limit limit) {
		return Math.max(0, limit.max() - this.count);
	}

	@Override
	long untilUnused(Limit limit) {
		return (this.count > 0) ? end(limit.periodMicros()) - this.at : 0;
	}

	private long beginning(long period) {
		return this.begins ? this.time : this.time - this.time % period;
	}

	private long end(long period) {
		return beginning(period) + period;
	}

	private void store(Limit limit) {
		this.storedPeriod = limit.periodMicros();
		this.storedTime = this.time;
		this.storedCount = this.count;
		this.storedBegins = this.begins && !this.firstRequest;
	}

	@Override
	void clear() {
		this.storedCount = 0;
		this.storedBegins = false;
	}

}
