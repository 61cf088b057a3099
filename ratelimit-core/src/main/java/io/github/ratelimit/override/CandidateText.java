package io.github.ratelimit.override;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.StringJoiner;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.attribute.LimitAttributes;
import io.github.ratelimit.engine.CandidateOverride;
import io.github.ratelimit.engine.VariantDefinition;

/**
 * Text of a stored candidate, in the words of {@link OverrideText}, stored as that of the
 * rule {@code reply?tight}:
 * {@code made=2026-11-22T08:30:00Z max=5 algorithm=token-bucket}, and
 * {@code removed=true} for one that the properties define. Versions of this library that
 * know no candidates find no rule of this name.
 */
final class CandidateText {

	private static final char SEPARATOR = '?';

	private CandidateText() {
	}

	static String field(String rule, String candidate) {
		return rule + SEPARATOR + candidate;
	}

	/**
	 * Return whether a text is that of a candidate.
	 */
	static boolean isField(String field) {
		return field.indexOf(SEPARATOR) > 0;
	}

	static String of(CandidateOverride override) {
		StringJoiner text = new StringJoiner(" ");
		text.add("made=" + override.made());
		VariantDefinition definition = override.definition();
		if (definition == null) {
			return text.add("removed=true").toString();
		}
		add(text, "", definition.limit());
		for (LimitAttributes limit : definition.limits()) {
			add(text, limit.get(LimitAttribute.NAME) + ".", limit);
		}
		return text.toString();
	}

	private static void add(StringJoiner text, String path, LimitAttributes limit) {
		limit.values().forEach((attribute, value) -> {
			if (attribute != LimitAttribute.NAME) {
				text.add(path + attribute + '=' + text(value));
			}
		});
	}

	private static Object text(Object value) {
		if (value instanceof Algorithm algorithm) {
			return algorithm.yamlName();
		}
		return (value instanceof Duration duration) ? duration.toMillis() : value;
	}

	/**
	 * Read a stored text, perhaps of another version of this library.
	 * @throws IllegalArgumentException if it is invalid
	 */
	static CandidateOverride read(String field, String text) {
		int end = field.indexOf(SEPARATOR);
		Instant made = Instant.EPOCH;
		boolean isRemoved = false;
		LimitAttributes limit = LimitAttributes.NONE;
		String only = null;
		for (String word : text.split(" ")) {
			int sign = word.indexOf('=');
			if (sign < 0) {
				throw new IllegalArgumentException('"' + word + "\" is not name=value");
			}
			String name = word.substring(0, sign);
			String value = word.substring(sign + 1);
			if (name.equals("made")) {
				made = time(value);
			}
			else if (name.equals("removed")) {
				isRemoved = true;
			}
			else {
				int dot = name.lastIndexOf('.');
				only = (dot > 0) ? name.substring(0, dot) : only;
				limit = with(limit, name.substring(dot + 1), value);
			}
		}
		return new CandidateOverride(field.substring(0, end), field.substring(end + 1),
				isRemoved ? null : definition(only, limit), made);
	}

	/**
	 * Return the definition of a candidate.
	 * @param name the name of the limit, {@code null} for the only one
	 */
	static VariantDefinition definition(@Nullable String name, LimitAttributes limit) {
		return new VariantDefinition(VariantDefinition.Kind.CANDIDATE, (name == null) ? limit : LimitAttributes.NONE,
				(name == null) ? List.of() : List.of(limit.with(LimitAttribute.NAME, name)));
	}

	private static Instant time(String value) {
		try {
			return Instant.parse(value);
		}
		catch (DateTimeException ex) {
			throw new IllegalArgumentException('"' + value + "\" is not a time", ex);
		}
	}

	private static LimitAttributes with(LimitAttributes limit, String attribute, String value) {
		return switch (attribute) {
			case "max" -> limit.with(LimitAttribute.MAX, Long.valueOf(value));
			case "burst" -> limit.with(LimitAttribute.BURST, Long.valueOf(value));
			case "period" -> limit.with(LimitAttribute.PERIOD, Duration.ofMillis(Long.parseLong(value)));
			case "algorithm" -> limit.with(LimitAttribute.ALGORITHM, algorithm(value));
			default -> throw new IllegalArgumentException("unknown: \"" + attribute + '"');
		};
	}

	private static Algorithm algorithm(String name) {
		for (Algorithm algorithm : Algorithm.values()) {
			if (algorithm.yamlName().equals(name)) {
				return algorithm;
			}
		}
		throw new IllegalArgumentException("unknown algorithm: \"" + name + '"');
	}

}
