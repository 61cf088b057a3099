package io.github.ratelimit.mutation;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A run of mutants replaces what it ran and keeps the rest of the table.
 */
class ProofTableTests {

	private static final String TEXT = """
			| script | mutants | killed | without a test |
			| --- | ---: | ---: | ---: |
			| `ban.lua` | 8 | 6, 75.0 % | 0 |
			| `each-count.lua` | 8 | 6, 75.0 % | 1 |
			| all | 16 | 12, 75.0 % | 1 |

			Survivors:

			- `ban.lua:67: a < b => a <= b`
			- `ban.lua:66: max(a) => min(a)`
			- `each-count.lua:6: 0 => 1`
			- `each-count.lua:9: and => or`, not run
			""";

	@Test
	void tableThatIsReadIsWrittenUnchanged() {
		assertThat(table()).hasToString(TEXT.strip());
	}

	@Test
	void resultOfAFileReplacesItsRowAndItsSurvivors() {
		ProofTable table = table();
		table.put("ban.lua", new ProofTable.Counts(50, 50, 0), List.of());
		table.put("calls.lua", new ProofTable.Counts(2, 1, 0), List.of("- `calls.lua:1: 0 => 1`"));
		assertThat(table.toString().lines())
			.contains("| `ban.lua` | 50 | 50, 100.0 % | 0 |", "| `calls.lua` | 2 | 1, 50.0 % | 0 |",
					"| `each-count.lua` | 8 | 6, 75.0 % | 1 |", "| all | 60 | 57, 95.0 % | 1 |",
					"- `calls.lua:1: 0 => 1`", "- `each-count.lua:6: 0 => 1`")
			.noneMatch((line) -> line.startsWith("- `ban.lua"));
	}

	private static ProofTable table() {
		return ProofTable.parse("mutants", "script", TEXT);
	}

}
