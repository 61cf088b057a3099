package io.github.ratelimit.adaptive;

import java.lang.management.ManagementFactory;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

import com.sun.management.OperatingSystemMXBean;

import io.github.ratelimit.InvalidAttributeException;

/**
 * Signal {@code cpu}: the recent load of the processors, in the container if there is
 * one, else on the whole machine.
 */
final class CpuSignal implements LoadSignal {

	private final DoubleSupplier cpuLoad;

	private CpuSignal(DoubleSupplier cpuLoad) {
		this.cpuLoad = cpuLoad;
	}

	/**
	 * Create the signal.
	 * @throws InvalidAttributeException if this JVM does not provide the load
	 */
	static CpuSignal ofThisMachine() {
		return of(() -> ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class)::getCpuLoad);
	}

	static CpuSignal of(Supplier<DoubleSupplier> cpuLoad) {
		try {
			return new CpuSignal(cpuLoad.get());
		}
		catch (LinkageError | RuntimeException ex) {
			throw new InvalidAttributeException("adaptive.signal", "\"cpu\"",
					"this JVM does not report its CPU load, since the module jdk.management is missing.",
					"Add the module to the JVM, or write the name of a LoadSignal bean.");
		}
	}

	/** Return the load, {@link Double#NaN} if the JVM reports a negative, unknown one. */
	@Override
	public double value() {
		double load = this.cpuLoad.getAsDouble();
		return (load >= 0) ? load : Double.NaN;
	}

}
