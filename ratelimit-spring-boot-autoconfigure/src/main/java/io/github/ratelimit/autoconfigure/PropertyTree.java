package io.github.ratelimit.autoconfigure;

import java.lang.reflect.Field;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import io.github.ratelimit.engine.NearestName;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.ReflectionUtils;

/**
 * Names and types of all properties, also of those below a rule or a list, which the
 * configuration metadata does not contain.
 */
final class PropertyTree {

	static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("ratelimit");

	private static final ConfigurationPropertyName RULES = ROOT.append("rules");

	private PropertyTree() {
	}

	/**
	 * Node of the tree.
	 *
	 * @param name the name that leads to it
	 * @param type the type of its value
	 * @param component the record component, {@code null} for an element of a map or list
	 */
	record Node(ConfigurationPropertyName name, Type type, @Nullable RecordComponent component) {

		Class<?> rawType() {
			return (Class<?>) ((this.type instanceof ParameterizedType generic) ? generic.getRawType() : this.type);
		}

		/**
		 * Return the type of the elements of a collection or of the values of a map.
		 */
		Class<?> elementType() {
			Type[] arguments = ((ParameterizedType) this.type).getActualTypeArguments();
			return (Class<?>) arguments[arguments.length - 1];
		}

		/**
		 * Return the names of the properties directly below.
		 */
		List<String> children() {
			return this.rawType().isRecord()
					? Arrays.stream(this.rawType().getRecordComponents()).map(PropertyTree::name).toList() : List.of();
		}

		/**
		 * Return whether a duration without a unit is one of seconds; else it is one of
		 * milliseconds.
		 */
		boolean isInSeconds() {
			Field field = (this.component != null)
					? ReflectionUtils.findField(this.component.getDeclaringRecord(), this.component.getName()) : null;
			return field != null && field.isAnnotationPresent(DurationUnit.class);
		}

		/**
		 * Return the default value, {@code null} if there is none.
		 */
		@Nullable String defaultValue() {
			DefaultValue value = (this.component != null) ? parameter(this.component).getAnnotation(DefaultValue.class)
					: null;
			return (value != null && value.value().length == 1) ? value.value()[0] : null;
		}

		/**
		 * Return the constructor parameter of a component, which keeps its annotations.
		 */
		private static Parameter parameter(RecordComponent component) {
			Class<?> type = component.getDeclaringRecord();
			int index = Arrays.stream(type.getRecordComponents())
				.map(RecordComponent::getName)
				.toList()
				.indexOf(component.getName());
			return type.getDeclaredConstructors()[0].getParameters()[index];
		}

		boolean isMap() {
			return Map.class.isAssignableFrom(rawType());
		}

		boolean isCollection() {
			return Collection.class.isAssignableFrom(rawType());
		}

		private @Nullable Node child(ConfigurationPropertyName full, int index) {
			if (isMap() || (isCollection() && full.isNumericIndex(index))) {
				return new Node(full.chop(index + 1), elementType(), null);
			}
			return child(full.getElement(index, Form.UNIFORM));
		}

		private @Nullable Node child(String uniformName) {
			if (!rawType().isRecord()) {
				return null;
			}
			return Arrays.stream(rawType().getRecordComponents())
				.filter((component) -> component.getName().toLowerCase(Locale.ROOT).equals(uniformName))
				.map((component) -> new Node(this.name.append(PropertyTree.name(component)), component.getGenericType(),
						component))
				.findFirst()
				.orElse(null);
		}

	}

	/**
	 * Return the name of a property below {@code ratelimit}, or of a rule whose name
	 * Spring Boot reads only in brackets.
	 * @return {@code null} if a text is no such name
	 */
	static @Nullable ConfigurationPropertyName belowRoot(String text) {
		if (!text.startsWith("ratelimit.")) {
			return null;
		}
		if (text.matches("[\\w.\\[\\]-]+")) {
			return ConfigurationPropertyName.adapt(text, '.');
		}
		return text.startsWith("ratelimit.rules.") ? RULES.append('[' + text.substring(16) + ']') : null;
	}

	private static String name(RecordComponent component) {
		return DataObjectPropertyName.toDashedForm(component.getName());
	}

	/**
	 * Follow a name as far as it leads.
	 * @return the last node; its name is shorter if there is no such property
	 */
	static Node follow(ConfigurationPropertyName name) {
		Node node = new Node(ROOT, RateLimitProperties.class, null);
		for (int i = ROOT.getNumberOfElements(); i < name.getNumberOfElements(); i++) {
			Node child = node.child(name, i);
			if (child == null) {
				return node;
			}
			node = child;
		}
		return node;
	}

	/**
	 * Find the property that an unknown name probably means: a sibling with a similar
	 * name, the same name in another place, a rule whose name has a dot, or a rule
	 * written without {@code rules}.
	 */
	static Optional<ConfigurationPropertyName> nearest(ConfigurationPropertyName unknown) {
		Node last = follow(unknown);
		int index = last.name().getNumberOfElements();
		String element = unknown.getElement(index, Form.DASHED);
		List<ConfigurationPropertyName> candidates = new ArrayList<>();
		NearestName.of(element, last.children()).ifPresent((sibling) -> candidates.add(last.name().append(sibling)));
		candidates.addAll(places(element, new Node(ROOT, RateLimitProperties.class, null)));
		if (index > 2 && last.name().getParent().equals(RULES)) {
			candidates.add(RULES.append(last.name().getLastElement(Form.DASHED) + '-' + element));
		}
		candidates.add(RULES.append(element));
		return candidates.stream()
			.map((candidate) -> append(candidate, unknown, index + 1))
			.filter((candidate) -> isProperty(candidate))
			.findFirst();
	}

	/**
	 * Return the list that a name leads into, the outermost one if lists are nested, or
	 * {@code null} if there is none.
	 */
	static @Nullable ConfigurationPropertyName outermostList(ConfigurationPropertyName name) {
		for (int i = ROOT.getNumberOfElements() + 1; i < name.getNumberOfElements(); i++) {
			ConfigurationPropertyName list = name.chop(i);
			if (name.isNumericIndex(i) && follow(list).isCollection()) {
				return list;
			}
		}
		return null;
	}

	/**
	 * Return whether there is a property of this name that has a value.
	 */
	static boolean isProperty(ConfigurationPropertyName name) {
		Node node = follow(name);
		return node.name().getNumberOfElements() == name.getNumberOfElements() && !node.rawType().isRecord();
	}

	static ConfigurationPropertyName append(ConfigurationPropertyName name, ConfigurationPropertyName other, int from) {
		ConfigurationPropertyName all = name;
		for (int i = from; i < other.getNumberOfElements(); i++) {
			all = all.append(other.isNumericIndex(i) ? '[' + other.getElement(i, Form.ORIGINAL) + ']'
					: other.getElement(i, Form.ORIGINAL));
		}
		return all;
	}

	private static List<ConfigurationPropertyName> places(String element, Node node) {
		List<ConfigurationPropertyName> places = new ArrayList<>();
		for (String name : node.children()) {
			ConfigurationPropertyName child = node.name().append(name);
			if (name.equals(element)) {
				places.add(child);
			}
			places.addAll(places(element, follow(child)));
		}
		return places;
	}

}
