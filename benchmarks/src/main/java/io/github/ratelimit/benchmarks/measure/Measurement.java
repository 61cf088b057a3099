package io.github.ratelimit.benchmarks.measure;

import java.time.Duration;

import org.HdrHistogram.Histogram;

/**
 * What one contender did in one round.
 *
 * @param calls how many calls were decided
 * @param allowed how many of them were allowed
 * @param failed how many ended with an exception, which is no decision
 * @param took how long it took in all
 * @param latencies how long each call took, in nanoseconds
 * @param redisCpu how long Redis was busy meanwhile
 */
public record Measurement(long calls, long allowed, long failed, Duration took, Histogram latencies,
		Duration redisCpu) {

	/**
	 * The same, and how long Redis was busy.
	 */
	Measurement withRedisMicros(long micros) {
		return new Measurement(this.calls, this.allowed, this.failed, this.took, this.latencies,
				Duration.ofNanos(micros * 1000));
	}

	/**
	 * Decisions per second.
	 */
	public double rate() {
		return this.calls * 1e9 / this.took.toNanos();
	}

	/**
	 * A percentile of latencies, in microseconds.
	 */
	public double micros(double percentile) {
		return this.latencies.getValueAtPercentile(percentile) / 1e3;
	}

	/**
	 * How long Redis is busy per decision, in microseconds.
	 */
	public double redisMicros() {
		return this.redisCpu.toNanos() / 1e3 / this.calls;
	}

}
