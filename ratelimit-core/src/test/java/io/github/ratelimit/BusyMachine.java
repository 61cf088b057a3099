package io.github.ratelimit;

import java.time.Duration;
import java.util.function.Supplier;

import org.awaitility.core.ConditionFactory;

import io.github.ratelimit.store.StoreException;

import static org.awaitility.Awaitility.await;

/**
 * Waits and measurements on a machine where other programs may take the cores for a
 * while.
 */
public final class BusyMachine {

	/**
	 * Timeout of conditions that are true sooner or later.
	 */
	public static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final int ATTEMPTS = 10;

	private BusyMachine() {
	}

	/**
	 * Await something of a healthy store, which may miss a short timeout meanwhile.
	 */
	public static ConditionFactory awaitStore() {
		return await().atMost(PATIENCE).ignoreExceptionsInstanceOf(StoreException.class);
	}

	/**
	 * Return the shortest of several measured durations, since the longer ones may be
	 * waits for a core.
	 * @param enough the duration that needs no further attempt
	 * @param measurement measures one duration
	 */
	public static Duration shortest(Duration enough, Supplier<Duration> measurement) {
		Duration shortest = measurement.get();
		for (int attempt = 1; attempt < ATTEMPTS && shortest.compareTo(enough) > 0; attempt++) {
			Duration next = measurement.get();
			shortest = (next.compareTo(shortest) < 0) ? next : shortest;
		}
		return shortest;
	}

	/**
	 * Return the time that an action takes.
	 */
	public static Duration durationOf(Runnable action) {
		long start = System.nanoTime();
		action.run();
		return Duration.ofNanos(System.nanoTime() - start);
	}

}
