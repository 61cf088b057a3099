package io.github.ratelimit.document;

import java.util.Arrays;

import io.github.ratelimit.autoconfigure.RateLimitProperties;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Draws {@code docs/properties.md}, the reference of every property and every value.
 */
class PropertyReferenceTests {

	private static final String INTRODUCTION = """
			# Properties

			Every property with its type, its default and its description, as editors show them. How they act together
			is told in [Configuration](configuration.md), how the algorithms count in [Algorithms](algorithms.md).

			`<name>` stands for the name of a rule, `[n]` for an item of a list. Durations are written `500ms`, `60s`, `5m`,
			`1d`. What a rule does not say here is left to the annotation of the same name. Upper and lower case are the same in
			values: `GET` is `get`.

			This file is drawn by `PropertyReferenceTests`, from the metadata and the documentation of the code.

			""";

	private final Metadata metadata = Metadata.read();

	private final PropertyReference reference = new PropertyReference("ratelimit", RateLimitProperties.class,
			this.metadata);

	private final String text = this.reference.render();

	@Test
	void isWhatTheCodeSays() {
		CommittedFile.assertCommitted("properties.md", INTRODUCTION + this.text);
	}

	@Test
	void tellsEveryPropertyOfTheMetadata() {
		assertThat(this.metadata.properties().keySet())
			.allSatisfy((name) -> assertThat(this.text).contains("| `" + name + "` |"));
	}

	@Test
	void tellsPropertiesBehindMapsAndLists() {
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
	void tellsEveryValueAndWhatItMeans() {
		assertThat(this.reference.enums()).isNotEmpty()
			.flatMap((type) -> Arrays.asList(type.getEnumConstants()))
			.allSatisfy((constant) -> assertThat(this.text)
				.containsPattern("\\| `" + YamlName.of((Enum<?>) constant) + "` \\| [A-Z`].+\\. \\|"));
	}

}
