package io.github.ratelimit.mutation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.document.PageSection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A run of mutants replaces what it ran and keeps the rest of the table. The table of the
 * page has all scripts.
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

	@Test
	void tableWithoutSurvivorsNamesNone() {
		ProofTable table = ProofTable.parse("mutants", "script", "");
		table.put("ban.lua", new ProofTable.Counts(2, 2, 0), List.of());
		assertThat(table).hasToString("""
				| script | mutants | killed | without a test |
				| --- | ---: | ---: | ---: |
				| `ban.lua` | 2 | 2, 100.0 % | 0 |
				| all | 2 | 2, 100.0 % | 0 |""");
	}

	static Stream<String> onThePage() throws IOException {
		Set<String> names = Pattern.compile("<!-- begin mutants of (.+) -->")
			.matcher(Files.readString(Path.of("../docs/contributing/proofs.md")))
			.results()
			.map((begin) -> begin.group(1))
			.collect(Collectors.toSet());
		assertThat(names).contains("scripts", "algorithm", "store.jdbc", "the root package");
		return names.stream();
	}

	@ParameterizedTest
	@MethodSource("onThePage")
	void rowsOfThePageAreScriptsAndClassesThatExist(String of) throws IOException {
		Stream<String> files = rows(of).map((row) -> row.endsWith(".lua") ? "META-INF/ratelimit/" + row
				: "io/github/ratelimit/" + directory(of) + row + ".class");
		assertThat(files).isNotEmpty()
			.allSatisfy((file) -> assertThat(new ClassPathResource(file)).matches(ClassPathResource::exists));
	}

	@Test
	void everyScriptHasARow() throws IOException {
		try (Stream<Path> files = Files.list(Path.of("../ratelimit-redis/src/main/resources/META-INF/ratelimit"))) {
			assertThat(rows("scripts"))
				.containsExactlyInAnyOrderElementsOf(files.map((file) -> file.getFileName().toString()).toList());
		}
	}

	private static Stream<String> rows(String of) throws IOException {
		String section = new PageSection("contributing/proofs.md", "mutants of " + of).read();
		return Pattern.compile("(?m)^\\| `([^`]+)`").matcher(section).results().map((row) -> row.group(1));
	}

	private static String directory(String of) {
		return of.equals("the root package") ? "" : of.replace('.', '/') + '/';
	}

	@ParameterizedTest
	@MethodSource("onThePage")
	void tableOfThePageIsWrittenUnchanged(String of) throws IOException {
		String name = "mutants of " + of;
		String rowsAre = of.equals("scripts") ? "script" : "class";
		assertThat(ProofTable.read(name, rowsAre)).hasToString(new PageSection("contributing/proofs.md", name).read());
	}

	private static ProofTable table() {
		return ProofTable.parse("mutants", "script", TEXT);
	}

}
