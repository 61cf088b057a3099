package io.github.ratelimit.benchmarks.lane;

import io.github.ratelimit.benchmarks.measure.Keys;

/**
 * 64 threads call with 10,000 keys in PostgreSQL; all calls are allowed.
 */
public final class JdbcManyKeys {

	private JdbcManyKeys() {
	}

	/**
	 * Run the benchmark.
	 * @param arguments none
	 */
	public static void main(String[] arguments) {
		OverDatabaseLane.run("PostgreSQL, 64 threads, 10,000 keys, allowed", null, Keys.many(10_000), Keys.all(10_000));
	}

}
