package io.github.ratelimit.autoconfigure;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.notation.Notation;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;

/**
 * Mistakes in properties to which nothing is bound although their names are known: empty
 * values, values of groups, gaps in lists, lists written as maps and maps written as
 * lists.
 */
final class ShapeMistakes {

	/**
	 * A name and a value with a colon but no space between them.
	 */
	private static final Pattern WITHOUT_SPACE = Pattern.compile("([\\w-]+):(\\S.*)");

	/**
	 * A limit in the notation of other libraries: {@code 5/60s}, {@code 5 per minute}.
	 */
	private static final Pattern SHORT_LIMIT = Pattern.compile("(\\d+) *(?:/|per|in|,) *(\\d*) *(ms|[smhd]?)[a-z]*",
			Pattern.CASE_INSENSITIVE);

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
	 * Describe a value in place of properties: of a group, a map of names or a list.
	 * @param name the name that has the value
	 * @param property the value, {@code null} if Spring Boot does not provide it
	 * @return the mistake, or {@code null} if a value is expected there
	 */
	static @Nullable RateLimitConfigurationException ofValue(ConfigurationPropertyName name,
			@Nullable ConfigurationProperty property) {
		PropertyTree.Node node = PropertyTree.follow(name);
		boolean isGroup = node.rawType().isRecord();
		boolean isList = node.isCollection() && node.elementType().isRecord();
		if (!node.name().equals(name) || !(isGroup || isList || node.isMap())) {
			return null;
		}
		String value = (property != null) ? String.valueOf(property.getValue()).strip() : "";
		PropertyOrigin origin = new PropertyOrigin((property != null) ? property.getOrigin() : null, true);
		Matcher withoutSpace = WITHOUT_SPACE.matcher(value);
		if (origin.isYaml() && withoutSpace.matches()
				&& (node.isMap() || node.children().contains(withoutSpace.group(1)))) {
			return withoutSpace(name + "." + value, value, origin);
		}
		if (property != null && !isGroup) {
			return node.isMap() ? valueForMap(property, name) : mapForList(property, name, "minute");
		}
		return new RateLimitConfigurationException(
				name + " has a value, but it is a group of properties." + origin.sentence(),
				remedy(node, value, origin));
	}

	private static String remedy(PropertyTree.Node group, String value, PropertyOrigin origin) {
		Matcher limit = SHORT_LIMIT.matcher(value);
		if (limit.matches() && group.children().contains("period")) {
			Notation notation = origin.notation(group.name().append("max").toString(), "max");
			return "Write " + notation.spell("max", limit.group(1)) + " and " + notation.spell("period", period(limit))
					+ " below it.";
		}
		return "Write the properties below it: " + String.join(", ", group.children())
				+ ". In YAML a space follows each colon.";
	}

	private static String period(Matcher limit) {
		String unit = limit.group(3).isEmpty() ? "s" : limit.group(3).toLowerCase(Locale.ROOT);
		return (limit.group(2).isEmpty() ? "1" : limit.group(2)) + unit;
	}

	/**
	 * Describe a name and a value between which a YAML file has a colon without a space.
	 */
	static RateLimitConfigurationException withoutSpace(String written, String attribute, PropertyOrigin origin) {
		int colon = attribute.indexOf(':');
		String value = attribute.substring(colon + 1);
		Matcher limit = SHORT_LIMIT.matcher(value);
		return new RateLimitConfigurationException(
				written + " has no value: in YAML a space follows the colon." + origin.sentence(),
				"Write " + attribute.substring(0, colon) + ": "
						+ (limit.matches() ? "{max: " + limit.group(1) + ", period: " + period(limit) + '}' : value)
						+ '.');
	}

	private static RateLimitConfigurationException valueForMap(ConfigurationProperty property,
			ConfigurationPropertyName map) {
		String attribute = map.getLastElement(Form.DASHED);
		String remedy = LocatedMistake.isYaml(property) ? "`" + attribute + ": {reply: {max: 5, period: 60s}}`"
				: "`" + attribute + ".reply.max: 5`";
		return LocatedMistake.of(property, map, attribute + " is a map of names.",
				"Write a name and its properties, " + remedy + " for example. Or remove it.");
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
