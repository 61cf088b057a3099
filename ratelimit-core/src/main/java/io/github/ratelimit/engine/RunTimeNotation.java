package io.github.ratelimit.engine;

import java.util.Set;

import io.github.ratelimit.notation.Notation;

/**
 * Notation of remedies for a change at run time: JSON for attributes that can be changed
 * then, and properties for all others.
 *
 * @param changeable the attributes that can be changed at run time
 */
record RunTimeNotation(Set<String> changeable) implements Notation {

	static final Notation OF_RULES = new RunTimeNotation(Set.of("max", "period", "mode", "limit"));

	static final Notation OF_KEYS = new RunTimeNotation(Set.of("max", "limit"));

	@Override
	public String spell(String attribute, String value) {
		return this.changeable.contains(attribute) ? JSON.spell(attribute, value)
				: YAML.spell(attribute, value) + " in the properties";
	}

}
