package io.github.ratelimit.picture;

import java.util.List;

/**
 * Decisions of one algorithm for a sequence of calls.
 */
record Trace(String name, List<Call> calls) {

	private static final double PERIOD = 60;

	long admitted() {
		return this.calls.stream().filter(Call::admitted).count();
	}

	/**
	 * Return the largest number of calls that proceeded within any period.
	 */
	long mostInAPeriod() {
		List<Double> times = this.calls.stream().filter(Call::admitted).map((call) -> call.at + call.delay).toList();
		return times.stream()
			.mapToLong((from) -> times.stream().filter((time) -> time >= from && time < from + PERIOD).count())
			.max()
			.orElse(0);
	}

	/**
	 * Call and its delay, in seconds.
	 */
	record Call(double at, boolean admitted, double delay) {

	}

}
