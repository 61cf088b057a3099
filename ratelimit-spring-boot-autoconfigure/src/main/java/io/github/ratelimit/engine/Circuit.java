package io.github.ratelimit.engine;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether one part of the store is asked at all. After a few failures in a row it is not,
 * until a probe tells that it answers again: so a store that hangs costs a few callers
 * its time-out, and no more.
 */
final class Circuit {

	/**
	 * More than bad luck, and few enough that hardly anybody waits for a store that
	 * hangs.
	 */
	static final int FAILURES = 5;

	private final AtomicInteger failures = new AtomicInteger();

	private final AtomicBoolean open = new AtomicBoolean();

	boolean isOpen() {
		return this.open.get();
	}

	/**
	 * The store could not answer.
	 * @return whether this opened the circuit
	 */
	boolean failed() {
		return this.failures.incrementAndGet() >= FAILURES && open();
	}

	/**
	 * Open the circuit.
	 * @return whether it was closed
	 */
	boolean open() {
		return this.open.compareAndSet(false, true);
	}

}
