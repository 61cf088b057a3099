package io.github.ratelimit.benchmarks.session;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.DoubleStream;

import io.github.ratelimit.benchmarks.measure.Table;
import io.github.ratelimit.redis.process.RedisProcess;

/**
 * Rate of {@code INCR} by {@code redis-benchmark}, which must be on the {@code PATH}: the
 * speed of the machine without any JVM.
 */
final class IncrRate {

	private static final String ROW = "\"INCR\",\"";

	// single runs differ by a third within a minute, even if nothing else runs
	private static final int RUNS = 5;

	private IncrRate() {
	}

	/**
	 * Measure the rate per second, the median of runs that take half a minute together.
	 */
	static double measure() {
		try (RedisProcess redis = RedisProcess.start()) {
			return Table.median(DoubleStream.generate(() -> measure(redis)).limit(RUNS));
		}
	}

	private static double measure(RedisProcess redis) {
		try {
			Process benchmark = new ProcessBuilder("redis-benchmark", "-h", redis.host(), "-p",
					String.valueOf(redis.port()), "-t", "incr", "-n", "400000", "--csv")
				.redirectErrorStream(true)
				.start();
			return parse(new String(benchmark.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot run redis-benchmark. Install it: apt-get install redis-tools", ex);
		}
	}

	/**
	 * Return the rate in the output of {@code redis-benchmark --csv}.
	 */
	static double parse(String output) {
		return output.lines()
			.filter((line) -> line.startsWith(ROW))
			.map((line) -> line.substring(ROW.length(), line.indexOf('"', ROW.length())))
			.mapToDouble(Double::parseDouble)
			.findFirst()
			.orElseThrow(() -> new IllegalStateException("redis-benchmark printed: " + output));
	}

}
