package io.github.ratelimit.autoconfigure;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.autoconfigure.RateLimitProperties.HttpMethod;
import io.github.ratelimit.engine.NearestName;
import io.github.ratelimit.notation.DurationWords;
import io.github.ratelimit.notation.KebabCase;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Mistakes in properties that Spring Boot cannot bind: unknown names, and values of a
 * wrong type. They name the file and line, and give a remedy in the notation of that
 * file.
 */
final class BindingMistakes {

	private static final Map<String, String> OTHER_WORDS = Map.of("memory", "local", "in-memory", "local", "caffeine",
			"local", "dry-run", "shadow", "disabled", "off", "fail-open", "allow", "fail-closed", "deny", "gcra",
			"token-bucket");

	private static final ConfigurationPropertyName RULES = ConfigurationPropertyName.of("ratelimit.rules");

	private static final List<String> RATE = List.of("max", "period");

	/** Attributes that the annotation alone has. */
	private static final List<String> OF_ANNOTATIONS = List.of("name", "cost", "condition", "fallback");

	/** Properties of Spring Boot for the connection to Redis. */
	private static final List<String> OF_CONNECTIONS = List.of("host", "port", "url", "database", "username",
			"password", "ssl", "cluster", "sentinel");

	private static final ConfigurationPropertyName REDIS = StrictBinding.ROOT.append("redis");

	private static final ConfigurationPropertyName SPRING_DATA = ConfigurationPropertyName.of("spring.data");

