package io.github.ratelimit.override;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.attribute.LimitAttributes;
import io.github.ratelimit.Mode;
import io.github.ratelimit.engine.RuleOverride;

/**
 * Text of a stored override: words that people can read as well, with the period in
 * milliseconds. {@code made=2026-11-22T08:30:00Z mode=shadow max=10 period=60000}, and
 * {@code day.max=10} for one of several limits.
 */
final class OverrideText {

	private OverrideText() {
	}

	static String of(RuleOverride override) {
		StringJoiner text = new StringJoiner(" ");
		text.add("made=" + override.made());
		if (override.mode() != null) {
			text.add("mode=" + override.mode().name().toLowerCase(Locale.ROOT));
		}
		override.limits().forEach((name, attributes) -> {
			String path = name.equals(RuleOverride.ONLY_LIMIT) ? "" : name + '.';
			add(text, path + "max=", attributes.get(LimitAttribute.MAX));
			Duration period = attributes.get(LimitAttribute.PERIOD);
			add(text, path + "period=", (period != null) ? period.toMillis() : null);
		});
		return text.toString();
	}

	private static void add(StringJoiner text, String prefix, @Nullable Long value) {
		if (value != null) {
			text.add(prefix + value);
		}
	}

	/**
	 * Read a stored text, perhaps of another version of this library.
	 * @throws IllegalArgumentException if it is invalid
	 */
	static RuleOverride read(String rule, String text) {
		Parts parts = new Parts();
		for (String word : text.split(" ")) {
			int sign = word.indexOf('=');
			if (sign < 0) {
				throw new IllegalArgumentException('"' + word + "\" is not name=value");
			}
			parts.accept(word.substring(0, sign), word.substring(sign + 1));
		}
		return new RuleOverride(rule, parts.mode, parts.limits, parts.made);
	}

	/**
	 * Values that have been read so far.
	 */
	private static final class Parts implements BiConsumer<String, String> {

		private Instant made = Instant.EPOCH;

		private @Nullable Mode mode;

		private final SortedMap<String, LimitAttributes> limits = new TreeMap<>();

		@Override
		public void accept(String name, String value) {
			switch (name) {
				case "made" -> this.made = time(value);
				case "mode" -> this.mode = Mode.valueOf(value.toUpperCase(Locale.ROOT));
				default -> limit(name, value);
			}
		}

		private static Instant time(String value) {
			try {
				return Instant.parse(value);
			}
			catch (DateTimeException ex) {
				throw new IllegalArgumentException('"' + value + "\" is not a time", ex);
			}
		}

		private void limit(String path, String value) {
			int dot = path.lastIndexOf('.');
			String limit = (dot < 0) ? RuleOverride.ONLY_LIMIT : path.substring(0, dot);
			LimitAttributes attributes = this.limits.getOrDefault(limit, LimitAttributes.NONE);
			this.limits.put(limit, switch (path.substring(dot + 1)) {
				case "max" -> attributes.with(LimitAttribute.MAX, Long.valueOf(value));
				case "period" -> attributes.with(LimitAttribute.PERIOD, Duration.ofMillis(Long.parseLong(value)));
				default -> throw new IllegalArgumentException("unknown: \"" + path + '"');
			});
		}

	}

}
