package io.github.ratelimit.benchmarks.measure;

import java.time.Duration;
import java.util.regex.Pattern;

/**
 * What can be chosen from outside, by environment variables: how long a cell of a table
 * is measured ({@code LANE_SECONDS}), how often ({@code LANE_ROUNDS}), and which
 * contenders, by a regular expression that finds their names ({@code LANE_ONLY}).
 *
 * @param cell how long one contender is measured at a time
 * @param rounds how often each is
 * @param only whose names are looked at
 */
public record Settings(Duration cell, int rounds, Pattern only) {

	/**
	 * Read them.
	 * @param seconds how long a cell is measured if nothing is chosen
	 * @param rounds how often, if nothing is chosen
	 */
	public static Settings read(double seconds, int rounds) {
		double chosen = Double.parseDouble(System.getenv().getOrDefault("LANE_SECONDS", String.valueOf(seconds)));
		return new Settings(Duration.ofMillis((long) (chosen * 1000)),
				Integer.parseInt(System.getenv().getOrDefault("LANE_ROUNDS", String.valueOf(rounds))),
				Pattern.compile(System.getenv().getOrDefault("LANE_ONLY", "")));
	}

	/**
	 * Whether a contender is wanted.
	 */
	public boolean includes(String name) {
		return this.only.matcher(name).find();
	}

}
