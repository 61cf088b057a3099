package io.github.ratelimit.document;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The programs of docs/without-spring-boot.md equal those that modules without Spring
 * Boot run.
 */
class WithoutSpringBootTests {

	private static final String EXAMPLE = "src/test/java/io/github/ratelimit/example";

	private static final List<Path> FILES = List.of(Path.of("..", "ratelimit-core", EXAMPLE, "Sms.java"),
			Path.of("..", "ratelimit-spring", EXAMPLE, "RateLimiting.java"));

	@Test
	void programsAreThoseThatAreTested() throws IOException {
		List<CodeBlock> programs = DocumentedCode.blocks("java")
			.filter((block) -> block.document().equals("docs/without-spring-boot.md"))
			.toList();
		assertThat(programs).hasSameSizeAs(FILES);
		for (int i = 0; i < FILES.size(); i++) {
			assertThat(Files.readString(FILES.get(i))).endsWith("\n\n" + programs.get(i).code());
		}
	}

}
