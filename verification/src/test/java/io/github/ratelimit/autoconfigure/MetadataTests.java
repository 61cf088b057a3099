package io.github.ratelimit.autoconfigure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.ratelimit.Algorithm;
import io.github.ratelimit.document.Javadoc;
import io.github.ratelimit.document.Metadata;
import io.github.ratelimit.document.YamlName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Metadata for editors: description, type, default and possible values of every property.
 */
class MetadataTests {

	/** Maps and lists, which are empty by default. */
	private static final Set<String> WITHOUT_DEFAULT = Set.of("ratelimit.rules", "ratelimit.web.requests",
			"ratelimit.client.requests", "ratelimit.grpc.calls", "ratelimit.jdbc.data-source",
			"ratelimit.redis.connection-factory", "ratelimit.ai.prices");

	private final Metadata metadata = Metadata.read();

	@Test
	void namesAllPropertiesAndNoOthers() {
		assertThat(this.metadata.properties().keySet()).filteredOn((name) -> name.startsWith("ratelimit"))
			.containsExactlyInAnyOrder("ratelimit.adaptive.interval", "ratelimit.ai.prices", "ratelimit.aop.order",
					"ratelimit.client.max-block", "ratelimit.client.requests", "ratelimit.defaults.algorithm",
					"ratelimit.defaults.mode", "ratelimit.defaults.on-store-failure", "ratelimit.enabled",
					"ratelimit.grpc.calls", "ratelimit.jdbc.connections", "ratelimit.jdbc.data-source",
					"ratelimit.jdbc.initialize-schema", "ratelimit.jdbc.timeout", "ratelimit.key-prefix",
					"ratelimit.local.max-keys", "ratelimit.redis.timeout", "ratelimit.redis.fallback-share",
					"ratelimit.redis.batching", "ratelimit.redis.max-pending", "ratelimit.redis.sharding",
					"ratelimit.redis.connection-factory", "ratelimit.redis.deny-cache.enabled",
					"ratelimit.redis.deny-cache.max-size", "ratelimit.redis.deny-cache.max-ttl", "ratelimit.rules",
					"ratelimit.store", "ratelimit.top.calls", "ratelimit.top.size", "ratelimit.verification",
					"ratelimit.web.headers", "ratelimit.web.ipv6-prefix", "ratelimit.web.order",
					"ratelimit.web.requests");
	}

	@Test
	void everyPropertyHasDescriptionTypeAndDefault() {
		assertThat(this.metadata.properties()).allSatisfy((name, property) -> {
			assertThat(property.path("description").asText()).as(name).endsWith(".");
			assertThat(property.path("type").asText()).as(name).isNotEmpty();
			assertThat(property.has("defaultValue")).as(name).isNotEqualTo(WITHOUT_DEFAULT.contains(name));
		});
	}

	/**
	 * Properties of rules are values of a map, so the metadata does not contain them:
	 * editors find them by type.
	 */
	@ParameterizedTest
	@MethodSource
	void everyComponentIsDocumented(Class<?> type) {
		assertThat(type.getRecordComponents())
			.allSatisfy((component) -> assertThat(Javadoc.of(component)).as(component.getName()).matches("[A-Z].*\\."));
	}

	static Stream<Class<?>> everyComponentIsDocumented() {
		return Stream
			.of(RateLimitProperties.class, RuleProperties.class, AdaptiveProperties.class, AiProperties.class,
					JdbcProperties.class)
			.flatMap((type) -> Stream.concat(Stream.of(type), Arrays.stream(type.getDeclaredClasses())))
			.filter(Class::isRecord);
	}

	@Test
	void everyHintNamesAPropertyAndDescribesItsValues() {
		assertThat(this.metadata.properties().keySet()).containsAll(this.metadata.hints().keySet());
		assertThat(this.metadata.hints()).allSatisfy((name, hint) -> {
			assertThat(hint.get("values")).as(name).isNotEmpty();
			assertThat(hint.get("values")).allSatisfy((value) -> {
				assertThat(value.path("value").asText()).as(name).isNotEmpty();
				assertThat(value.path("description").asText()).as(name).matches("[A-Z].*\\.");
			});
		});
	}

	@Test
	void everyHintShowsTheDefault() {
		assertThat(this.metadata.hints()).allSatisfy((name, hint) -> {
			JsonNode defaultValue = this.metadata.properties().get(name).get("defaultValue");
			assertThat(hint.get("values").findValuesAsText("value")).contains(defaultValue.asText());
		});
	}

	@Test
	void otherValuesAreFineWhereValuesAreNoEnum() {
		assertThat(this.metadata.hints()).allSatisfy((name, hint) -> assertThat(hint.has("providers")).as(name)
			.isEqualTo(enumOf(this.metadata.properties().get(name)) == null));
	}

	/**
	 * The values {@code default} and {@code concurrency} are valid for rules only.
	 */
	@Test
	void everyConstantIsAHintWithItsDocumentation() {
		this.metadata.properties().forEach((name, property) -> {
			Class<?> type = enumOf(property);
			if (type != null) {
				Javadoc javadoc = Javadoc.of(type);
				List<Map.Entry<String, String>> expected = Arrays.stream(type.getEnumConstants())
					.map((constant) -> (Enum<?>) constant)
					.filter((constant) -> constant != Algorithm.DEFAULT && constant != Algorithm.CONCURRENCY)
					.map((constant) -> Map.entry(YamlName.of(constant),
							javadoc.constant(constant.name()).replace("`", "")))
					.toList();
				List<Map.Entry<String, String>> hinted = new ArrayList<>();
				this.metadata.hints()
					.get(name)
					.get("values")
					.forEach((value) -> hinted
						.add(Map.entry(value.get("value").asText(), value.get("description").asText())));
				assertThat(hinted).as(name).isEqualTo(expected);
			}
		});
	}

	private static Class<?> enumOf(JsonNode property) {
		String type = property.get("type").asText().replaceFirst("^java\\.util\\.Set<(.*)>$", "$1");
		if (!type.startsWith("io.github.ratelimit") || type.contains("<")) {
			return null;
		}
		Class<?> resolved = ClassUtils.resolveClassName(type, null);
		return resolved.isEnum() ? resolved : null;
	}

}
