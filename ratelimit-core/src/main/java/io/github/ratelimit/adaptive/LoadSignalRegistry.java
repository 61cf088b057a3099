package io.github.ratelimit.adaptive;

import java.math.BigDecimal;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.ratelimit.Adaptive;
import io.github.ratelimit.InvalidAttributeException;

/**
 * Load signals by name: those of the application, and {@code memory} and {@code cpu}
 * unless the application has its own.
 */
final class LoadSignalRegistry {

	private static final String MEMORY = "memory";

	private static final String CPU = "cpu";

	private final Map<String, Supplier<LoadSignal>> own;

	private final Supplier<Memory> memory;

	private final Map<String, Load> loads = new ConcurrentHashMap<>();

	LoadSignalRegistry(Map<String, Supplier<LoadSignal>> own, Supplier<Memory> memory) {
		this.own = own;
		this.memory = memory;
	}

	/**
	 * Return the load of a signal, one object for all limits that follow it.
	 * @throws InvalidAttributeException if the signal is unknown
	 */
	Load find(Adaptive adaptive) {
		String name = adaptive.signal();
		Supplier<LoadSignal> source = this.own.get(name);
		if (source != null) {
			return load(name, source);
		}
		return switch (name) {
			case MEMORY -> isInBytes(adaptive) ? load("memory in bytes", () -> this.memory.get()::bytes)
					: load(MEMORY, () -> this.memory.get()::fraction);
			case CPU -> {
				checkFraction("adaptive.low.at", adaptive.low().at());
				checkFraction("adaptive.high.at", adaptive.high().at());
				yield load(CPU, CpuSignal::ofThisMachine);
			}
			default -> throw unknown(name);
		};
	}

	private Load load(String name, Supplier<LoadSignal> source) {
		Load known = this.loads.get(name);
		if (known != null) {
			return known;
		}
		Load made = new Load(name, source.get());
		Load earlier = this.loads.putIfAbsent(name, made);
		return (earlier != null) ? earlier : made;
	}

	/** Return whether the loads are sizes: those above 1. Zero belongs to both scales. */
	private static boolean isInBytes(Adaptive adaptive) {
		double low = adaptive.low().at();
		double high = adaptive.high().at();
		if (high > 1 && low > 0 && low <= 1) {
			throw new InvalidAttributeException("adaptive.low.at", low,
					"it is a fraction, but adaptive.high.at is a size.", "Write two fractions or two sizes.");
		}
		return high > 1;
	}

	private static void checkFraction(String attribute, double load) {
		if (load < 0 || load > 1) {
			throw new InvalidAttributeException(attribute,
					BigDecimal.valueOf(load).stripTrailingZeros().toPlainString(),
					"the load of the cpu is a fraction between 0 and 1.",
					"Write a fraction, {at: 0.6, max: 1000} for example.");
		}
	}

	private InvalidAttributeException unknown(String name) {
		Set<String> known = new LinkedHashSet<>(List.of(MEMORY, CPU));
		this.own.keySet().stream().sorted().forEach(known::add);
		return new InvalidAttributeException("adaptive.signal", '"' + name + '"',
				"there is no such signal. Known: " + String.join(", ", known) + ".",
				"Write one of these, or declare a bean of type LoadSignal with that name.");
	}

}
