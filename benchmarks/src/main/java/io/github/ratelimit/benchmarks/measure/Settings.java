package io.github.ratelimit.benchmarks.measure;

import java.time.Duration;
import java.util.regex.Pattern;

/**
 * Settings from environment variables: how long a cell of a table is measured
 * ({@code LANE_SECONDS}), how often ({@code LANE_ROUNDS}), and which contenders, by a
 * regular expression found in their names ({@value #ONLY}).
 *
 * @param cell the time to measure one contender in one round
 * @param rounds the number of rounds
 * @param only the pattern of the names of contenders
 */
public record Settings(Duration cell, int rounds, Pattern only) {

	/**
	 * Environment variable that selects contenders.
	 */
	public static final String ONLY = "LANE_ONLY";

	/**
	 * Read the settings.
	 * @param seconds the default time to measure a cell
	 * @param rounds the default number of rounds
	 */
	public static Settings read(double seconds, int rounds) {
		double chosen = Double.parseDouble(System.getenv().getOrDefault("LANE_SECONDS", String.valueOf(seconds)));
		return new Settings(Duration.ofMillis((long) (chosen * 1000)),
				Integer.parseInt(System.getenv().getOrDefault("LANE_ROUNDS", String.valueOf(rounds))),
				Pattern.compile(System.getenv().getOrDefault(ONLY, "")));
	}

	/**
	 * Return whether a lane is selected: {@code LANES} is a regular expression found in
	 * the names of those that are.
	 */
	public static boolean selects(Class<?> lane) {
		return Pattern.compile(System.getenv().getOrDefault("LANES", "")).matcher(lane.getSimpleName()).find();
	}

	/**
	 * Return whether a contender is selected.
	 */
	public boolean includes(String name) {
		return this.only.matcher(name).find();
	}

	@Override
	public String toString() {
		return "%d rounds of %s s".formatted(this.rounds, this.cell.toMillis() / 1e3);
	}

}
