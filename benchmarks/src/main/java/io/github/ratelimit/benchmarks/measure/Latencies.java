package io.github.ratelimit.benchmarks.measure;

import java.util.concurrent.TimeUnit;

import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Histograms of nanoseconds, exact to one percent, up to a minute.
 */
final class Latencies {

	private static final long LONGEST = TimeUnit.MINUTES.toNanos(1);

	private static final int DIGITS = 2;

	private Latencies() {
	}

	static Histogram histogram() {
		return new Histogram(LONGEST, DIGITS);
	}

	static Histogram shared() {
		return new ConcurrentHistogram(LONGEST, DIGITS);
	}

	static long recordable(long nanoseconds) {
		return Math.min(LONGEST, nanoseconds);
	}

}
