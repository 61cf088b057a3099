package io.github.ratelimit.override;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.Mode;
import io.github.ratelimit.attribute.LimitAttributes;
import io.github.ratelimit.engine.CandidateOverride;
import io.github.ratelimit.engine.RuleOverride;
import io.github.ratelimit.notation.DurationText;
import org.jspecify.annotations.Nullable;

/**
 * Text of a stored override: words that people can read as well, with durations in
 * milliseconds. Words of one of several limits begin with its name, as in
 * {@code day.max=10}.
 * <ul>
 * <li>Of a rule: {@code made=2026-11-22T08:30:00Z mode=shadow max=10 period=60000}</li>
 * <li>Of a candidate, stored as that of the rule {@code reply?tight}:
 * {@code made=2026-11-22T08:30:00Z max=5 algorithm=token-bucket}, and
 * {@code removed=true} for one that the properties define. Versions of this library that
 * know no candidates find no rule of this name.</li>
 * <li>Of a key: {@code until=1795248000000 max=900}, with the end in milliseconds of the
 * store's clock in front; {@code blocked} or {@code unlimited}</li>
 * </ul>
 *
 * @param words the text without its end
 * @param lasting how long it holds from the moment at which it is stored, or {@code null}
 * @param until its end in milliseconds, or {@code null}
 * @since 0.1.0
 */
public record OverrideText(String words, @Nullable Duration lasting, @Nullable Instant until) {

	private static final char CANDIDATE = '?';

	private static final String UNTIL = "until=";

	private static final Pattern END = Pattern.compile(UNTIL + "(\\d{1,18}) ");

	private static final String MAX = "max";

	private static final String BLOCKED = "blocked";

	private static final String UNLIMITED = "unlimited";

	private static final Set<String> OF_RULES = Set.of("made", "mode", MAX, "period");

	private static final Set<String> OF_CANDIDATES = Set.of("made", "removed", MAX, "burst", "period", "algorithm");

	/** Create a text without an end. */
	public OverrideText(String words) {
		this(words, null, null);
	}

	static OverrideText of(RuleOverride override) {
		StringJoiner text = new StringJoiner(" ").add("made=" + override.made());
		if (override.mode() != null) {
			text.add("mode=" + override.mode().name().toLowerCase(Locale.ROOT));
		}
		override.limits().forEach((name, limit) -> add(text, name, limit));
		return new OverrideText(text.toString());
	}

	static OverrideText of(CandidateOverride override) {
		StringJoiner text = new StringJoiner(" ").add("made=" + override.made());
		if (override.limits() == null) {
			text.add("removed=true");
		}
		else {
			override.limits().forEach((name, limit) -> add(text, name, limit));
		}
		return new OverrideText(text.toString());
	}

	private static void add(StringJoiner text, String name, LimitAttributes limit) {
		limit.values().forEach((attribute, value) -> text.add(pathOf(name) + attribute + '=' + textOf(value)));
	}

	private static String pathOf(String limit) {
		return limit.isEmpty() ? "" : limit + '.';
	}

	private static Object textOf(Object value) {
		if (value instanceof Algorithm algorithm) {
			return algorithm.yamlName();
		}
		return (value instanceof Duration duration) ? duration.toMillis() : value;
	}

	static OverrideText of(KeyOverride override) {
		StringJoiner text = new StringJoiner(" ");
		if (override.isBlocked() || override.isUnlimited()) {
			text.add(override.isBlocked() ? BLOCKED : UNLIMITED);
		}
		override.maxima().forEach((limit, max) -> text.add(pathOf(limit) + MAX + '=' + max));
		return new OverrideText(text.toString(), override.lasting(), override.until());
	}

	/**
	 * Return the text at the time at which it is stored.
	 * @param nowMillis the time of the store in milliseconds
	 */
	public String at(long nowMillis) {
		Instant end = (this.lasting != null) ? Instant.ofEpochMilli(nowMillis).plus(this.lasting) : this.until;
		return (end != null) ? UNTIL + end.toEpochMilli() + ' ' + this.words : this.words;
	}

	/**
	 * Return the end of a stored text in milliseconds, {@link Long#MAX_VALUE} for none,
	 * and of a text that nobody can read.
	 */
	public static long end(String text) {
		Matcher end = END.matcher(text);
		return end.lookingAt() ? Long.parseLong(end.group(1)) : Long.MAX_VALUE;
	}

	/** Return the name of a candidate among rules. */
	static String nameOf(String rule, String candidate) {
		return rule + CANDIDATE + candidate;
	}

	static boolean isOfCandidate(String name) {
		return name.indexOf(CANDIDATE) > 0;
	}

	/** Return how people call what a text of that name changes. */
	static String subject(String name) {
		int end = name.indexOf(CANDIDATE);
		return (end < 0) ? "The rate limit rule \"" + name + '"' : "The candidate \"" + name.substring(end + 1)
				+ "\" of the rate limit rule \"" + name.substring(0, end) + '"';
	}

