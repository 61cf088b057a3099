package io.github.ratelimit.fuzz;

import java.util.List;
import java.util.Random;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.ratelimit.store.tck.Seeds;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * All committed inputs, and random changes of them, have the properties of their targets.
 */
class FuzzTests {

	private static final int CHANGED = Seeds.steps(10_000);

	@ParameterizedTest
	@EnumSource
	void committedInputsHaveTheProperty(FuzzTarget target) {
		List<byte[]> inputs = Corpus.of(target);
		assertThat(inputs).isNotEmpty();
		inputs.forEach(target::verify);
	}

	@ParameterizedTest
	@EnumSource
	void changedInputsHaveTheProperty(FuzzTarget target) {
		Seeds.seeds().forEach((seed) -> {
			Mutations changed = new Mutations(Corpus.of(target), new Random(seed));
			for (int i = 0; i < CHANGED; i++) {
				target.verify(changed.next());
			}
		});
	}

}
