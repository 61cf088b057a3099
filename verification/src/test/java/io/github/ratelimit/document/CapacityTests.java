package io.github.ratelimit.document;

import java.io.IOException;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Figures of {@code docs/capacity.md} are computed from the tables of the benchmarks.
 * With {@code -Dratelimit.test.draw=true} they are written instead of compared.
 */
class CapacityTests {

	private static final String BUCKET = "**this library**";

	private static final int MILLION = 1_000_000;

	private final PageSection cost = measured("lane.RedisCost");

	private final PageSection bounds = measured("lane.Bounds");

	private final PageSection growth = measured("lane.Growth");

	private final PageSection candidates = measured("lane.Candidates");

	private final PageSection capacity = measured("capacity");

	@Test
	void bytesPerKey() throws IOException {
		StringBuilder table = new StringBuilder("""
				| algorithm | bytes per key, 1 call | 100 calls | µs per decision |
				| --- | ---: | ---: | ---: |
				""");
		for (String algorithm : List.of("token-bucket", "leaky-bucket", "fixed-window", "weighted-window",
				"sliding-window", "sliding-log")) {
			table.append("| `%s` | %s | %s | %s |%n".formatted(algorithm, number(bytes(algorithm, "bytes, 1 call")),
					number(bytes(algorithm, "bytes, 100 calls")),
					this.growth.cell("Redis, µs; max", algorithm, "1,000")));
		}
		assertWritten("bytes", table.toString());
	}

	@Test
	void decisionsPerSecond() throws IOException {
		assertWritten("decisions",
				"""
						| calls arrive | Redis µs per decision | decisions/s of one server |
						| --- | ---: | ---: |
						"""
						+ decisions("one by one: few at a time in each instance, or in a cluster",
								"one by one, as in a Cluster, whose scripts reach only one slot")
						+ decisions("in batches, for many keys",
								"many keys, in batches: independent servers, each with its share of the rules")
						+ decisions("in batches, for one hot key", "one hot key per server, in batches")
						+ decisions("from callers who keep trying, 99 of 100 denied by the deny cache",
								"99 of 100 denied by the deny cache")
						+ """

								- These are figures of a busy server. One that has little to do wakes up for each call, which takes it %s µs.
								- A candidate is a further key. It makes a decision %.1f times as expensive, in batches %.1f times; a further limit
								  of the rule does about the same.
								"""
							.formatted(this.cost.cell("", BUCKET, "Redis µs, 1 thread"),
									candidate("Redis µs, 1 thread"), candidate("64 threads")));
	}

	@Test
	void example() throws IOException {
		double micros = micros("many keys, in batches: independent servers, each with its share of the rules");
		long bucket = bytes("token-bucket", "bytes, 1 call");
		long log = bytes("sliding-log", "bytes, 100 calls");
		assertWritten("example",
				"""
						- **Memory:** 1,000,000 keys × %d bytes = %s MB with a `token-bucket`; × %d bytes = %s MB with a `sliding-log` of 100 calls.
						- **Time:** 10,000 calls per second × %s µs = %.2f of a core, of which a server offers 0.6.
						- **In each instance**, the fallback takes %s bytes per key: at most %.0f MB with the default `ratelimit.local.max-keys`.
						"""
					.formatted(bucket, number(bucket), log, number(log), number(micros), micros / 100,
							number(localBytes()), 100_000 * localBytes() / 1e6));
	}

	@Test
	void instances() throws IOException {
		String alone = "one by one, as in a Cluster, whose scripts reach only one slot";
		double server = parse(this.capacity.cell("how calls reach Redis", alone, "decisions/s of one server"));
		StringBuilder table = new StringBuilder("""
				| instances | calls/s | cores of Redis | servers |
				| ---: | ---: | ---: | ---: |
				""");
		for (int instances : List.of(1, 10, 100)) {
			int calls = 1_000 * instances;
			table.append("| %d | %s | %.2f | %.0f |%n".formatted(instances, number(calls),
					calls * micros(alone) / MILLION, Math.ceil(calls / server)));
		}
		assertWritten("instances", table.toString());
	}

	private String decisions(String name, String row) throws IOException {
		return "| %s | %s | %s |%n".formatted(name,
				this.capacity.cell("how calls reach Redis", row, "Redis µs per decision"),
				this.capacity.cell("how calls reach Redis", row, "decisions/s of one server"));
	}

	/**
	 * Return the bytes of a key, and of its share of the tables of a Redis that has a
	 * million keys.
	 */
	private long bytes(String algorithm, String calls) throws IOException {
		String all = this.bounds.cell("what", "1,000,000 keys, Redis", "memory").replace(" bytes of Redis per key", "");
		double shared = parse(all) - parse(this.cost.cell("", BUCKET, "bytes, 1 call"));
		String row = algorithm.equals("token-bucket") ? BUCKET : "this library, `%s`".formatted(algorithm);
		return Math.round(parse(this.cost.cell("", row, calls)) + shared);
	}

	private double localBytes() throws IOException {
		return parse(this.bounds.cell("what", "1,000,000 keys, local", "memory").replace(" bytes per key", ""));
	}

	private double micros(String row) throws IOException {
		return parse(this.capacity.cell("how calls reach Redis", row, "Redis µs per decision"));
	}

	private double candidate(String column) throws IOException {
		return parse(this.candidates.cell("", "1 candidate", column))
				/ parse(this.candidates.cell("", "no candidate", column));
	}

	private static double parse(String number) {
		return Double.parseDouble(number.replace(",", ""));
	}

	private static String number(double number) {
		return (number == Math.rint(number)) ? "%,.0f".formatted(number) : String.valueOf(number);
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
