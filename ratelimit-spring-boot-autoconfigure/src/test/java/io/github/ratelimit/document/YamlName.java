package io.github.ratelimit.document;

import java.util.Locale;

/**
 * How configuration files write the name of a constant.
 */
final class YamlName {

	private YamlName() {
	}

	static String of(Enum<?> constant) {
		return of(constant.name());
	}

	static String of(String constant) {
		return constant.toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
