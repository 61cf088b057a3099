package io.github.ratelimit.mutation;

import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.ratelimit.document.PageSection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.io.ClassPathResource;

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

	@ParameterizedTest
	@ValueSource(strings = { "scripts", "algorithm", "store.local", "engine", "interceptor", "top", "override",
			"store.jdbc", "the root package" })
	void rowsOfThePageAreScriptsAndClassesThatExist(String of) throws IOException {
		String section = new PageSection("contributing/proofs.md", "mutants of " + of).read();
		Stream<String> files = Pattern.compile("(?m)^\\| `([^`]+)`")
			.matcher(section)
			.results()
			.map((row) -> row.group(1).endsWith(".lua") ? "META-INF/ratelimit/" + row.group(1)
					: "io/github/ratelimit/" + directory(of) + row.group(1) + ".class");
		assertThat(files).isNotEmpty()
			.allSatisfy((file) -> assertThat(new ClassPathResource(file)).matches(ClassPathResource::exists));
	}

	private static String directory(String of) {
		return of.equals("the root package") ? "" : of.replace('.', '/') + '/';
	}

	@ParameterizedTest
	@CsvSource({ "scripts, script", "algorithm, class", "store.local, class", "engine, class", "interceptor, class",
			"top, class", "override, class", "store.jdbc, class", "the root package, class" })
	void tableOfThePageIsWrittenUnchanged(String of, String rowsAre) throws IOException {
		String name = "mutants of " + of;
		assertThat(ProofTable.read(name, rowsAre)).hasToString(new PageSection("contributing/proofs.md", name).read());
	}

	private static ProofTable table() {
		return ProofTable.parse("mutants", "script", TEXT);
	}

}
