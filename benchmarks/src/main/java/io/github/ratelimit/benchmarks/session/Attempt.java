package io.github.ratelimit.benchmarks.session;

import java.lang.management.ManagementFactory;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * Report of a lane, and the conditions under which it was measured.
 */
record Attempt(String report, Conditions conditions) {

	/**
	 * Run a lane and observe the machine.
	 */
	static Attempt of(Supplier<String> lane) {
		DoubleSupplier load = ManagementFactory.getOperatingSystemMXBean()::getSystemLoadAverage;
		double loadBefore = load.getAsDouble();
		double incrBefore = IncrRate.measure();
		ProcessorTime before = ProcessorTime.now();
		String report = lane.get();
		double percentStolen = ProcessorTime.now().percentStolenSince(before);
		double loadAfter = load.getAsDouble();
		return new Attempt(report,
				new Conditions(loadBefore, loadAfter, percentStolen, incrBefore, IncrRate.measure()));
	}

	/**
	 * Return the text of the section.
	 */
	String describe() {
		return this.report + "\n\n" + this.conditions.describe();
	}

}
