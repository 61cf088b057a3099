package io.github.ratelimit.engine;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.Demand;

/**
 * Circuits of the failure domains of the store that failed lately. While nothing fails,
 * there are none.
 */
final class CircuitRegistry {

	private final Map<Object, Circuit> circuits = new ConcurrentHashMap<>();

	/**
	 * Return whether no domain has failed lately.
	 */
	boolean areFine() {
		return this.circuits.isEmpty();
	}

	/**
	 * Refuse a call if the circuit of its domain is open.
	 * @param domain the failure domain that the call goes to
	 * @return whether it is refused
	 */
	boolean refuse(Object domain, Demand demand) {
		Circuit circuit = this.circuits.get(domain);
		if (circuit == null || !circuit.isOpen()) {
			return false;
		}
		circuit.refused(demand);
		return true;
	}

	/**
	 * Return whether the circuit of a domain is open.
	 */
	boolean isOpen(Object domain) {
		Circuit circuit = this.circuits.get(domain);
		return circuit != null && circuit.isOpen();
	}

	/**
	 * Return the demand that probes a domain.
	 * @return the latest demand for it; {@code null} if its circuit is closed
	 */
	@Nullable Demand concerned(Object domain) {
		Circuit circuit = this.circuits.get(domain);
		return (circuit != null) ? circuit.concerned() : null;
	}

	/**
	 * Note that a domain answered: its failures were not in a row.
	 */
	void answered(Object domain) {
		this.circuits.computeIfPresent(domain, (same, circuit) -> circuit.isOpen() ? circuit : null);
	}

	/**
	 * Note a call that a domain could not answer.
	 * @return whether this opened its circuit
	 */
	boolean failed(Object domain, Demand demand) {
		return opened(domain, demand, Circuit::failed);
	}

	/**
	 * Note a call that the store has made by itself and that failed.
	 * @param demand a demand for the domain
	 * @return whether this opened the circuit of the domain
	 */
	boolean failedItself(Object domain, Demand demand) {
		return opened(domain, demand, Circuit::failedItself);
	}

	private boolean opened(Object domain, Demand demand, Predicate<Circuit> failure) {
		AtomicBoolean opened = new AtomicBoolean();
		this.circuits.compute(domain, (same, known) -> {
			Circuit circuit = (known != null) ? known : new Circuit(demand);
			opened.set(failure.test(circuit));
			return circuit;
		});
		return opened.get();
	}

	/**
	 * Note a call that the store has made by itself and that was answered.
	 */
	void answeredItself(Object domain) {
		Circuit circuit = this.circuits.get(domain);
		if (circuit != null) {
			circuit.answeredItself();
		}
	}

	/**
	 * Open the circuit of a domain.
	 * @return whether it was closed
	 */
	boolean open(Object domain, Demand demand) {
		return this.circuits.computeIfAbsent(domain, (unknown) -> new Circuit(demand)).open();
	}

	void close(Object domain) {
		this.circuits.remove(domain);
	}

}
