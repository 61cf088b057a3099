package io.github.ratelimit.compatibility;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.aot.AotServices;

/**
 * Hints for a native image that the library registers on this class path.
 */
final class LibraryHints {

	private LibraryHints() {
	}

	static RuntimeHints registered() {
		ClassLoader loader = LibraryHints.class.getClassLoader();
		RuntimeHints hints = new RuntimeHints();
		for (RuntimeHintsRegistrar each : AotServices.factories(loader).load(RuntimeHintsRegistrar.class)) {
			if (each.getClass().getName().startsWith("io.github.ratelimit.")) {
				each.registerHints(hints, loader);
			}
		}
		return hints;
	}

}
