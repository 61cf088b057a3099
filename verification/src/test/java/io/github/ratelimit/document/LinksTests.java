package io.github.ratelimit.document;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Links between documents lead to existing files and headings.
 */
class LinksTests {

	@ParameterizedTest
	@MethodSource
	void everyLinkLeadsSomewhere(Markdown document) {
		assertThat(Links.broken(document)).isEmpty();
	}

	static Stream<Markdown> everyLinkLeadsSomewhere() {
		return Markdown.all();
	}

	@Test
	void readsAllDocuments() {
		assertThat(Markdown.all().map(Markdown::toString)).contains("README.md", "README.zh-CN.md", "CHANGELOG.md",
				"docs/algorithms.md", "docs/operations.md", "docs/contributing/soak.md");
	}

	@Test
	void mapListsAllDocuments() {
		Markdown map = Markdown.read("docs/README.md");
		assertThat(Markdown.all().filter((document) -> !document.file().equals(map.file()))).isNotEmpty()
			.allSatisfy((document) -> assertThat(map.targets().stream().map((target) -> linked(map, target)))
				.contains(document.file()));
	}

	private static Path linked(Markdown document, String target) {
		return document.file().resolveSibling(target).normalize();
	}

	@Test
	void findsAFileThatThereIsNot() {
		assertThat(Links.broken(Markdown.parse("[a](docs/none.md) [b](docs/recipes.md) ![c](docs/images/none.svg)")))
			.containsExactly("docs/none.md", "docs/images/none.svg");
	}

	@Test
	void findsAHeadingThatThereIsNot() {
		assertThat(Links.broken(Markdown.parse(
				"# Here\n[a](#here) [b](#there) [c](docs/recipes.md#per-user) " + "[d](docs/recipes.md#per-nobody)")))
			.containsExactly("#there", "docs/recipes.md#per-nobody");
	}

	@Test
	void findsAPictureInHtmlThatThereIsNot() {
		assertThat(Links.broken(Markdown.parse("<picture>\n  <source srcset=\"docs/a.png\">\n  <img src=\"b.png\">\n"
				+ "</picture>\n\nText <img src=\"c.png\">, or a [web page](https://example.org/none).")))
			.containsExactly("docs/a.png", "b.png", "c.png");
	}

	@Test
	void namesHeadingsAsGitHubDoes() {
		assertThat(Links.anchors(List.of("8. Decide what happens without Redis", "From @RateLimited, to production",
				"min-interval", "选择算法", "Same", "Same")))
			.containsExactlyInAnyOrder("8-decide-what-happens-without-redis", "from-ratelimited-to-production",
					"min-interval", "选择算法", "same", "same-1");
	}

}
