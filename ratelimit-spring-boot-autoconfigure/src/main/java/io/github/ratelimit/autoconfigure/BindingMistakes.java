package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

import io.github.ratelimit.RateLimitConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.core.env.Environment;

/**
 * Mistakes in properties that Spring Boot cannot bind: unknown names, and values of a
 * wrong type.
 */
final class BindingMistakes {

	private BindingMistakes() {
	}

	/**
	 * Describe a failure.
	 * @param environment has the value, if Spring Boot does not provide it
	 * @return the mistake, or {@code null} if it is not one of a property of this project
	 */
	static @Nullable RateLimitConfigurationException of(BindException failure, Environment environment) {
		if (failure.getCause() instanceof RateLimitConfigurationException mistake) {
			return mistake;
		}
		if (!PropertyTree.ROOT.equals(failure.getName()) && !PropertyTree.ROOT.isAncestorOf(failure.getName())) {
			return null;
		}
		if (failure.getCause() instanceof UnboundConfigurationPropertiesException unbound) {
			return joined(unbound.getUnboundProperties().stream().map(BindingMistakes::unknown).toList());
		}
		return (failure.getProperty() != null) ? invalid(failure.getProperty()) : group(failure.getName(), environment);
	}

	private static RateLimitConfigurationException joined(List<? extends RateLimitConfigurationException> mistakes) {
		return new RateLimitConfigurationException(
				mistakes.stream()
					.map(RateLimitConfigurationException::description)
					.distinct()
					.collect(Collectors.joining(" ")),
				mistakes.stream()
					.map(RateLimitConfigurationException::action)
					.distinct()
					.collect(Collectors.joining(" ")));
	}

	private static RateLimitConfigurationException unknown(ConfigurationProperty property) {
		ConfigurationPropertyName name = property.getName();
		RateLimitConfigurationException known = ShapeMistakes.of(property);
		return (known != null) ? known : unknown(property, name);
	}

	private static RateLimitConfigurationException unknown(ConfigurationProperty property,
			ConfigurationPropertyName name) {
		PropertyTree.Node parent = PropertyTree.follow(name);
		Optional<ConfigurationPropertyName> nearest = PropertyTree.nearest(name)
			.filter((meant) -> !isPlan(parent) || meant.getParent().equals(name.getParent()));
		List<String> known = parent.children();
		String reason = "there is no such property." + nearest.map((meant) -> " Did you mean " + meant + '?')
			.orElse(known.isEmpty() ? "" : " Known: " + String.join(", ", known) + '.');
		String remedy = nearest
			.map((meant) -> meant.getParent().equals(name.getParent()) ? meant.getLastElement(Form.DASHED)
					: meant.toString())
			.map((meant) -> "Write `" + meant + ": " + property.getValue() + "`.")
			.orElse("Remove it, or write a known one.");
		return LocatedMistake.of(property, reason, remedy);
	}

	/**
	 * Return whether other properties of rules have no meaning there.
	 */
	private static boolean isPlan(PropertyTree.Node node) {
		return node.rawType() == PlanProperties.class || node.rawType() == PlanProperties.PlanLimit.class;
	}

	private static @Nullable RateLimitConfigurationException invalid(ConfigurationProperty property) {
		ConfigurationPropertyName name = property.getName();
		PropertyTree.Node node = PropertyTree.follow(name);
		if (!node.name().equals(name)) {
			return null;
		}
		boolean isElement = name.isLastElementIndexed();
		String attribute = (isElement ? name.getParent() : name).getLastElement(Form.DASHED);
		String value = String.valueOf(property.getValue()).strip();
		ExpectedValue expected = ExpectedValue.of(node, attribute, value);
		if (expected == null) {
			return ShapeMistakes.ofValue(name, property);
		}
		if (value.isEmpty()) {
			return ShapeMistakes.empty(property, expected);
		}
		return isElement ? LocatedMistake.ofElement(property, expected.reason(), expected.remedy())
				: LocatedMistake.of(property, expected.reason(), expected.remedy());
	}

	/**
	 * Describe a value in place of a group of properties. Spring Boot does not provide
	 * the value.
	 */
	private static @Nullable RateLimitConfigurationException group(ConfigurationPropertyName name,
			Environment environment) {
		ConfigurationPropertyName parent = name.getParent();
		String element = name.getLastElement(Form.DASHED);
		if (PropertyTree.follow(parent).isMap() && PropertyTree.follow(name).children().contains(element)) {
			return new RateLimitConfigurationException(
					name + " has a value, but no name: each entry of " + parent.getLastElement(Form.DASHED)
							+ " is written under its name.",
					"Write the name before its properties, " + parent + ".reply." + element + " for example.");
		}
		return ShapeMistakes.ofValue(name, PropertyOrigin.property(name, environment));
	}

}
