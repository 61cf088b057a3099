package io.github.ratelimit.document;

import java.util.Arrays;

import io.github.ratelimit.autoconfigure.RateLimitProperties;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Generates {@code docs/properties.md}, the reference of all properties and values.
 */
class PropertyReferenceTests {

	private static final String INTRODUCTION = """
			# Properties

			Every property with its type, its default and its description, as editors show them. [Configuration](configuration.md)
			describes how they work together, [Algorithms](algorithms.md) how each algorithm counts.

			`<name>` is the name of a rule, `[n]` the index of a list item. Durations are written `500ms`, `60s`, `5m`,
			`1d`. The annotation with the name of the rule provides values that are not set here. Values are not
			case-sensitive: `GET` is `get`.

			`PropertyReferenceTests` generates this file from the metadata and the documentation of the code.

			""";

	private final Metadata metadata = Metadata.read();

	private final PropertyReference reference = new PropertyReference("ratelimit", RateLimitProperties.class,
			this.metadata);

	private final String text = this.reference.render();

	@Test
	void agreesWithTheCode() {
		CommittedFile.assertCommitted("properties.md", INTRODUCTION + this.text);
	}

	@Test
	void containsEveryPropertyOfTheMetadata() {
		assertThat(this.metadata.properties().keySet())
			.allSatisfy((name) -> assertThat(this.text).contains("| `" + name + "` |"));
	}

	@Test
	void containsElementsOfMapsAndLists() {
		assertThat(this.text).contains("| `ratelimit.rules.<name>.max-wait` | duration |",
				"| `ratelimit.rules.<name>.adaptive.low.at` | text |",
				"| `ratelimit.rules.<name>.limits[n].min-interval` | duration |",
				"| `ratelimit.rules.<name>.limits[n].adaptive.high.max` | integer |",
				"| `ratelimit.web.requests[n].methods` | list of [http-method](#http-method) |");
	}

	@Test
	void describesEveryProperty() {
		assertThat(this.text.lines().filter((line) -> line.startsWith("| `ratelimit."))).isNotEmpty()
			.allSatisfy((row) -> assertThat(row).matches("\\| `[^`]+` \\| .+ \\| .*\\| [A-Z].+\\. \\|"));
	}

	@Test
	void describesEveryValue() {
		assertThat(this.reference.enums()).isNotEmpty()
			.flatMap((type) -> Arrays.asList(type.getEnumConstants()))
			.allSatisfy((constant) -> assertThat(this.text)
				.containsPattern("\\| `" + YamlName.of((Enum<?>) constant) + "` \\| [A-Z`].+\\. \\|"));
	}

}
