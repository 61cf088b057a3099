package io.github.ratelimit.document;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Code of the migration page equals files that the module {@code compatibility/migration}
 * compiles and runs, against the versions that the page names.
 */
class MigrationTests {

	static final String PAGE = "docs/migration.md";

	private static final Path MODULE = Path.of("..", "compatibility", "migration");

	private static final Map<String, String> LIBRARIES = Map.of("bucket4j.version", "bucket4j ",
			"bucket4j-starter.version", "bucket4j-spring-boot-starter ", "resilience4j.version", "resilience4j ",
			"spring-cloud-gateway.version", "Spring Cloud Gateway ", "redisson.version", "Redisson ", "guava.version",
			"Guava ");

	@ParameterizedTest
	@MethodSource
	void everyJavaBlockIsPartOfAFile(CodeBlock block) {
		assertThat(files(".java"))
			.anySatisfy((file) -> assertThat(withoutIndentation(file)).contains(withoutIndentation(block.code())));
	}

	static List<CodeBlock> everyJavaBlockIsPartOfAFile() {
		return blocks("java");
	}

	@Test
	void theYamlBlocksAreTheFiles() {
		assertThat(blocks("yaml")).extracting(CodeBlock::code).containsExactlyInAnyOrderElementsOf(files(".yml"));
	}

	@Test
	void namesTheVersionsThatAreCompiled() throws IOException {
		String page = Files.readString(Markdown.read(PAGE).file());
		Map<String, String> versions = Pattern.compile("<([a-z0-9-]+\\.version)>([^<-]+(?:-RC\\d+)?)")
			.matcher(Files.readString(MODULE.resolve("pom.xml")))
			.results()
			.collect(Collectors.toMap((match) -> match.group(1), (match) -> match.group(2)));
		assertThat(versions).containsOnlyKeys(LIBRARIES.keySet());
		assertThat(versions)
			.allSatisfy((property, version) -> assertThat(page).contains(LIBRARIES.get(property) + version));
	}

	private static List<CodeBlock> blocks(String language) {
		return Markdown.read(PAGE).blocks().stream().filter((block) -> block.language().equals(language)).toList();
	}

	private static List<String> files(String suffix) {
		try (Stream<Path> files = Files.walk(MODULE.resolve("src/test"))) {
			return files.filter((file) -> file.toString().endsWith(suffix)).sorted().map(Sources::read).toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String withoutIndentation(String text) {
		return text.lines().map(String::strip).filter((line) -> !line.isEmpty()).collect(Collectors.joining("\n"));
	}

}
