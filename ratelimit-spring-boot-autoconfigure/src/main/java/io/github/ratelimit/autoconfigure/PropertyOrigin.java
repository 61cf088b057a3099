package io.github.ratelimit.autoconfigure;

import java.util.Locale;
import java.util.Objects;
import java.util.function.Predicate;

import io.github.ratelimit.notation.Notation;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.boot.origin.SystemEnvironmentOrigin;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.core.env.Environment;

/** Place where a user wrote a property: the file, the line and the notation. */
record PropertyOrigin(@Nullable Origin origin, boolean isItsOwn) {

	PropertyOrigin {
		origin = (origin instanceof PropertySourceOrigin source) ? source.getOrigin() : origin;
	}

	static PropertyOrigin find(ConfigurationPropertyName name, Environment environment) {
		ConfigurationProperty exact = property(name, environment);
		ConfigurationProperty own = (exact != null) ? exact : first(name::isAncestorOf, environment);
		return (own != null) ? new PropertyOrigin(own.getOrigin(), true)
				: new PropertyOrigin(Origin.from(first(name.getParent()::isAncestorOf, environment)), false);
	}

	static @Nullable ConfigurationProperty property(ConfigurationPropertyName name, Environment environment) {
		return first(name::equals, environment);
	}

	private static @Nullable ConfigurationProperty first(Predicate<ConfigurationPropertyName> wanted,
			Environment environment) {
		for (IterableConfigurationPropertySource source : StrictBinding.sources(environment)) {
			ConfigurationPropertyName name = source.stream().filter(wanted).findFirst().orElse(null);
			if (name != null) {
				return source.getConfigurationProperty(name);
			}
		}
		return null;
	}

	/**
	 * Return a sentence with file and line, empty if it is no line of a file, or only
	 * that of a neighbor.
	 */
	String sentence() {
		return this.isItsOwn ? sentence("It") : "";
	}

	String sentence(String subject) {
		TextResourceOrigin.Location location = (this.origin instanceof TextResourceOrigin text) ? text.getLocation()
				: null;
		return (location != null)
				? ' ' + subject + " is set in " + fileName() + ", line " + (location.getLine() + 1) + '.' : "";
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

	private static String full(String parent, String name) {
		return name.startsWith("ratelimit.") ? name : parent + name;
	}

	private static String variable(String property) {
		return property.replace("-", "").replaceAll("[.\\[\\]]+", "_").toUpperCase(Locale.ROOT);
	}

	private String fileName() {
		return (this.origin instanceof TextResourceOrigin text && text.getResource() != null)
				? Objects.toString(text.getResource().getFilename(), "") : "";
	}

}
