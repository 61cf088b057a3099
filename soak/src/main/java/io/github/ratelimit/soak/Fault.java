package io.github.ratelimit.soak;

import java.util.random.RandomGenerator;

/**
 * Fault of servers.
 *
 * @param name what happens
 * @param losing whether counts may be lost
 * @param event lets it happen and end
 */
record Fault(String name, boolean losing, Event event) {

	/**
	 * Event that takes a while.
	 */
	@FunctionalInterface
	interface Event {

		void happen(RandomGenerator random) throws InterruptedException;

	}

}
