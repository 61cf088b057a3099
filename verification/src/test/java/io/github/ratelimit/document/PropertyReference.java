package io.github.ratelimit.document;

import java.math.BigDecimal;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * Reference of all properties, in Markdown. Descriptions come from the metadata or, for
 * the elements of maps and lists, which the metadata lacks, from the Javadoc of their
 * records, or of the attribute of a limit.
 */
final class PropertyReference {

	private static final String HEADER = "| property | type | default | description |\n| --- | --- | --- | --- |\n";

	private static final Map<Class<?>, String> TYPES = Map.of(String.class, "text", boolean.class, "boolean",
			Boolean.class, "boolean", int.class, "integer", Integer.class, "integer", long.class, "integer", Long.class,
			"integer", double.class, "number", BigDecimal.class, "number", Duration.class, "duration");

	private final String prefix;

	private final Class<?> root;

	private final Map<String, JsonNode> metadata;

	private final Set<String> listed = new LinkedHashSet<>();

	private final Set<Class<?>> enums = new LinkedHashSet<>();

	PropertyReference(String prefix, Class<?> root, Metadata metadata) {
		this.prefix = prefix;
		this.root = root;
		this.metadata = metadata.properties();
	}

	String render() {
		StringBuilder text = new StringBuilder();
		StringBuilder groups = new StringBuilder();
		text.append("## ").append(this.prefix).append("\n\n").append(HEADER);
		for (RecordComponent component : this.root.getRecordComponents()) {
			List<Property> properties = properties(this.prefix + '.', component);
			Property first = properties.get(0);
			if (properties.size() == 1) {
				text.append(first.row());
			}
			else {
				groups.append("\n## ").append(first.name()).append("\n\n").append(first.description()).append("\n\n");
				groups.append(
						table(component.getType().isRecord() ? properties.subList(1, properties.size()) : properties));
			}
		}
		return text.append(groups)
			.append(apart("ai"))
			.append(apart("jdbc"))
			.append(others())
			.append(values())
			.toString();
	}

	/**
	 * Return the properties of a group that is bound apart from the others.
	 */
	private String apart(String group) {
		String name = this.prefix + '.' + group;
		if (this.metadata.keySet().stream().noneMatch((each) -> each.startsWith(name + '.'))) {
			return "";
		}
		Class<?> type = ClassUtils
			.resolveClassName(this.root.getPackageName() + '.' + StringUtils.capitalize(group) + "Properties", null);
		List<Property> properties = Arrays.stream(type.getRecordComponents())
			.flatMap((component) -> properties(name + '.', component).stream())
			.toList();
		return "\n## " + name + "\n\n" + Javadoc.of(type).sentence() + "\n\n" + table(properties);
	}

	Set<Class<?>> enums() {
		return this.enums;
	}

	private List<Property> properties(String path, RecordComponent component) {
		String name = path + DataObjectPropertyName.toDashedForm(component.getName());
		List<Property> properties = new ArrayList<>();
		properties.add(property(name, component));
		Class<?> held = held(component);
		if (held.isRecord()) {
			String inside = name + suffix(component.getType()) + '.';
			for (RecordComponent nested : held.getRecordComponents()) {
				properties.addAll(properties(inside, nested));
			}
		}
		return properties;
	}

	private Property property(String name, RecordComponent component) {
		JsonNode known = this.metadata.get(name);
		if (known != null) {
			this.listed.add(name);
			return new Property(name, type(component), known.path("defaultValue").asText(),
					known.path("description").asText());
		}
		DefaultValue defaultValue = component.getAnnotation(DefaultValue.class);
		return new Property(name, type(component), (defaultValue != null) ? String.join(",", defaultValue.value()) : "",
				Javadoc.of(component));
	}

	/**
	 * Return the element type of a map or a list, or the type itself.
	 */
	private static Class<?> held(RecordComponent component) {
		if (component.getGenericType() instanceof ParameterizedType generic) {
			Type[] arguments = generic.getActualTypeArguments();
			return (Class<?>) arguments[arguments.length - 1];
		}
		return component.getType();
	}

	private static String suffix(Class<?> type) {
		if (Map.class.isAssignableFrom(type)) {
			return ".<name>";
		}
		return Collection.class.isAssignableFrom(type) ? "[n]" : "";
	}

	private String type(RecordComponent component) {
		Class<?> held = held(component);
		String inner = held.isRecord() ? "properties" : single(held);
		return switch (suffix(component.getType())) {
			case ".<name>" -> "map of " + inner;
			case "[n]" -> "list of " + inner;
			default -> inner;
		};
	}

	private String single(Class<?> type) {
		if (type.isEnum()) {
			this.enums.add(type);
			return "[%1$s](#%1$s)".formatted(heading(type));
		}
		String simple = TYPES.get(type);
		if (simple == null) {
			throw new IllegalStateException("Add to the reference how " + type + " is written.");
		}
		return simple;
	}

	private static String heading(Class<?> type) {
		return DataObjectPropertyName.toDashedForm(type.getSimpleName());
	}

	/**
	 * Return the properties that no record declares, those of an endpoint for example.
	 */
	private String others() {
		List<Property> others = this.metadata.values()
			.stream()
			.filter((node) -> !this.listed.contains(node.get("name").asText()))
			.map((node) -> new Property(node.get("name").asText(), simpleName(node.path("type").asText()),
					node.path("defaultValue").asText(), node.path("description").asText()))
			.toList();
		return others.isEmpty() ? "" : "\n## Elsewhere\n\n" + table(others);
	}

	private static String simpleName(String type) {
		return type.substring(type.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
	}

	private static String table(List<Property> properties) {
		return properties.stream().map(Property::row).collect(Collectors.joining("", HEADER, ""));
	}

	private String values() {
		StringBuilder text = new StringBuilder("\n## Values\n");
		for (Class<?> type : this.enums) {
			Javadoc javadoc = Javadoc.of(type);
			text.append("\n### ").append(heading(type)).append("\n\n").append(javadoc.sentence());
			text.append("\n\n| value | meaning |\n| --- | --- |\n");
			Arrays.stream(type.getEnumConstants())
				.map(Enum.class::cast)
				.forEach((constant) -> text
					.append("| `%s` | %s |\n".formatted(YamlName.of(constant), javadoc.constant(constant.name()))));
		}
		return text.toString();
	}

}
