package io.github.ratelimit.benchmarks.measure;

import java.time.Duration;

/**
 * Callers who ask, wait for the answer and ask again.
 */
public interface Load {

	/**
	 * Ask a contender for some time.
	 */
	Measurement run(Contender contender, Keys keys, Duration duration);

	/**
	 * Threads that block.
	 */
	static Load threads(int count) {
		return new Threads(count, Thread::new);
	}

	/**
	 * Virtual threads that block, or look as if they did.
	 * @throws IllegalStateException if this JDK has none
	 */
	static Load virtualThreads(int count) {
		return new Threads(count, Pinning.virtualThreads());
	}

	/**
	 * Calls in flight that occupy no thread.
	 */
	static Load inFlight(int count) {
		return new InFlight(count);
	}

}
