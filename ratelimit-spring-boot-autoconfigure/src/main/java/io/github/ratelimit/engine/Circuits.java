package io.github.ratelimit.engine;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.Demand;

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

	/**
	 * Whether a call is refused.
	 * @param part the part of the store that it asks
	 */
	boolean refuse(Object part, Demand demand) {
		Circuit circuit = this.circuits.get(part);
		if (circuit == null || !circuit.isOpen()) {
			return false;
		}
		circuit.refused(demand);
		return true;
	}

	/**
	 * Whether a part is asked by nobody but probes.
	 */
	boolean isSilent(Object part) {
		Circuit circuit = this.circuits.get(part);
		return circuit != null && circuit.isSilent();
	}

	/**
	 * What a part is probed with.
	 * @return what was asked of it last; {@code null} if its circuit is closed
	 */
	@Nullable Demand concerned(Object part) {
		Circuit circuit = this.circuits.get(part);
		return (circuit != null) ? circuit.concerned() : null;
	}

	/**
	 * A probe of a part was answered.
	 */
	void answersAgain(Object part) {
		Circuit circuit = this.circuits.get(part);
		if (circuit != null) {
			circuit.answersAgain();
		}
	}

	/**
	 * A part answered: its failures were not in a row.
	 */
	void answered(Object part) {
		this.circuits.computeIfPresent(part, (same, circuit) -> circuit.isOpen() ? circuit : null);
	}

	/**
	 * A part could not answer a call.
	 * @return whether this opened its circuit
	 */
	boolean failed(Object part, Demand demand) {
		AtomicBoolean opened = new AtomicBoolean();
		this.circuits.compute(part, (same, known) -> {
			Circuit circuit = (known != null) ? known : new Circuit(demand);
			opened.set(circuit.failed());
			return circuit;
		});
		return opened.get();
	}

	/**
	 * Open the circuit of a part.
	 * @return whether it was closed
	 */
	boolean open(Object part, Demand demand) {
		return this.circuits.computeIfAbsent(part, (unknown) -> new Circuit(demand)).open();
	}

	void close(Object part) {
		this.circuits.remove(part);
	}

}
