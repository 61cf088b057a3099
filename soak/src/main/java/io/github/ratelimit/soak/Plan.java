package io.github.ratelimit.soak;

import java.time.Duration;
import java.util.Map;
import java.util.Random;

/**
 * Size of a run.
 *
 * @param seed the seed of the faults and of the choices of callers
 * @param duration the time for which faults happen
 * @param timeout the timeout of calls to the store
 * @param patience the time that an answer may take beyond the timeout
 * @param warmUp the age of the JVM until which an answer may take longer
 * @param threads the number of calling threads of each instance
 * @param pause the pause of each thread between two calls
 */
record Plan(long seed, Duration duration, Duration timeout, Duration patience, Duration warmUp, int threads,
		Duration pause) {

	/**
	 * Read the plan of a long run on a machine of its own.
	 * @param variables {@code SOAK_DURATION}, {@code SOAK_SEED}, {@code SOAK_PATIENCE},
	 * {@code SOAK_WARM_UP} and {@code SOAK_PAUSE}
	 */
	static Plan of(Map<String, String> variables) {
		String seed = variables.getOrDefault("SOAK_SEED", Integer.toString(new Random().nextInt(1_000_000)));
		return new Plan(Long.parseLong(seed), Duration.parse(variables.getOrDefault("SOAK_DURATION", "PT10M")),
				Duration.ofMillis(100), Duration.parse(variables.getOrDefault("SOAK_PATIENCE", "PT0.05S")),
				Duration.parse(variables.getOrDefault("SOAK_WARM_UP", "PT0S")), 10,
				Duration.parse(variables.getOrDefault("SOAK_PAUSE", "PT0.005S")));
	}

	/**
	 * Return the plan of one of several runs.
	 */
	Plan part(int runs) {
		return new Plan(this.seed, this.duration.dividedBy(runs), this.timeout, this.patience, this.warmUp,
				this.threads, this.pause);
	}

}
