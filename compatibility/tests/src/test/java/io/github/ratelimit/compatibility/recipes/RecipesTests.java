package io.github.ratelimit.compatibility.recipes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.compatibility.OnNewestLine;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Code in the recipes equals the code that these tests run.
 */
@OnNewestLine
class RecipesTests {

	private static final Pattern BLOCK = Pattern.compile("^```(java|yaml)\\R(.+?)^```",
			Pattern.DOTALL | Pattern.MULTILINE);

	private static final Pattern JAVADOC = Pattern.compile("^(/\\*\\*|\\*/|\\* )");

	/** Tests run in the folder of a module. */
	private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

	private static final Path TESTS = ROOT.resolve("compatibility/tests/src/test");

	private static final Path SOURCES = TESTS.resolve("java/io/github/ratelimit/compatibility/recipes");

	private static final Path RESOURCES = TESTS.resolve("resources/recipes");

	@ParameterizedTest
	@ValueSource(strings = { "recipes.md", "production.md", "gateway.md" })
	void everyBlockIsPartOfAFileThatIsTested(String document) {
		String tested = Stream.of(SOURCES, RESOURCES)
			.flatMap(RecipesTests::files)
			.map(RecipesTests::read)
			.map(RecipesTests::code)
			.collect(Collectors.joining("\n"));
		assertThat(blocks(document)).isNotEmpty().allSatisfy((block) -> assertThat(tested).contains(code(block)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "recipes.md", "production.md", "gateway.md" })
	void everyYamlBlockIsIndentedAsInItsFile(String document) {
		String yaml = files(RESOURCES).map(RecipesTests::read).collect(Collectors.joining("\n"));
		assertThat(blocks(document)).filteredOn((block) -> block.startsWith("ratelimit:"))
			.allSatisfy((block) -> assertThat(yaml).contains(block));
	}

	private static List<String> blocks(String document) {
		return BLOCK.matcher(read(ROOT.resolve("docs").resolve(document)))
			.results()
			.map((MatchResult match) -> match.group(2))
			.toList();
	}

	private static Stream<Path> files(Path folder) {
		try (Stream<Path> files = Files.list(folder)) {
			return files.sorted().toList().stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return the lines without indentation, empty lines and Javadoc.
	 */
	private static String code(String text) {
		return text.lines()
			.map(String::strip)
			.filter((line) -> !line.isEmpty() && !JAVADOC.matcher(line).find())
			.collect(Collectors.joining("\n"));
	}

}
