package io.github.ratelimit.engine;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.ratelimit.store.Demand;

/**
 * Circuit breaker of one failure domain of the store. It opens after a few failures in a
 * row, and the domain is not called any more until a probe is answered: a store that
 * hangs costs a few callers its timeout, and no more.
 */
final class Circuit {

	/**
	 * Number of failures in a row that opens a circuit: more than bad luck, and few
	 * enough that hardly any caller waits for a store that hangs. A rate of failures
	 * would need a window and a minimum of calls, and a store that answers one call in
	 * five is worth calling.
	 */
	static final int FAILURES = 5;

	private final AtomicInteger failures = new AtomicInteger();

	/**
	 * Failures of calls that the store has made by itself. Their answers do not show that
	 * it can count.
	 */
	private final AtomicInteger ownFailures = new AtomicInteger();

	private final AtomicBoolean open = new AtomicBoolean();

	private volatile Demand concerned;

	/**
	 * Create a new circuit, closed at first.
	 * @param concerned the demand of the call that failed
	 */
	Circuit(Demand concerned) {
		this.concerned = concerned;
	}

	boolean isOpen() {
		return this.open.get();
	}

	/**
	 * Note a refused call. The slots of a cluster move, so the next probe uses the latest
	 * demand for this domain.
	 */
	void refused(Demand demand) {
		this.concerned = demand;
	}

	/**
	 * Return the latest demand for this domain.
	 */
	Demand concerned() {
		return this.concerned;
	}

	/**
	 * Note a call that the store could not answer.
	 * @return whether this opened the circuit
	 */
	boolean failed() {
		this.failures.incrementAndGet();
		return isDue() && open();
	}

	/**
	 * Note a call that the store has made by itself and that failed.
	 * @return whether this opened the circuit
	 */
	boolean failedItself() {
		this.ownFailures.incrementAndGet();
		return isDue() && open();
	}

	/**
	 * Note a call that the store has made by itself and that was answered.
	 */
	void answeredItself() {
		this.ownFailures.set(0);
	}

	private boolean isDue() {
		return this.failures.get() + this.ownFailures.get() >= FAILURES;
	}

	/**
	 * Open the circuit.
	 * @return whether it was closed
	 */
	boolean open() {
		return this.open.compareAndSet(false, true);
	}

}
