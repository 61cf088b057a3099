package io.github.ratelimit.engine;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A {@link Circuit} for each part of the store that failed lately. While nothing fails,
 * there is none to look at.
 */
final class Circuits {

	private final Map<Object, Circuit> circuits = new ConcurrentHashMap<>();

	/**
	 * Whether no part has failed lately.
	 */
	boolean areFine() {
		return this.circuits.isEmpty();
	}

	boolean isOpen(Object part) {
		Circuit circuit = this.circuits.get(part);
		return circuit != null && circuit.isOpen();
	}

	/**
	 * A part answered: its failures were not in a row.
	 */
	void answered(Object part) {
		this.circuits.computeIfPresent(part, (same, circuit) -> circuit.isOpen() ? circuit : null);
	}

	/**
	 * A part could not answer.
	 * @return whether this opened its circuit
	 */
	boolean failed(Object part) {
		AtomicBoolean opened = new AtomicBoolean();
		this.circuits.compute(part, (same, known) -> {
			Circuit circuit = (known != null) ? known : new Circuit();
			opened.set(circuit.failed());
			return circuit;
		});
		return opened.get();
	}

	/**
	 * Open the circuit of a part.
	 * @return whether it was closed
	 */
	boolean open(Object part) {
		return this.circuits.computeIfAbsent(part, (unknown) -> new Circuit()).open();
	}

	void close(Object part) {
		this.circuits.remove(part);
	}

}
