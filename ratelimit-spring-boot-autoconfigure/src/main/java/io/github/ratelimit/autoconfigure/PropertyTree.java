package io.github.ratelimit.autoconfigure;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

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

	/**
	 * Groups that are bound apart from the others, where they are used.
	 */
	private static final SortedMap<String, Class<?>> APART = new TreeMap<>(
			Map.of("ai", AiProperties.class, "jdbc", JdbcProperties.class));

	private PropertyTree() {
	}

	/**
	 * Node of the tree.
	 *
	 * @param depth the number of elements of the name that lead to it
	 * @param type the type of its value
	 */
	record Node(int depth, ResolvableType type) {

		/**
		 * Return the type of the value, for a collection that of its elements.
		 */
		Class<?> valueType() {
			return (isCollection() ? this.type.asCollection().getGeneric() : this.type).resolve(Object.class);
		}

		List<String> children() {
			Class<?> group = this.type.resolve(Object.class);
			return !group.isRecord() ? List.of()
					: Stream
						.concat(Arrays.stream(group.getRecordComponents())
							.map((component) -> DataObjectPropertyName.toDashedForm(component.getName())),
								APART.keySet().stream().filter((name) -> this.depth == 1))
						.toList();
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
			return isGroup() ? child(name.getElement(this.depth, Form.UNIFORM)) : null;
		}

		private @Nullable ResolvableType child(String uniformName) {
			Class<?> apart = (this.depth == 1) ? APART.get(uniformName) : null;
			if (apart != null) {
				return ResolvableType.forClass(apart);
			}
			for (RecordComponent component : this.type.resolve(Object.class).getRecordComponents()) {
				if (component.getName().toLowerCase(Locale.ROOT).equals(uniformName)) {
					return ResolvableType.forType(component.getGenericType());
				}
			}
			return null;
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
	 * Return whether there is a property of this name that is bound apart from the
	 * others.
	 */
	static boolean isOfOtherGroup(ConfigurationPropertyName name) {
		return name.getNumberOfElements() > 1 && APART.containsKey(name.getElement(1, Form.UNIFORM))
				&& isProperty(name);
	}

	/**
	 * Return whether there is a property of this name that has a value.
	 */
	static boolean isProperty(ConfigurationPropertyName name) {
		Node node = follow(name);
		return node.depth() == name.getNumberOfElements() && !node.isGroup();
	}

}
