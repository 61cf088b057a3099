package io.github.ratelimit.document;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Test classes that documents name exist.
 */
class NamedTestsTests {

	private static final Pattern NAME = Pattern.compile("(?<![\\w*-])[A-Z]\\w+Tests\\b");

	private static Set<String> tests;

	@BeforeAll
	static void findTests() throws IOException {
		try (Stream<Path> files = Files.find(Path.of(".."), Integer.MAX_VALUE,
				(file, attributes) -> file.toString().endsWith("Tests.java"))) {
			tests = files.map((file) -> file.getFileName().toString().replace(".java", "")).collect(Collectors.toSet());
		}
	}

	@ParameterizedTest
	@MethodSource
	void exist(Markdown document) throws IOException {
		assertThat(tests).containsAll(named(document));
	}

	static Stream<Markdown> exist() {
		return Markdown.all();
	}

	@Test
	void areSome() throws IOException {
		assertThat(named(Markdown.read("docs/contributing/proofs.md"))).contains("RedisClockTests", "PortionPairTests");
	}

	private static Set<String> named(Markdown document) throws IOException {
		return NAME.matcher(Files.readString(document.file()))
			.results()
			.map(MatchResult::group)
			.collect(Collectors.toSet());
	}

}
