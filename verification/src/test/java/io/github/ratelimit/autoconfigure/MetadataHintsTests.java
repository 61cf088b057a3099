package io.github.ratelimit.autoconfigure;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.ratelimit.Algorithm;
import io.github.ratelimit.document.CommittedFile;
import io.github.ratelimit.document.Javadoc;
import io.github.ratelimit.document.YamlName;
import org.junit.jupiter.api.Test;

/**
 * Generates the hints for {@code ratelimit.defaults.algorithm} from the Javadoc of its
 * constants, since editors have no sources.
 */
class MetadataHintsTests {

	private static final String FILE = "../ratelimit-spring-boot-autoconfigure/src/main/resources/META-INF/"
			+ "additional-spring-configuration-metadata.json";

	@Test
	void algorithmsAreHintsWithTheirDocumentation() throws IOException {
		ObjectMapper json = new ObjectMapper();
		JsonNode metadata = json.readTree(Path.of("..", "docs", FILE).toFile());
		for (JsonNode hint : metadata.get("hints")) {
			if (hint.get("name").asText().equals("ratelimit.defaults.algorithm")) {
				((ObjectNode) hint).set("values", values(json));
			}
		}
		CommittedFile.assertCommitted(FILE, json.writer(printer()).writeValueAsString(metadata) + "\n");
	}

	private static ArrayNode values(ObjectMapper json) {
		Javadoc javadoc = Javadoc.of(Algorithm.class);
		ArrayNode values = json.createArrayNode();
		Arrays.stream(Algorithm.values())
			.filter((algorithm) -> algorithm != Algorithm.DEFAULT && algorithm != Algorithm.CONCURRENCY)
			.forEach((algorithm) -> values.addObject()
				.put("value", YamlName.of(algorithm))
				.put("description", javadoc.constant(algorithm.name()).replace("`", "")));
		return values;
	}

	private static DefaultPrettyPrinter printer() {
		DefaultIndenter lines = new DefaultIndenter("  ", "\n");
		return new DefaultPrettyPrinter(
				Separators.createDefaultInstance().withObjectFieldValueSpacing(Separators.Spacing.AFTER))
			.withObjectIndenter(lines)
			.withArrayIndenter(lines);
	}

}
