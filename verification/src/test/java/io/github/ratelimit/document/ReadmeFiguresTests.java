package io.github.ratelimit.document;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Measured figures of the README: each is in the section of the benchmarks that its
 * sentence links to.
 */
class ReadmeFiguresTests {

	private static final Pattern LINK = Pattern.compile("\\(docs/contributing/benchmarks\\.md#([\\w-]+)\\)");

	private static final Pattern NUMBER = Pattern.compile("\\d[\\d,.]*\\d");

	@ParameterizedTest
	@ValueSource(strings = { "README.md", "README.zh-CN.md" })
	void areThoseOfTheBenchmarks(String document) throws IOException {
		List<String> claims = claims(document);
		assertThat(claims).hasSize(3);
		for (String claim : claims) {
			String section = section(claim);
			assertThat(numbers(claim)).isNotEmpty().isSubsetOf(numbers(section));
		}
	}

	private static List<String> claims(String document) throws IOException {
		return Arrays.stream(read(document).split("\n(?=- )|\n\n"))
			.filter((part) -> LINK.matcher(part).find())
			.toList();
	}

	private static String section(String claim) throws IOException {
		Matcher link = LINK.matcher(claim);
		assertThat(link.find()).isTrue();
		return Arrays.stream(read("docs/contributing/benchmarks.md").split("\n## "))
			.filter((section) -> Links.anchors(List.of(section.lines().findFirst().orElse("")))
				.equals(Set.of(link.group(1))))
			.findFirst()
			.orElseThrow();
	}

	private static List<String> numbers(String text) {
		return NUMBER.matcher(text).results().map(MatchResult::group).toList();
	}

	private static String read(String document) throws IOException {
		return Files.readString(Path.of("..").resolve(document));
	}

}
