package io.github.ratelimit.algorithm;

import java.util.Arrays;

import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.store.tck.AlgorithmUnderTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class CountTests {

	@Test
	void everyAlgorithmIsUnderTest() {
		assertThat(Arrays.stream(AlgorithmUnderTest.values()).map(AlgorithmUnderTest::algorithm).distinct())
			.containsExactlyInAnyOrderElementsOf(
					Arrays.stream(Algorithm.values()).filter(CountTests::countsByItself).toList());
	}

	/**
	 * Slots are counted by call, and have tests of their own.
	 */
	private static boolean countsByItself(Algorithm algorithm) {
		return algorithm != Algorithm.DEFAULT && algorithm != Algorithm.CONCURRENCY;
	}

	@Test
	void defaultHasToBeResolvedBeforeCounting() {
		assertThatIllegalArgumentException().isThrownBy(() -> CountType.of(Algorithm.DEFAULT))
			.withMessage("DEFAULT has to be resolved before counting");
	}

}
