package io.github.ratelimit.document;

import java.util.List;
import java.util.function.Function;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The Chinese README has the same code, links and tables as the English one.
 */
class TranslationTests {

	private static final String ENGLISH = "README.md";

	private static final String CHINESE = "README.zh-CN.md";

	@ParameterizedTest
	@EnumSource
	void hasTheSame(Part part) {
		assertThat(part.of(Markdown.read(CHINESE))).isNotEmpty().isEqualTo(part.of(Markdown.read(ENGLISH)));
	}

	@Test
	void eachLinksToTheOtherFirst() {
		assertThat(Markdown.read(ENGLISH).targets()).startsWith(CHINESE);
		assertThat(Markdown.read(CHINESE).targets()).startsWith(ENGLISH);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			HEADING_LEVELS | "# a\\n## b"                  | "# 甲"
			HEADING_LEVELS | "# a\\n## b"                  | "## 甲\\n# 乙"
			BLOCKS         | "```sh\\nls\\n```"             | "```sh\\nls -l\\n```"
			BLOCKS         | "```sh\\nls\\n```"             | "```java\\nls\\n```"
			TARGETS        | "[a](docs/a.md) [b](b.md)"   | "[甲](docs/a.md)"
			TARGETS        | "![a](docs/a.svg)"           | "![甲](docs/b.svg)"
			TARGETS        | "<img src='a'>"              | "<img src='b'>"
			TABLES         | "| a |\\n| - |\\n| b |\\n| c |" | "| 甲 |\\n| - |\\n| 乙 |"
			""")
	void findsADifferenceOf(Part part, String english, String chinese) {
		assertThat(part.of(parse(chinese))).isNotEqualTo(part.of(parse(english)));
	}

	private static Markdown parse(String text) {
		return Markdown.parse(text.replace("\\n", "\n").replace('\'', '"'));
	}

	enum Part {

		HEADING_LEVELS(Markdown::headingLevels),

		BLOCKS((document) -> document.blocks()
			.stream()
			.map((block) -> block.language() + "\n" + block.code())
			.toList()),

		TARGETS((document) -> document.targets()
			.stream()
			.filter((target) -> !List.of(ENGLISH, CHINESE).contains(target))
			.toList()),

		TABLES(Markdown::tables);

		private final Function<Markdown, List<?>> part;

		Part(Function<Markdown, List<?>> part) {
			this.part = part;
		}

		List<?> of(Markdown document) {
			return this.part.apply(document);
		}

	}

}