	private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^{}:]+)}");

	private static final Pattern PERCENT = Pattern.compile("\\s*(\\d+(?:\\.\\d+)?)\\s*%\\s*");

	private BindingMistakes() {
	}

	static @Nullable RateLimitConfigurationException of(BindException failure, Environment environment) {
		ConfigurationPropertyName name = failure.getName();
		if (failure.getCause() instanceof RateLimitConfigurationException mistake) {
			return mistake;
		}
		if (!StrictBinding.isOurs(name)) {
			return null;
		}
		if (failure.getCause() instanceof UnboundConfigurationPropertiesException unbound) {
			return Mistakes.SeveralException
				.of(unbound.getUnboundProperties().stream().map(BindingMistakes::unbound).toList());
		}
		ConfigurationProperty property = (failure.getProperty() != null) ? failure.getProperty()
				: PropertyOrigin.property(name, environment);
		if (property == null) {
			return null;
		}
		RateLimitConfigurationException unset = unset(property, failure.getTarget(), environment);
		return (unset != null) ? unset : invalid(property, failure.getTarget());
	}

	/**
	 * Describe a value with a placeholder that has none.
	 * @return {@code null} if there is no such placeholder
	 */
	private static @Nullable RateLimitConfigurationException unset(ConfigurationProperty property, Bindable<?> target,
			Environment environment) {
		Matcher unset = PLACEHOLDER.matcher(resolved(String.valueOf(property.getValue()), environment));
		if (!unset.find()) {
			return null;
		}
		String name = unset.group(1);
		String attribute = attribute(property.getName()).getLastElement(Form.DASHED);
		return mistake(property, "nothing sets " + name + '.', "Set " + name + ", or write a default, ${" + name + ':'
				+ example(target, attribute, "value") + "} for example.");
	}

	private static String resolved(String value, Environment environment) {
		try {
			return environment.resolvePlaceholders(value);
		}
		catch (IllegalArgumentException ex) {
			return value; // placeholders in a circle
		}
	}

	private static RateLimitConfigurationException unbound(ConfigurationProperty property) {
		ConfigurationPropertyName name = property.getName();
		PropertyTree.Node last = PropertyTree.follow(name);
		int depth = last.depth();
		ConfigurationPropertyName parent = name.chop(depth);
		if (PropertyTree.follow(parent.getParent()).isMap() && name.isNumericIndex(depth - 1)) {
			return mistake(property, parent.getParent().getLastElement(Form.DASHED) + " is a map of names, not a list.",
					"Write a name, and below it the properties: " + parent.getParent() + '.'
							+ (name.getLastElement(Form.DASHED).equals("name") ? property.getValue() : "reply")
							+ " for example.");
		}
		if (PropertyTree.follow(parent.getParent()).isMap() && depth + 1 < name.getNumberOfElements()
				&& PropertyTree.isProperty(parent.append(name.subName(depth + 1)))) {
			String first = parent.getLastElement(Form.ORIGINAL);
			String second = name.getElement(depth, Form.ORIGINAL);
			return mistake(property, "there is no such property: a dot ends a name.",
					RULES.isAncestorOf(parent)
							? "Names of rules and their parts have no dots: write " + parent.getParent() + '.' + first
									+ '-' + second + '.' + name.subName(depth + 1) + '.'
							: "Write a name that contains a dot in brackets: " + parent.getParent() + '[' + first + '.'
									+ second + "]." + name.subName(depth + 1) + "; in YAML also in quotation marks.");
		}
		if (depth == name.getNumberOfElements()) {
			if (String.valueOf(property.getValue()).isBlank()) {
				return mistake(property, "it is empty.", "Write a value, or remove it.");
			}
			return last.isGroup() && !name.isLastElementIndexed() ? group(property, last) : mistake(property,
					"it is not read: the elements of a list are read until a number is missing.",
					"Number them without a gap, [0], [1], [2], in one place: its list replaces those of others.");
		}
		if (last.isCollection()) {
			return mistake(property, parent.getLastElement(Form.DASHED) + " is a list.", elements(parent));
		}
		String inOtherWords = (depth + 1 == name.getNumberOfElements()) ? inOtherWords(property) : null;
		if (inOtherWords != null) {
			return mistake(property, "there is no such property.", inOtherWords);
		}
		if (last.children().contains("on-store-failure") && depth + 1 == name.getNumberOfElements()
				&& OF_ANNOTATIONS.contains(name.getLastElement(Form.DASHED))) {
			return mistake(property, "there is no such property: it is an attribute of @RateLimited alone.",
					"Write it in the annotation of the method, or remove it.");
		}
		Optional<ConfigurationPropertyName> meant = meant(name, last, parent);
		String suggestion = meant.map((each) -> " Did you mean " + each + '?')
			.orElse(last.children().isEmpty() ? "" : " Known: " + String.join(", ", last.children()) + '.');
		String remedy = meant.map((each) -> each.getParent().equals(name.getParent())
				? "Write `" + each.getLastElement(Form.DASHED) + ": " + property.getValue() + "`."
				: "Write " + each + '.')
			.orElse("Remove it, or write a known one.");
		return mistake(property, "there is no such property." + suggestion, remedy);
	}

	/**
	 * Return the property that an unknown one may mean: with a similar element in place
	 * of the unknown one, or with one more element at the beginning.
	 */
	private static Optional<ConfigurationPropertyName> meant(ConfigurationPropertyName name, PropertyTree.Node last,
			ConfigurationPropertyName known) {
		ConfigurationPropertyName rest = name.subName(last.depth() + 1);
		Optional<ConfigurationPropertyName> similar = NearestName
			.of(name.getElement(last.depth(), Form.DASHED), last.children())
			.map(known::append);
		return similar.map((each) -> each.append(rest))
			.filter(PropertyTree::isProperty)
			.or(() -> similar)
			.or(() -> last.children()
				.stream()
				.map((group) -> known.append(group).append(name.subName(last.depth())))
				.filter((each) -> PropertyTree.isProperty(each) && !PropertyTree.follow(each.getParent()).isMap())
				.findFirst())
			.or(() -> known.equals(REDIS) && OF_CONNECTIONS.contains(name.getElement(2, Form.DASHED))
					? Optional.of(SPRING_DATA.append(name.subName(1))) : Optional.empty());
	}

	private static @Nullable String inOtherWords(ConfigurationProperty property) {
		return PropertyTree.follow(property.getName().getParent()).children().containsAll(RATE)
				? LimitInOtherWords.remedy(property) : null;
	}

	/**
	 * Describe a value of a wrong type.
	 * @return {@code null} if any text fits
	 */
	static @Nullable RateLimitConfigurationException invalid(ConfigurationProperty property, Bindable<?> target) {
		PropertyTree.Node node = PropertyTree.follow(property.getName());
		if (node.depth() < property.getName().getNumberOfElements()) {
			return null;
		}
		Class<?> type = node.valueType();
		String attribute = attribute(property.getName()).getLastElement(Form.DASHED);
		if (node.isGroup() && node.children().contains(attribute)) {
			ConfigurationPropertyName map = property.getName().getParent();
			return mistake(property, map.getLastElement(Form.DASHED) + " is a map of names.",
					"Write a name before it: " + map + ".reply." + attribute + " for example.");
		}
		if (node.isGroup()) {
			return group(property, node);
		}
		if (node.isMap()) {
			boolean hasGroups = PropertyTree.follow(property.getName().append("reply")).isGroup();
			return mistake(property, attribute + " is a map of names.",
					(hasGroups ? "Write a name, and below it the properties: " + property.getName() + ".reply"
							: "Write a name before the value: " + property.getName() + ".low: " + property.getValue())
							+ " for example. In YAML a space follows each colon.");
		}
		if (type.isRecord()) {
			String inOtherWords = inOtherWords(property);
			return mistake(property, attribute + " is a list.",
					(inOtherWords != null) ? inOtherWords : elements(property.getName()));
		}
		if (type.isEnum()) {
			return constant(property, type, attribute);
		}
		if (type == Duration.class) {
			boolean isInSeconds = target.getAnnotation(DurationUnit.class) != null;
			return mistake(property, "it is not a duration.", DurationWords.remedy(String.valueOf(property.getValue()),
					attribute, example(target, attribute, "60s"), isInSeconds ? "seconds" : "milliseconds"));
		}
		if (type == boolean.class || type == Boolean.class) {
			return mistake(property, "it is neither true nor false.",
					"Write `" + attribute + ": true` or `" + attribute + ": false`.");
		}
		boolean isFraction = type == double.class || type == BigDecimal.class;
		if (!isFraction && !ClassUtils.isPrimitiveOrWrapper(type)) {
			return null;
		}
		String value = String.valueOf(property.getValue());
		Matcher percent = PERCENT.matcher(value);
		if (isFraction && percent.matches()) {
			return mistake(property, "it is not a number.", "Write `" + attribute + ": "
					+ new BigDecimal(percent.group(1)).movePointLeft(2).stripTrailingZeros().toPlainString() + "`.");
		}
		String reason = isFraction ? "it is not a number."
				: value.matches("\\d+") ? "it is too large." : "it is not a whole number.";
		return mistake(property, reason,
				"Write `" + attribute + ": " + example(target, attribute, "5") + "` for example.");
	}

	private static RateLimitConfigurationException group(ConfigurationProperty property, PropertyTree.Node node) {
		String children = node.children().containsAll(RATE) ? "max: 5 and period: 60s for example"
				: String.join(", ", node.children());
		return mistake(property, "it is a group of properties.",
				"Write the properties below it: " + children + ". In YAML a space follows each colon.");
	}

	private static RateLimitConfigurationException constant(ConfigurationProperty property, Class<?> type,
			String attribute) {
		List<String> known = Arrays.stream(type.getEnumConstants())
			.filter((constant) -> constant != Algorithm.DEFAULT)
			.map((constant) -> (constant instanceof HttpMethod method) ? method.name()
					: KebabCase.of((Enum<?>) constant))
			.toList();
		String value = String.valueOf(property.getValue());
		Optional<String> meant = Optional.ofNullable(OTHER_WORDS.get(value))
			.filter(known::contains)
			.or(() -> NearestName.of(value, known))
			.or(() -> known.stream()
				.filter((name) -> name.startsWith(value) || (value.startsWith(name) && value.indexOf(',') < 0))
				.findFirst());
		return mistake(property,
				"it is not one of " + String.join(", ", known) + '.'
						+ meant.map((name) -> " Did you mean " + name + '?').orElse(""),
				"Write `" + attribute + ": "
						+ meant.map((name) -> name + "`.").orElse(known.get(0) + "` for example."));
	}

	private static String example(Bindable<?> target, String attribute, String other) {
		DefaultValue value = target.getAnnotation(DefaultValue.class);
		return (value != null) ? value.value()[0]
				: LimitAttribute.all()
					.stream()
					.filter((known) -> known.name().equals(attribute))
					.findFirst()
					.map(LimitAttribute::example)
					.orElse(other);
	}

	private static String elements(ConfigurationPropertyName list) {
		return "In YAML begin each element with a hyphen; elsewhere write its number, " + list + "[0] for example.";
	}

	private static ConfigurationPropertyName attribute(ConfigurationPropertyName name) {
		return name.isLastElementIndexed() ? name.getParent() : name;
	}

	private static RateLimitConfigurationException mistake(ConfigurationProperty property, String reason,
			String remedy) {
		ConfigurationPropertyName name = property.getName();
		PropertyOrigin origin = new PropertyOrigin(property.getOrigin(), true);
		String value = (property.getValue() instanceof String text) ? '"' + text + '"'
				: String.valueOf(property.getValue());
		String attribute = attribute(name).getLastElement(Form.DASHED);
		return new InvalidAttributeException(attribute, value, reason + origin.sentence(), remedy).at(name.toString(),
				origin.notation(attribute(name).toString(), attribute)::print);
	}

}
