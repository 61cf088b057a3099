package io.github.ratelimit.document;

import java.io.IOException;
import java.util.List;
import java.util.Locale;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Figures of {@code docs/capacity.md} are computed from the tables of the benchmarks.
 * With {@code -Dratelimit.test.draw=true} they are written instead of compared.
 */
class CapacityTests {

	private static final String OURS = "**this library**";

	private static final double MILLION = 1e6;

	/**
	 * Part of a core that a server may use.
	 */
	private static final double USED = 0.6;

	private final PageSection cost = measured("lane.RedisCost");

	private final PageSection bounds = measured("lane.Bounds");

	private final PageSection growth = measured("lane.Growth");

	private final PageSection candidates = measured("lane.Candidates");

	@Test
	void bytesPerKey() throws IOException {
		StringBuilder table = new StringBuilder("""
				| algorithm | bytes per key, 1 call | 100 calls | µs per decision |
				| --- | ---: | ---: | ---: |
				""");
		for (String algorithm : List.of("token-bucket", "leaky-bucket", "fixed-window", "weighted-window",
				"sliding-window", "sliding-log")) {
			table.append(String.format(Locale.ROOT, "| `%s` | %,d | %,d | %s |%n", algorithm,
					bytes(algorithm, "bytes, 1 call"), bytes(algorithm, "bytes, 100 calls"),
					this.growth.cell("Redis, µs; max", algorithm, "1,000")));
		}
		assertWritten("bytes", table.toString());
	}

	@Test
	void decisionsPerSecond() throws IOException {
		assertWritten("decisions",
				"""
						| calls arrive | Redis µs per decision | decisions/s of one server | servers for a million/s |
						| --- | ---: | ---: | ---: |
						""" + decisions("one by one: few at a time in each instance, or in a cluster", oneByOne())
						+ decisions("in batches, for many keys", inBatches())
						+ decisions("in batches, for one hot key per server", micros("lane.RedisHotKey", OURS))
						+ decisions("from callers who keep trying, 99 of 100 denied by the deny cache",
								micros("lane.RedisAttack", OURS))
						+ String.format(Locale.ROOT,
								"""

										- These are figures of a busy server. One that has little to do wakes up for each call, which takes it %s µs.
										- A candidate is a further key. It makes a decision %.1f times as expensive, in batches %.1f times; a further limit
										  of the rule does about the same.
										""",
								this.cost.cell("", OURS, "Redis µs, 1 thread"), candidate("Redis µs, 1 thread"),
								candidate("64 threads")));
	}

	@Test
	void example() throws IOException {
		long bucket = bytes("token-bucket", "bytes, 1 call");
		long log = bytes("sliding-log", "bytes, 100 calls");
		double local = parse(this.bounds.cell("what", "1,000,000 keys, local", "memory").replace(" bytes per key", ""));
		assertWritten("example",
				String.format(Locale.ROOT,
						"""
								- **Memory:** 1,000,000 keys × %d bytes = %,d MB with a `token-bucket`; × %d bytes = %,d MB with a `sliding-log` of 100 calls.
								- **Time:** 10,000 calls per second × %s µs = %.2f of a core, of which a server offers %.1f.
								- **In each instance**, the fallback takes %.0f bytes per key: at most %.0f MB with the default `ratelimit.local.max-keys`.
								""",
						bucket, bucket, log, log, inBatches(), 10_000 * inBatches() / MILLION, USED, local,
						100_000 * local / MILLION));
	}

	@Test
	void instances() throws IOException {
		StringBuilder table = new StringBuilder("""
				| instances | calls/s | cores of Redis | servers |
				| ---: | ---: | ---: | ---: |
				""");
		for (int instances : List.of(1, 10, 100)) {
			double cores = 1_000 * instances * oneByOne() / MILLION;
			table.append(String.format(Locale.ROOT, "| %d | %,d | %.2f | %.0f |%n", instances, 1_000 * instances, cores,
					Math.ceil(cores / USED)));
		}
		assertWritten("instances", table.toString());
	}

	private static String decisions(String name, double micros) {
		return String.format(Locale.ROOT, "| %s | %s | %,d | %.0f |%n", name, micros, rounded(USED * MILLION / micros),
				Math.ceil(micros / USED));
	}

	/**
	 * Return a number with three digits that count.
	 */
	private static long rounded(double number) {
		double unit = Math.pow(10, Math.max(0, Math.floor(Math.log10(number)) - 2));
		return Math.round(Math.round(number / unit) * unit);
	}

	private static double oneByOne() throws IOException {
		return micros("lane.RedisManyKeys", "this library without batching");
	}

	private static double inBatches() throws IOException {
		return micros("lane.RedisManyKeys", OURS);
	}

	private static double micros(String lane, String row) throws IOException {
		return parse(measured(lane).cell("", row, "Redis µs/decision"));
	}

	/**
	 * Return the bytes of a key, and of its share of the tables of a Redis that has a
	 * million keys.
	 */
	private long bytes(String algorithm, String calls) throws IOException {
		String all = this.bounds.cell("what", "1,000,000 keys, Redis", "memory").replace(" bytes of Redis per key", "");
		double shared = parse(all) - parse(this.cost.cell("", OURS, "bytes, 1 call"));
		String row = algorithm.equals("token-bucket") ? OURS : "this library, `%s`".formatted(algorithm);
		return Math.round(parse(this.cost.cell("", row, calls)) + shared);
	}

	private double candidate(String column) throws IOException {
		return parse(this.candidates.cell("", "1 candidate", column))
				/ parse(this.candidates.cell("", "no candidate", column));
	}

	private static double parse(String number) {
		return Double.parseDouble(number.replace(",", ""));
	}

	private static PageSection measured(String name) {
		return new PageSection("contributing/benchmarks.md", name);
	}

	private static void assertWritten(String name, String content) throws IOException {
		PageSection section = new PageSection("capacity.md", name);
		if (Boolean.getBoolean("ratelimit.test.draw")) {
			section.write(content);
		}
		assertThat(section.read()).as("figures of the benchmarks: write them with -Dratelimit.test.draw=true")
			.isEqualTo(content.strip());
	}

}
