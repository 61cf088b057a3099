package io.github.ratelimit.adaptive;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.Supplier;

import io.github.ratelimit.Adaptive;
import io.github.ratelimit.Adaptive.Point;
import io.github.ratelimit.InvalidAttributeException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class LoadSignalRegistryTests {

	private static final Path NOWHERE = Path.of("no-such-directory");

	private final Memory memory = new Memory(() -> 300, 1000, new ContainerMemory(NOWHERE, NOWHERE));

	@Test
	void cpuIsAFraction() {
		assertThat(read(signals(Map.of()), adaptive("cpu", 0.6, 0.9))).isBetween(0.0, 1.0);
	}

	@Test
	void memoryIsAFractionOrASize() {
		LoadSignalRegistry signals = signals(Map.of());
		assertThat(read(signals, adaptive("memory", 0.6, 0.9))).isEqualTo(0.3);
		assertThat(read(signals, adaptive("memory", 100, 400))).isEqualTo(300);
		assertThat(read(signals, adaptive("memory", 0, 1))).isEqualTo(0.3);
		assertThat(read(signals, adaptive("memory", 0, 400))).isEqualTo(300);
	}

	@Test
	void memoryIsNotBoth() {
		assertThatExceptionOfType(InvalidAttributeException.class)
			.isThrownBy(() -> signals(Map.of()).find(adaptive("memory", 0.6, 400)))
			.withMessage("adaptive.low.at = 0.6 is invalid: it is a fraction, but adaptive.high.at is a size. "
					+ "Write two fractions or two sizes.");
	}

	@Test
	void limitsThatFollowTheSameSignalShareIt() {
		LoadSignalRegistry signals = signals(Map.of());
		assertThat(signals.find(adaptive("memory", 0.6, 0.9))).isSameAs(signals.find(adaptive("memory", 0.5, 0.7)))
			.isNotSameAs(signals.find(adaptive("memory", 100, 400)));
	}

	@Test
	void ownSignalGoesBeforeTheBuiltInOne() {
		LoadSignalRegistry signals = signals(Map.of("memory", () -> () -> 7, "cpu", () -> () -> 8));
		assertThat(read(signals, adaptive("memory", 0.6, 400))).isEqualTo(7);
		assertThat(read(signals, adaptive("cpu", 0.6, 0.9))).isEqualTo(8);
	}

	@Test
	void unknownSignalListsTheKnownOnes() {
		LoadSignalRegistry signals = signals(Map.of("queue", () -> () -> 7, "cpu", () -> () -> 8));
		assertThatExceptionOfType(InvalidAttributeException.class)
			.isThrownBy(() -> signals.find(adaptive("disk", 0.6, 0.9)))
			.withMessage("adaptive.signal = \"disk\" is invalid: there is no such signal. Known: memory, cpu, queue. "
					+ "Write one of these, or declare a bean of type LoadSignal with that name.");
	}

	private LoadSignalRegistry signals(Map<String, Supplier<LoadSignal>> own) {
		return new LoadSignalRegistry(own, () -> this.memory);
	}

	private static double read(LoadSignalRegistry signals, Adaptive adaptive) {
		Load load = signals.find(adaptive);
		load.read();
		return load.value();
	}

	private static Adaptive adaptive(String signal, double low, double high) {
		return new Adaptive(signal, new Point(low, 10), new Point(high, 1));
	}

}
