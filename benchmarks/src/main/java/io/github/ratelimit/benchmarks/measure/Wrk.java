package io.github.ratelimit.benchmarks.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;

/**
 * Load generator <a href="https://github.com/wg/wrk">wrk</a>, which must be on the
 * {@code PATH}.
 */
public final class Wrk {

	/**
	 * Script that calls as one user after the other, and prints the results as numbers.
	 */
	private static final String SCRIPT = """
			local n = math.random(10000)
			request = function()
			  n = n + 1
			  return wrk.format(nil, "%s?userId=user-" .. (n %% 10000))
			end
			done = function(summary, latency)
			  local errors = summary.errors
			  io.write(string.format("report %%d %%d %%d %%d %%d\\n", summary.requests, summary.duration,
			    latency:percentile(50), latency:percentile(99),
			    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
			end
			""";

	private static final String REPORT = "report ";

	private Wrk() {
	}

	/**
	 * Run wrk against a local port.
	 * @param path the path that takes the parameter {@code userId}
	 * @param connections the number of requests at a time
	 */
	public static Report run(long port, String path, int connections, Duration duration) {
		try {
			Path script = Files.createTempFile("users", ".lua");
			try {
				return run(port, connections, Files.writeString(script, SCRIPT.formatted(path)), duration);
			}
			finally {
				Files.delete(script);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Report run(long port, int connections, Path script, Duration duration) {
		try {
			Process wrk = new ProcessBuilder("wrk", "-t1", "-c" + connections,
					"-d" + Math.max(1, duration.toSeconds()) + "s", "-s", script.toString(), "http://127.0.0.1:" + port)
				.redirectErrorStream(true)
				.start();
			String output = new String(wrk.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			return output.lines()
				.filter((line) -> line.startsWith(REPORT))
				.map((line) -> Report.of(line.substring(REPORT.length())))
				.findFirst()
				.orElseThrow(() -> new IllegalStateException("wrk printed: " + output));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot run wrk. Install it: apt-get install wrk", ex);
		}
	}

	/**
	 * Results of wrk.
	 *
	 * @param requests the number of requests
	 * @param rate requests per second
	 * @param p50 median latency in microseconds
	 * @param p99 99th percentile of latency in microseconds
	 * @param errors the requests without a successful response
	 */
	public record Report(long requests, double rate, double p50, double p99, long errors) {

		private static Report of(String numbers) {
			long[] all = Arrays.stream(numbers.split(" ")).mapToLong(Long::parseLong).toArray();
			return new Report(all[0], all[0] * 1e6 / all[1], all[2], all[3], all[4]);
		}

	}

}
