package io.github.ratelimit.benchmarks.measure;

import java.time.Duration;

/**
 * Callers that call, wait for the decision and call again.
 */
public interface Load {

	/**
	 * Call a contender for some time.
	 */
	Measurement run(Contender contender, Keys keys, Duration duration);

	/**
	 * Return another number of such callers.
	 */
	Load callers(int count);

	/**
	 * Return callers that block threads.
	 */
	static Load threads(int count) {
		return new Threads(count, Thread::new);
	}

	/**
	 * Return callers that block virtual threads.
	 * @throws IllegalStateException if this JDK has none
	 */
	static Load virtualThreads(int count) {
		return new Threads(count, Pinning.virtualThreads());
	}

	/**
	 * Return calls in flight that occupy no thread.
	 */
	static Load inFlight(int count) {
		return new InFlight(count);
	}

}