	/** Return what the text of a rule or candidate changes, as people write it. */
	static String inWords(String text) {
		if (text.endsWith("removed=true")) {
			return " was removed at run time.";
		}
		return Arrays.stream(text.split(" "))
			.filter((word) -> !word.startsWith("made="))
			.map((word) -> word.split("=", 2))
			.map((pair) -> pair[0] + ": "
					+ (pair[0].endsWith("period") ? DurationText.of(Duration.ofMillis(Long.parseLong(pair[1])))
							: pair[1]))
			.collect(Collectors.joining(", ", " was changed at run time: ", "."));
	}

	/**
	 * Read the stored text of a rule, perhaps of another version of this library.
	 * @throws IllegalArgumentException if it is invalid
	 */
	static RuleOverride readRule(String rule, String text) {
		Parts parts = new Parts(text, OF_RULES);
		return new RuleOverride(rule, parts.mode, parts.limits, parts.made);
	}

	/**
	 * Read the stored text of a candidate, perhaps of another version of this library.
	 * @throws IllegalArgumentException if it is invalid
	 */
	static CandidateOverride readCandidate(String name, String text) {
		Parts parts = new Parts(text, OF_CANDIDATES);
		int end = name.indexOf(CANDIDATE);
		return new CandidateOverride(name.substring(0, end), name.substring(end + 1),
				parts.isRemoved ? null : parts.limits, parts.made);
	}

	/**
	 * Read the stored text of a key, perhaps of another version of this library.
	 * @throws IllegalArgumentException if it is invalid
	 */
	static KeyOverride readKey(String text) {
		KeyOverride override = null;
		Instant until = null;
		for (String word : text.split(" ")) {
			int sign = word.indexOf('=');
			String name = (sign < 0) ? word : word.substring(0, sign);
			String value = word.substring(sign + 1);
			if (name.equals("until")) {
				until = time(value, (millis) -> Instant.ofEpochMilli(number(millis)));
			}
			else {
				override = with(override, name, value);
			}
		}
		if (override == null) {
			throw new IllegalArgumentException("nothing is overridden");
		}
		return override.until(until);
	}

	private static KeyOverride with(@Nullable KeyOverride override, String name, String value) {
		if (override == null && name.equals(BLOCKED)) {
			return KeyOverride.blocked();
		}
		if (override == null && name.equals(UNLIMITED)) {
			return KeyOverride.unlimited();
		}
		boolean isOfOnlyLimit = name.equals(MAX);
		if ((!isOfOnlyLimit && !name.endsWith('.' + MAX)) || (override != null && override.maxima().isEmpty())) {
			throw unknown(name);
		}
		String limit = isOfOnlyLimit ? "" : name.substring(0, name.length() - MAX.length() - 1);
		long max = number(value);
		return (override != null) ? override.and(limit, max) : KeyOverride.max(limit, max);
	}

	private static long number(String value) {
		try {
			return Long.parseLong(value);
		}
		catch (NumberFormatException ex) {
			throw new IllegalArgumentException('"' + value + "\" is not a whole number", ex);
		}
	}

	private static Instant time(String value, Function<String, Instant> reader) {
		try {
			return reader.apply(value);
		}
		catch (DateTimeException ex) {
			throw new IllegalArgumentException('"' + value + "\" is not a time", ex);
		}
	}

	private static IllegalArgumentException unknown(String name) {
		return new IllegalArgumentException("unknown: \"" + name + '"');
	}

	private static final class Parts {

		private Instant made = Instant.EPOCH;

		private @Nullable Mode mode;

		private boolean isRemoved;

		private final SortedMap<String, LimitAttributes> limits = new TreeMap<>();

		Parts(String text, Set<String> known) {
			for (String word : text.split(" ")) {
				int sign = word.indexOf('=');
				if (sign < 0) {
					throw new IllegalArgumentException('"' + word + "\" is not name=value");
				}
				String path = word.substring(0, sign);
				if (!known.contains(path.substring(path.lastIndexOf('.') + 1))) {
					throw unknown(path);
				}
				accept(path, word.substring(sign + 1));
			}
		}

		private void accept(String path, String value) {
			switch (path) {
				case "made" -> this.made = time(value, Instant::parse);
				case "mode" -> this.mode = Mode.valueOf(value.toUpperCase(Locale.ROOT));
				case "removed" -> this.isRemoved = true;
				default -> {
					String limit = path.substring(0, Math.max(path.lastIndexOf('.'), 0));
					LimitAttributes attributes = this.limits.getOrDefault(limit, LimitAttributes.NONE);
					this.limits.put(limit, with(attributes, path, value));
				}
			}
		}

		private static LimitAttributes with(LimitAttributes limit, String path, String value) {
			return switch (path.substring(path.lastIndexOf('.') + 1)) {
				case MAX -> limit.with(LimitAttribute.MAX, number(value));
				case "burst" -> limit.with(LimitAttribute.BURST, number(value));
				case "period" -> limit.with(LimitAttribute.PERIOD, Duration.ofMillis(number(value)));
				case "algorithm" -> limit.with(LimitAttribute.ALGORITHM, algorithm(value));
				default -> throw unknown(path);
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

}
