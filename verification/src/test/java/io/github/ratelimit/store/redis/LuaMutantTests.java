package io.github.ratelimit.store.redis;

import java.util.EnumSet;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.algorithm.CountType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Mistakes in scripts.
 */
class LuaMutantTests {

	@Test
	void eachIsOneMistakeInCodeThatScriptsContain() {
		String script = new CountingScripts("decide").of(EnumSet.of(CountType.of(Algorithm.SLIDING_LOG))).text();
		List<LuaMutant> mutants = LuaMutant.of("sliding-log").toList();
		assertThat(mutants).hasSizeGreaterThan(100).doesNotHaveDuplicates();
		assertThat(mutants).filteredOn((mutant) -> mutant.concerns(script))
			.hasSizeGreaterThan(50)
			.allSatisfy((mutant) -> assertThat(mutant.applyTo(script)).isNotEqualTo(script));
		assertThat(mutants).noneMatch((mutant) -> mutant.line().startsWith("--"));
	}

	@Test
	void mistakeIsShownBesideTheLine() {
		assertThat(LuaMutant.of("rate")).extracting(LuaMutant::toString)
			.allMatch((mutant) -> mutant.matches("rate\\.lua:\\d+: .+ => .+"));
	}

}
