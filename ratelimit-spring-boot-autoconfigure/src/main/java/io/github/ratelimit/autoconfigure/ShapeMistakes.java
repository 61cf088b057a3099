package io.github.ratelimit.autoconfigure;

import java.util.Arrays;

import io.github.ratelimit.RateLimitConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.core.env.EnumerablePropertySource;

/**
 * Mistakes in properties to which nothing is bound although their names are known: empty
 * values, gaps in lists, lists written as maps and maps written as lists.
 */
final class ShapeMistakes {

	private ShapeMistakes() {
	}

	/**
	 * Describe a property that nothing was bound to.
	 * @return the mistake, or {@code null} if its name is the mistake
	 */
	static @Nullable RateLimitConfigurationException of(ConfigurationProperty property) {
		ConfigurationPropertyName name = property.getName();
		for (int i = 1; i < name.getNumberOfElements(); i++) {
			PropertyTree.Node parent = PropertyTree.follow(name.chop(i));
			boolean isReached = parent.name().getNumberOfElements() == i;
			if (isReached && parent.isMap() && name.isNumericIndex(i)) {
				return listForMap(property, parent.name());
			}
			if (isReached && parent.isCollection() && parent.elementType().isRecord() && !name.isNumericIndex(i)) {
				return mapForList(property, parent.name(), name.getElement(i, Form.ORIGINAL));
			}
		}
		PropertyTree.Node node = PropertyTree.follow(name);
		if (node.name().getNumberOfElements() < name.getNumberOfElements()) {
			return null;
		}
		return String.valueOf(property.getValue()).isBlank() ? empty(property, node) : gap(property);
	}

	/**
	 * Describe a name and a value between which a YAML file has a colon without a space,
	 * {@code {max:3}}, so that both are a name.
	 * @return the mistake, or {@code null} if it is another one
	 */
	static @Nullable RateLimitConfigurationException withoutSpace(ConfigurationProperty property) {
		if (!LocatedMistake.isYaml(property) || !String.valueOf(property.getValue()).isBlank()) {
			return null;
		}
		String written = written(property);
		int colon = written.indexOf(':');
		String attribute = written.substring(written.substring(0, Math.max(0, colon)).lastIndexOf('.') + 1);
		return (colon < 0) ? null
				: new RateLimitConfigurationException(
						written + " has no value: in YAML a space follows the colon."
								+ new PropertyOrigin(property.getOrigin(), true).sentence(),
						"Write " + attribute.replaceFirst(":", ": ") + '.');
	}

	/**
	 * Return the name of a property as its file has it, with the characters that
	 * {@link ConfigurationPropertyName} leaves out.
	 */
	private static String written(ConfigurationProperty property) {
		Object source = (property.getSource() != null) ? property.getSource().getUnderlyingSource() : null;
		return !(source instanceof EnumerablePropertySource<?> all) ? ""
				: Arrays.stream(all.getPropertyNames())
					.filter((name) -> name.indexOf(':') >= 0)
					.filter((name) -> ConfigurationPropertyName.adapt(name, '.').equals(property.getName()))
					.findFirst()
					.orElse("");
	}

	private static RateLimitConfigurationException listForMap(ConfigurationProperty property,
			ConfigurationPropertyName map) {
		String attribute = map.getLastElement(Form.DASHED);
		String remedy = LocatedMistake.isYaml(property)
				? "Write the name before its properties, `" + attribute
						+ ": {reply: {max: 5, period: 60s}}` for example."
				: "Write the name instead of the number, `" + attribute + ".reply.max: 5` for example.";
		return LocatedMistake.of(property, map, attribute + " is a map of names, not a list.", remedy);
	}

	private static RateLimitConfigurationException mapForList(ConfigurationProperty property,
			ConfigurationPropertyName list, String element) {
		String attribute = list.getLastElement(Form.DASHED);
		boolean isLimit = attribute.equals("limits");
		String example = isLimit ? "{name: " + element + ", max: 5, period: 60s}" : "{path: /api/**, rule: api}";
		String first = isLimit ? "[0].name: " + element : "[0].path: /api/**";
		String remedy = LocatedMistake.isYaml(property)
				? "Write `" + attribute + ": [" + example
						+ "]` for example, or one line for each that begins with a hyphen."
				: "Write a number instead of the name, `" + attribute + first + "` for example.";
		return LocatedMistake.of(property, list, attribute + " is a list.", remedy);
	}

	private static @Nullable RateLimitConfigurationException empty(ConfigurationProperty property,
			PropertyTree.Node node) {
		ExpectedValue expected = ExpectedValue.of(node, property.getName().getLastElement(Form.DASHED), "");
		return (expected != null) ? empty(property, expected) : null;
	}

	static RateLimitConfigurationException empty(ConfigurationProperty property, ExpectedValue expected) {
		return LocatedMistake.of(property, "it is empty.", expected.remedy() + " Or remove it.");
	}

	/**
	 * Describe a gap in a list. Spring Boot reads the elements of a list until one is
	 * missing.
	 */
	private static @Nullable RateLimitConfigurationException gap(ConfigurationProperty property) {
		ConfigurationPropertyName name = property.getName();
		for (int i = name.getNumberOfElements() - 1; i > 0; i--) {
			if (name.isNumericIndex(i)) {
				return new RateLimitConfigurationException(
						name.chop(i + 1) + " is not reached: the elements of " + name.chop(i)
								+ " are read from [0] on, until one is missing.",
						"Number them without a gap: [0], [1], [2].");
			}
		}
		return null;
	}

}
