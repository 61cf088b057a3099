package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.notation.Notation;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;

/**
 * Mistakes in properties with their file and line, and a remedy in the notation of that
 * file.
 */
final class LocatedMistake {

	private LocatedMistake() {
	}

	static InvalidAttributeException of(ConfigurationProperty property, String reason, String remedy) {
		return of(property, property.getName(), reason, remedy);
	}

	/**
	 * Locate a mistake in an element of a list. YAML files contain the list, properties
	 * files the element.
	 */
	static InvalidAttributeException ofElement(ConfigurationProperty property, String reason, String remedy) {
		ConfigurationPropertyName list = property.getName().getParent();
		String location = property.getName().toString();
		String attribute = list.getLastElement(Form.DASHED);
		Notation notation = new PropertyOrigin(property.getOrigin(), true).notation(list.toString(), attribute);
		Notation ofElement = (name, value) -> (notation == Notation.YAML) ? notation.spell(name, '[' + value + ']')
				: notation.spell(location, value);
		return mistake(property, attribute, reason, remedy).at(location, ofElement::print);
	}

	/**
	 * Locate a mistake in a part of a property. The remedy is about that part.
	 */
	static InvalidAttributeException of(ConfigurationProperty property, ConfigurationPropertyName part, String reason,
			String remedy) {
		String attribute = part.getLastElement(Form.DASHED);
		Notation notation = new PropertyOrigin(property.getOrigin(), true).notation(part.toString(), attribute);
		return mistake(property, attribute, reason, remedy).at(property.getName().toString(), notation::print);
	}

	static boolean isYaml(ConfigurationProperty property) {
		return new PropertyOrigin(property.getOrigin(), true).isYaml();
	}

	private static InvalidAttributeException mistake(ConfigurationProperty property, String attribute, String reason,
			String remedy) {
		String value = (property.getValue() instanceof String text) ? '"' + text + '"'
				: String.valueOf(property.getValue());
		return new InvalidAttributeException(attribute, value,
				reason + new PropertyOrigin(property.getOrigin(), true).sentence(), remedy);
	}

}
