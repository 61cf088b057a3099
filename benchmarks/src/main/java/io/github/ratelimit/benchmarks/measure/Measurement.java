package io.github.ratelimit.benchmarks.measure;

import java.time.Duration;

import org.HdrHistogram.Histogram;

/**
 * Results of one contender in one round.
 *
 * @param calls the number of calls decided
 * @param allowed the number of calls allowed
 * @param failed the number of calls without a decision, because of an exception
 * @param took the total time
 * @param latencies the latencies of calls in nanoseconds
 * @param serverCpu the processor time of the server during the round
 */
public record Measurement(long calls, long allowed, long failed, Duration took, Histogram latencies,
		Duration serverCpu) {

	/**
	 * Return these results with the processor time of the server.
	 */
	Measurement withServerMicros(long micros) {
		return new Measurement(this.calls, this.allowed, this.failed, this.took, this.latencies,
				Duration.ofNanos(micros * 1000));
	}

	/**
	 * Return the decisions per second.
	 */
	public double rate() {
		return this.calls * 1e9 / this.took.toNanos();
	}

	/**
	 * Return a percentile of latencies in microseconds.
	 */
	public double micros(double percentile) {
		return this.latencies.getValueAtPercentile(percentile) / 1e3;
	}

	/**
	 * Return the processor time of the server per decision in microseconds.
	 */
	public double serverMicros() {
		return this.serverCpu.toNanos() / 1e3 / this.calls;
	}

}
