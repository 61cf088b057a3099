package io.github.ratelimit.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every property tells editors what it is, its type and its default.
 */
class MetadataTests {

	/** Maps and lists have no default but empty. */
	private static final Set<String> WITHOUT_DEFAULT = Set.of("ratelimit.rules", "ratelimit.web.requests");

	private static final Path SOURCE = Path
		.of("src/main/java/io/github/ratelimit/autoconfigure/RateLimitProperties.java");

	@Test
	void namesAllPropertiesAndNoOthers() throws IOException {
		assertThat(properties().map((property) -> property.get("name").asText())).containsExactlyInAnyOrder(
				"ratelimit.adaptive.interval", "ratelimit.aop.order", "ratelimit.defaults.algorithm",
				"ratelimit.defaults.mode", "ratelimit.defaults.on-store-failure", "ratelimit.enabled",
				"ratelimit.key-prefix", "ratelimit.local.max-keys", "ratelimit.redis.timeout", "ratelimit.rules",
				"ratelimit.store", "ratelimit.verification", "ratelimit.web.headers", "ratelimit.web.ipv6-prefix",
				"ratelimit.web.order", "ratelimit.web.requests");
	}

	@Test
	void everyPropertyHasDescriptionTypeAndDefault() throws IOException {
		assertThat(properties()).allSatisfy((property) -> {
			String name = property.get("name").asText();
			assertThat(property.path("description").asText()).as(name).endsWith(".");
			assertThat(property.path("type").asText()).as(name).isNotEmpty();
			assertThat(property.has("defaultValue")).as(name).isNotEqualTo(WITHOUT_DEFAULT.contains(name));
		});
	}

	/**
	 * The properties of a rule are behind a map, so they are no part of the metadata:
	 * editors find them by type.
	 */
	@ParameterizedTest
	@MethodSource
	void everyComponentIsDocumented(Class<?> type) throws IOException {
		String source = Files.readString(SOURCE);
		String documentation = source.substring(0, source.indexOf("public record " + type.getSimpleName() + '('));
		documentation = documentation.substring(documentation.lastIndexOf("/**"));
		for (RecordComponent component : type.getRecordComponents()) {
			assertThat(documentation).containsPattern("@param " + component.getName() + " [A-Z]");
		}
	}

	static Stream<Class<?>> everyComponentIsDocumented() {
		return Stream.concat(Stream.of(RateLimitProperties.class),
				Arrays.stream(RateLimitProperties.class.getDeclaredClasses()).filter(Class::isRecord));
	}

	private static Stream<JsonNode> properties() throws IOException {
		try (InputStream metadata = RateLimitProperties.class
			.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
			JsonNode all = new ObjectMapper().readTree(metadata).get("properties");
			return StreamSupport.stream(all.spliterator(), false)
				.filter((property) -> property.get("name").asText().startsWith("ratelimit"));
		}
	}

}
