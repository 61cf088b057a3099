package io.github.ratelimit.autoconfigure;

import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.core.ResolvableType;

/**
 * Names and types of all properties, also of those below a rule or a list, which the
 * configuration metadata does not contain.
 */
final class PropertyTree {

	/** Groups that are bound apart from the others, where they are used. */
	private static final SortedMap<String, Class<?>> APART = new TreeMap<>(
			Map.of("ai", AiProperties.class, "jdbc", JdbcProperties.class));

	private PropertyTree() {
	}

	record Node(int depth, ResolvableType type) {

		Class<?> valueType() {
			return (isCollection() ? this.type.asCollection().getGeneric() : this.type).resolve(Object.class);
		}

		List<String> children() {
			return List.copyOf(properties().keySet());
		}

		private Map<String, ResolvableType> properties() {
			Map<String, ResolvableType> properties = new LinkedHashMap<>();
			if (isGroup()) {
				for (RecordComponent component : this.type.resolve(Object.class).getRecordComponents()) {
					properties.put(DataObjectPropertyName.toDashedForm(component.getName()),
							ResolvableType.forType(component.getGenericType()));
				}
			}
			if (this.depth == 1) {
				APART.forEach((name, group) -> properties.put(name, ResolvableType.forClass(group)));
			}
			return properties;
		}

		boolean isGroup() {
			return this.type.resolve(Object.class).isRecord();
		}

		boolean isMap() {
			return Map.class.isAssignableFrom(this.type.resolve(Object.class));
		}

		boolean isCollection() {
			return Collection.class.isAssignableFrom(this.type.resolve(Object.class));
		}

		private @Nullable ResolvableType child(ConfigurationPropertyName name) {
			if (isMap()) {
				return this.type.asMap().getGeneric(1);
			}
			if (isCollection()) {
				return name.isNumericIndex(this.depth) ? this.type.asCollection().getGeneric() : null;
			}
			String uniform = name.getElement(this.depth, Form.UNIFORM);
			return properties().entrySet()
				.stream()
				.filter((property) -> property.getKey().replace("-", "").equals(uniform))
				.map(Map.Entry::getValue)
				.findFirst()
				.orElse(null);
		}

	}

	/**
	 * Follow a name as far as it leads.
	 * @return the last node; its depth is less if there is no such property
	 */
	static Node follow(ConfigurationPropertyName name) {
		Node node = new Node(1, ResolvableType.forClass(RateLimitProperties.class));
		while (node.depth() < name.getNumberOfElements()) {
			ResolvableType child = node.child(name);
			if (child == null) {
				return node;
			}
			node = new Node(node.depth() + 1, child);
		}
		return node;
	}

	/**
	 * Return whether a name is that of a property of a group that is bound apart. If the
	 * module that reads the group is excluded, all its names are.
	 */
	static boolean isOfOtherGroup(ConfigurationPropertyName name) {
		try {
			return name.getNumberOfElements() > 1 && APART.containsKey(name.getElement(1, Form.UNIFORM))
					&& isProperty(name);
		}
		catch (NoClassDefFoundError ex) {
			return true;
		}
	}

	static boolean isProperty(ConfigurationPropertyName name) {
		Node node = follow(name);
		return node.depth() == name.getNumberOfElements() && !node.isGroup();
	}

}
