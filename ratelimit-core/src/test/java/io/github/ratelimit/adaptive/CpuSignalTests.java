package io.github.ratelimit.adaptive;

import io.github.ratelimit.InvalidAttributeException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class CpuSignalTests {

	@Test
	void itIsAFraction() {
		double load = CpuSignal.ofThisMachine().value();
		assertThat(Double.isNaN(load) || (load >= 0 && load <= 1)).isTrue();
	}

	@Test
	void negativeLoadIsNotKnown() {
		assertThat(CpuSignal.of(() -> () -> -1).value()).isNaN();
		assertThat(CpuSignal.of(() -> () -> Double.NaN).value()).isNaN();
		assertThat(CpuSignal.of(() -> () -> 0.4).value()).isEqualTo(0.4);
	}

	@Test
	void jvmWithoutCpuLoadIsRefused() {
		assertThatExceptionOfType(InvalidAttributeException.class).isThrownBy(() -> CpuSignal.of(() -> {
			throw new NoClassDefFoundError("com/sun/management/OperatingSystemMXBean");
		}))
			.withMessage(
					"adaptive.signal = \"cpu\" is invalid: this JVM does not report its CPU load, since the module "
							+ "jdk.management is missing. Add the module to the JVM, or write the name of a LoadSignal bean.");
	}

}
