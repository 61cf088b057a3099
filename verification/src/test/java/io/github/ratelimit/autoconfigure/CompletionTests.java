package io.github.ratelimit.autoconfigure;

import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.ratelimit.document.Metadata;
import io.github.ratelimit.document.YamlName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.core.ResolvableType;
import org.springframework.mock.env.MockEnvironment;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What editors complete is accepted: each property with its default and with each value
 * that is offered, and below rules and lists each component with a value of its type.
 */
class CompletionTests {

	private static final String PREFIX = "ratelimit.";

	private static final Map<String, Class<?>> APART = Map.of("ratelimit.ai", AiProperties.class, "ratelimit.jdbc",
			JdbcProperties.class);

	private static final Map<Class<?>, String> EXAMPLES = Map.of(Long.class, "5", Integer.class, "5", Double.class,
			"0.5", BigDecimal.class, "2.50", Boolean.class, "true", Duration.class, "60s", String.class, "text");

	@ParameterizedTest
	@MethodSource
	void completedPropertyIsBound(String name, String value) {
		MockEnvironment environment = new MockEnvironment().withProperty("spring.application.name", "forum")
			.withProperty(name, value);
		String root = APART.keySet()
			.stream()
			.filter((apart) -> name.startsWith(apart + '.'))
			.findFirst()
			.orElse("ratelimit");
		Class<?> type = APART.getOrDefault(root, RateLimitProperties.class);
		Object bound = Binder.get(environment)
			.bind(root, Bindable.of(type), new StrictBinding(new NoUnboundElementsBindHandler(BindHandler.DEFAULT)))
			.get();
		assertThat(bound).isInstanceOf(type);
	}

	static Stream<Arguments> completedPropertyIsBound() {
		Metadata metadata = Metadata.read();
		Stream<Arguments> written = metadata.properties()
			.entrySet()
			.stream()
			.filter((property) -> property.getKey().startsWith(PREFIX))
			.flatMap((property) -> Stream
				.concat(Stream.of(property.getValue().get("defaultValue")), offered(metadata, property.getKey()))
				.filter(Objects::nonNull)
				.map((value) -> Arguments.of(property.getKey(), value.asText())));
		Stream<Arguments> apart = APART.entrySet()
			.stream()
			.flatMap((group) -> typed(group.getKey(), ResolvableType.forClass(group.getValue())));
		return Stream.of(written, typed("ratelimit", ResolvableType.forClass(RateLimitProperties.class)), apart)
			.flatMap((arguments) -> arguments);
	}

	private static Stream<JsonNode> offered(Metadata metadata, String property) {
		JsonNode hint = metadata.hints().get(property);
		return (hint == null) ? Stream.of()
				: StreamSupport.stream(hint.get("values").spliterator(), false).map((value) -> value.get("value"));
	}

	private static Stream<Arguments> typed(String name, ResolvableType type) {
		Class<?> raw = ClassUtils.resolvePrimitiveIfNecessary(type.resolve(Object.class));
		if (raw.isRecord()) {
			return Arrays.stream(raw.getRecordComponents())
				.flatMap((component) -> typed(name + '.' + DataObjectPropertyName.toDashedForm(component.getName()),
						typeOf(component)));
		}
		if (Map.class.isAssignableFrom(raw)) {
			return typed(name + ".name", type.asMap().getGeneric(1));
		}
		if (Collection.class.isAssignableFrom(raw)) {
			return typed(name + "[0]", type.asCollection().getGeneric());
		}
		return Stream.of(Arguments.of(name, raw.isEnum() ? YamlName.of((Enum<?>) raw.getEnumConstants()[0])
				: Objects.requireNonNull(EXAMPLES.get(raw), raw::getName)));
	}

	private static ResolvableType typeOf(RecordComponent component) {
		return ResolvableType.forType(component.getGenericType());
	}

}
