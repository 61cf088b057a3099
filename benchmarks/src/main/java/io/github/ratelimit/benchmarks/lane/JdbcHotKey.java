package io.github.ratelimit.benchmarks.lane;

import io.github.ratelimit.benchmarks.measure.Keys;
import io.github.ratelimit.benchmarks.measure.Quota;

/**
 * 64 threads call with the same key in PostgreSQL; all calls are allowed. Then they call
 * with a key of few units, to check that exactly as many calls are admitted.
 */
public final class JdbcHotKey {

	private JdbcHotKey() {
	}

	/**
	 * Run the benchmark.
	 * @param arguments none
	 */
	public static void main(String[] arguments) {
		OverDatabaseLane.run("PostgreSQL, 64 threads, one hot key, allowed", Quota.FEW, Keys.hot(), Keys.all(1));
	}

}
