package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

import io.github.ratelimit.notation.Notation;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.boot.origin.SystemEnvironmentOrigin;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Place where a user wrote a property: the file, the line and the notation.
 *
 * @param origin the origin of the property, {@code null} if it is not known
 * @param isItsOwn whether it is that of the property, not only of its neighbors
 */
record PropertyOrigin(@Nullable Origin origin, boolean isItsOwn) {

	PropertyOrigin {
		origin = (origin instanceof PropertySourceOrigin source) ? source.getOrigin() : origin;
	}

	/**
	 * Find the place of a property or of the first one of a rule, or of its neighbors if
	 * it is missing.
	 */
	static PropertyOrigin find(ConfigurationPropertyName name, Environment environment) {
		boolean isGroup = PropertyTree.follow(name).rawType().isRecord();
		ConfigurationPropertyName neighbor = null;
		Origin ofNeighbor = null;
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
			ConfigurationProperty property = source.getConfigurationProperty(name);
			if (property != null) {
				return new PropertyOrigin(property.getOrigin(), true);
			}
			ConfigurationPropertyName first = isGroup ? neighbor(name, source) : null;
			if (first != null) {
				return new PropertyOrigin(Origin.from(source.getConfigurationProperty(first)), true);
			}
			neighbor = (neighbor != null) ? neighbor : neighbor(name.getParent(), source);
			if (neighbor != null && ofNeighbor == null) {
				ofNeighbor = Origin.from(source.getConfigurationProperty(neighbor));
			}
		}
		return new PropertyOrigin(ofNeighbor, false);
	}

	/**
	 * Find a property, {@code null} if it has no value.
	 */
	static @Nullable ConfigurationProperty property(ConfigurationPropertyName name, Environment environment) {
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
			ConfigurationProperty property = source.getConfigurationProperty(name);
			if (property != null) {
				return property;
			}
		}
		return null;
	}

	private static @Nullable ConfigurationPropertyName neighbor(ConfigurationPropertyName parent,
			ConfigurationPropertySource source) {
		return (source instanceof IterableConfigurationPropertySource iterable)
				? iterable.stream().filter(parent::isAncestorOf).findFirst().orElse(null) : null;
	}

	/**
	 * Find the environment variables that set properties below a name.
	 * @return the variables as they are written, in alphabetical order
	 */
	static List<String> variablesBelow(ConfigurationPropertyName name, Environment environment) {
		Set<String> variables = new TreeSet<>();
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
			if (source instanceof IterableConfigurationPropertySource iterable) {
				iterable.stream()
					.filter(name::isAncestorOf)
					.map((property) -> Origin.from(source.getConfigurationProperty(property)))
					.filter(PropertyOrigin::isEnvironmentVariable)
					.forEach((origin) -> variables.add(((PropertySourceOrigin) origin).getPropertyName()));
			}
		}
		return List.copyOf(variables);
	}

	/**
	 * Return the name of the environment variable that sets a property, {@code null} if
	 * none does.
	 */
	static @Nullable String variableOf(ConfigurationProperty property) {
		Origin origin = property.getOrigin();
		return isEnvironmentVariable(origin) ? ((PropertySourceOrigin) origin).getPropertyName() : null;
	}

	private static boolean isEnvironmentVariable(@Nullable Origin origin) {
		return origin instanceof PropertySourceOrigin source
				&& source.getPropertySource() instanceof SystemEnvironmentPropertySource;
	}

	/**
	 * Return a sentence with file and line, empty if it is no line of a file.
	 */
	String sentence() {
		TextResourceOrigin.Location location = (this.isItsOwn && this.origin instanceof TextResourceOrigin text)
				? text.getLocation() : null;
		return (location != null) ? " It is set in " + fileName() + ", line " + (location.getLine() + 1) + '.' : "";
	}

	/**
	 * Return the notation of properties there: YAML unless it is a properties file or an
	 * environment variable.
	 * @param location the property, {@code ratelimit.rules.reply.max} for example
	 * @param attribute its end, {@code max} for example
	 */
	Notation notation(String location, String attribute) {
		String parent = location.substring(0, location.length() - attribute.length());
		if (this.origin instanceof SystemEnvironmentOrigin) {
			return (name, value) -> variable(full(parent, name)) + '=' + value;
		}
		return fileName().endsWith(".properties") ? (name, value) -> full(parent, name) + '=' + value : Notation.YAML;
	}

	boolean isFile() {
		return this.origin instanceof TextResourceOrigin;
	}

	boolean isYaml() {
		return notation("", "") == Notation.YAML;
	}

	private static String full(String parent, String name) {
		return name.startsWith("ratelimit.") ? name : parent + name;
	}

	static String variable(String property) {
		return property.replace("-", "").replaceAll("[.\\[\\]]+", "_").toUpperCase(Locale.ROOT);
	}

	private String fileName() {
		boolean isFile = this.origin instanceof TextResourceOrigin text && text.getResource() != null;
		String name = isFile ? ((TextResourceOrigin) this.origin).getResource().getFilename() : null;
		return (name != null) ? name : "";
	}

}
