package io.github.ratelimit.picture;

import java.util.List;

/**
 * What one algorithm admitted of some calls.
 */
record Trace(String name, List<Call> calls) {

	private static final double PERIOD = 60;

	long admitted() {
		return this.calls.stream().filter(Call::admitted).count();
	}

	/**
	 * How many calls went on within a period, wherever it begins.
	 */
	long mostInAPeriod() {
		List<Double> times = this.calls.stream().filter(Call::admitted).map((call) -> call.at + call.delay).toList();
		return times.stream()
			.mapToLong((from) -> times.stream().filter((time) -> time >= from && time < from + PERIOD).count())
			.max()
			.orElse(0);
	}

	/**
	 * A call, in seconds, and how long it waited.
	 */
	record Call(double at, boolean admitted, double delay) {

	}

}
