package io.github.ratelimit.engine;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

import io.github.ratelimit.store.Demand;
import org.jspecify.annotations.Nullable;

/**
 * Circuit breakers of the failure domains of the store that failed lately. One opens
 * after a few failures in a row, and its domain is not called any more until a probe is
 * answered: a store that hangs costs a few callers its timeout, and no more. While
 * nothing fails, there are none.
 */
final class CircuitRegistry {

	/**
	 * Number of failures in a row that opens a circuit: more than bad luck, and few
	 * enough that hardly any caller waits for a store that hangs. A rate of failures
	 * would need a window and a minimum of calls, and a store that answers one call in
	 * five is worth calling.
	 */
	static final int FAILURES = 5;

	/**
	 * Time after which fewer failures are forgotten: nobody calls a domain any more that
	 * another one has taken over from.
	 */
	private static final long MEMORY = TimeUnit.MINUTES.toNanos(1);

	private final Map<Object, Circuit> circuits = new ConcurrentHashMap<>();

	private final LongSupplier clock;

	CircuitRegistry(LongSupplier clock) {
		this.clock = clock;
	}

	boolean areFine() {
		return this.circuits.isEmpty();
	}

	/**
	 * Refuse a call if the circuit of its domain is open. Hash slots of a cluster move,
	 * so the next probe uses the latest demand for this domain.
	 */
	boolean refuse(Object domain, Demand demand) {
		Circuit circuit = this.circuits.get(domain);
		if (circuit == null || !circuit.open.get()) {
			return false;
		}
		circuit.concerned = demand;
		return true;
	}

	boolean isOpen(Object domain) {
		Circuit circuit = this.circuits.get(domain);
		return circuit != null && circuit.open.get();
	}

	/**
	 * Note that a domain answered: its failures were not in a row. Old ones of others are
	 * forgotten.
	 */
	void answered(Object domain) {
		long now = this.clock.getAsLong();
		this.circuits.forEach((each, circuit) -> {
			if (each.equals(domain) || now - circuit.failedAt >= MEMORY) {
				this.circuits.computeIfPresent(each, (same, latest) -> latest.open.get() ? latest : null);
			}
		});
	}

	/**
	 * Note a call that a domain could not answer.
	 * @return whether this opened its circuit
	 */
	boolean failed(Object domain, Demand demand) {
		return opened(domain, demand, (circuit) -> circuit.fails(circuit.failures));
	}

	/**
	 * Note a call that the store has made by itself and that failed.
	 * @return whether this opened the circuit of the domain
	 */
	boolean failedItself(Object domain, Demand demand) {
		return opened(domain, demand, (circuit) -> circuit.fails(circuit.ownFailures));
	}

	private boolean opened(Object domain, Demand demand, Predicate<Circuit> opens) {
		AtomicBoolean opened = new AtomicBoolean();
		this.circuits.compute(domain, (same, known) -> {
			Circuit circuit = (known != null) ? known : new Circuit(demand);
			circuit.failedAt = this.clock.getAsLong();
			opened.set(opens.test(circuit) && circuit.open.compareAndSet(false, true));
			return circuit;
		});
		return opened.get();
	}

	/** Note a call that the store has made by itself and that was answered. */
	void answeredItself(Object domain) {
		Circuit circuit = this.circuits.get(domain);
		if (circuit != null) {
			circuit.ownFailures.set(0);
		}
	}

	/**
	 * Open the circuit of a domain.
	 * @return whether it was closed
	 */
	boolean open(Object domain, Demand demand) {
		return opened(domain, demand, (circuit) -> true);
	}

	void close(Object domain) {
		this.circuits.remove(domain);
	}

	/**
	 * Probe the domains whose circuits are open, unless the last probe is under way.
	 * @param probe sends a probe of a domain, with the latest demand for it
	 * @return whether circuits are open after that
	 */
	boolean probe(BiFunction<Object, Demand, CompletableFuture<?>> probe) {
		this.circuits.forEach((domain, circuit) -> {
			CompletableFuture<?> last = circuit.probe;
			if (circuit.open.get() && (last == null || last.isDone())) {
				circuit.probe = probe.apply(domain, circuit.concerned);
			}
		});
		return this.circuits.values().stream().anyMatch((circuit) -> circuit.open.get());
	}

	/** Circuit of one domain, closed at first. */
	private static final class Circuit {

		private final AtomicInteger failures = new AtomicInteger();

		/**
		 * Failures of calls that the store has made by itself. Their answers do not show
		 * that it can count.
		 */
		private final AtomicInteger ownFailures = new AtomicInteger();

		private final AtomicBoolean open = new AtomicBoolean();

		private volatile long failedAt;

		private volatile Demand concerned;

		private volatile @Nullable CompletableFuture<?> probe;

		Circuit(Demand concerned) {
			this.concerned = concerned;
		}

		/** Count a failure, and return whether there were enough. */
		boolean fails(AtomicInteger counter) {
			counter.incrementAndGet();
			return this.failures.get() + this.ownFailures.get() >= FAILURES;
		}

	}

}
