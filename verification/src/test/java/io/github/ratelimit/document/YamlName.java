package io.github.ratelimit.document;

import java.util.Locale;

/**
 * Name of an enum constant in configuration files.
 */
public final class YamlName {

	private YamlName() {
	}

	/**
	 * Return the name of a constant.
	 * @param constant a constant of any enum
	 * @return the name in kebab case
	 */
	public static String of(Enum<?> constant) {
		return of(constant.name());
	}

	static String of(String constant) {
		return constant.toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
