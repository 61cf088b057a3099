package io.github.ratelimit.actuate.endpoint;

import java.time.Duration;
import java.util.Locale;

import io.github.ratelimit.DurationText;
import org.jspecify.annotations.Nullable;

/**
 * Values as configuration files and JSON write them.
 */
final class Words {

	private Words() {
	}

	/**
	 * A constant in kebab case; {@code enforce} for no mode, as it is in force then.
	 */
	static String of(@Nullable Enum<?> constant) {
		return (constant != null) ? constant.name().toLowerCase(Locale.ROOT).replace('_', '-') : "enforce";
	}

	static String of(Duration duration) {
		return DurationText.of(duration);
	}

	/**
	 * A time as people tell it, rounded up to milliseconds: {@code 1.5 s}.
	 */
	static String time(Duration duration) {
		long millis = millis(duration);
		return (millis < 1000) ? millis + " ms"
				: String.format(Locale.ROOT, "%.1f s", Math.ceil(millis / 100.0) / 10).replace(".0 s", " s");
	}

	/**
	 * Milliseconds, rounded up: who comes back then is not too early.
	 */
	static long millis(Duration duration) {
		long millis = duration.toMillis();
		return (duration.minusMillis(millis).isZero()) ? millis : millis + 1;
	}

	/**
	 * The name of a member for the name of an attribute: {@code maxWait} for
	 * {@code max-wait}.
	 */
	static String camelCase(String attribute) {
		StringBuilder name = new StringBuilder();
		for (String word : attribute.split("-")) {
			name.append(name.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
		}
		return name.toString();
	}

}
