package io.github.ratelimit.document;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The pages for users stay short: the README and all of {@code docs}, but the map, the
 * generated lists and {@code docs/contributing}.
 */
class UsersPagesTests {

	private static final Set<String> MAP_AND_LISTS = Set.of("docs/README.md", "docs/api.md", "docs/properties.md");

	/** Words of text and of code; the bars of a table are none. */
	private static final Pattern WORD = Pattern.compile("\\S*[\\p{L}\\p{N}]\\S*");

	@Test
	void haveAtMostThirtyThousandWordsTogether() {
		assertThat(pages().mapToLong(UsersPagesTests::words).sum())
			.as("words of the pages for users. Take out repeats before you add some: a fact has one page")
			.isLessThanOrEqualTo(30_000);
	}

	@Test
	void areAllThatUsersRead() {
		assertThat(pages().map(Markdown::toString))
			.contains("README.md", "docs/algorithms.md", "docs/gateway.md", "docs/migration.md")
			.doesNotContain("README.zh-CN.md", "CHANGELOG.md", "docs/contributing/benchmarks.md")
			.hasSizeGreaterThan(35);
	}

	private static Stream<Markdown> pages() {
		return Markdown.all()
			.filter((document) -> document.toString().matches("README\\.md|docs/[^/]+"))
			.filter((document) -> !MAP_AND_LISTS.contains(document.toString()));
	}

	private static long words(Markdown page) {
		try {
			return WORD.matcher(Files.readString(page.file())).results().count();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
