package io.github.ratelimit.engine;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.ratelimit.store.Demand;

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

	private volatile boolean answersAgain;

	private volatile Demand concerned;

	/**
	 * Create a new circuit, closed at first.
	 * @param concerned what was asked of this part
	 */
	Circuit(Demand concerned) {
		this.concerned = concerned;
	}

	boolean isOpen() {
		return this.open.get();
	}

	/**
	 * Whether the part is not even asked by anybody but probes.
	 */
	boolean isSilent() {
		return isOpen() && !this.answersAgain;
	}

	/**
	 * A probe was answered.
	 */
	void answersAgain() {
		this.answersAgain = true;
	}

	/**
	 * A call was refused. The slots of a cluster move, so the next probe is for what
	 * concerns this part by now.
	 */
	void refused(Demand demand) {
		this.concerned = demand;
	}

	/**
	 * What was asked last of this part.
	 */
	Demand concerned() {
		return this.concerned;
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
