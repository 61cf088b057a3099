package io.github.ratelimit.benchmarks.outage;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Latencies of calls, in steps of a tenth of a millisecond.
 */
final class Latencies {

	private static final long STEP = TimeUnit.MICROSECONDS.toNanos(100);

	private final AtomicLongArray counts = new AtomicLongArray(100_000);

	private final AtomicLong longest = new AtomicLong();

	void add(long nanoseconds) {
		this.counts.incrementAndGet((int) Math.min(this.counts.length() - 1, nanoseconds / STEP));
		this.longest.accumulateAndGet(nanoseconds, Math::max);
	}

	long calls() {
		return slowerThan(Duration.ZERO);
	}

	long slowerThan(Duration duration) {
		long sum = 0;
		for (int i = (int) (duration.toNanos() / STEP); i < this.counts.length(); i++) {
			sum += this.counts.get(i);
		}
		return sum;
	}

	Duration percentile(double part) {
		long rest = (long) Math.ceil(calls() * part);
		for (int i = 0; i < this.counts.length(); i++) {
			rest -= this.counts.get(i);
			if (rest <= 0) {
				return Duration.ofNanos((i + 1) * STEP);
			}
		}
		return longest();
	}

	Duration longest() {
		return Duration.ofNanos(this.longest.get());
	}

}
