package io.github.ratelimit.override;

import java.time.Instant;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.algorithm.StateInput;
import io.github.ratelimit.algorithm.StateOutput;

/**
 * Change at run time in the history. Its text has one {@code name=value} per line, the
 * key at the end, since it may have several lines.
 *
 * @param at when it was made, by the clock of the store
 * @param by who made it
 * @param rule the rule
 * @param key the key whose override was changed, {@code null} for the whole rule
 * @param from the override before, empty for none
 * @param to the override since, empty for none
 * @since 0.1.0
 */
public record RecordedChange(Instant at, String by, String rule, @Nullable String key, String from, String to) {

	/** Number of changes that stores keep. */
	public static final int KEPT = 100;

	/** Name of programs. */
	public static final String APPLICATION = "application";

	private static final int LONGEST_NAME = 200;

	private static final String KEY = "key=";

	/**
	 * Return a name as it is stored: without line breaks and other control characters,
	 * and not longer than 200 characters.
	 */
	public static String nameOf(String name) {
		String printable = name.replaceAll("\\p{Cntrl}", " ").strip();
		return (printable.length() > LONGEST_NAME) ? printable.substring(0, LONGEST_NAME) : printable;
	}

	/**
	 * Read a stored text, perhaps of another version of this library: unknown lines are
	 * ignored.
	 */
	public static RecordedChange read(String text) {
		int key = text.startsWith(KEY) ? 0 : text.indexOf('\n' + KEY) + 1;
		boolean hasKey = text.startsWith(KEY, key);
		String lines = hasKey ? text.substring(0, key) : text;
		return new RecordedChange(Instant.ofEpochMilli(millis(value(lines, "at"))), value(lines, "by"),
				value(lines, "rule"), hasKey ? text.substring(key + KEY.length()) : null, value(lines, "from"),
				value(lines, "to"));
	}

	/** Write the change, for a store that keeps all changes together. */
	void write(StateOutput to) {
		to.number(this.at.toEpochMilli());
		to.text(this.by);
		to.text(this.rule);
		to.flag(this.key != null);
		to.text(Objects.toString(this.key, ""));
		to.text(this.from);
		to.text(this.to);
	}

	static RecordedChange read(StateInput from) {
		Instant at = Instant.ofEpochMilli(from.number());
		String by = from.text();
		String rule = from.text();
		boolean hasKey = from.flag();
		String key = from.text();
		return new RecordedChange(at, by, rule, hasKey ? key : null, from.text(), from.text());
	}

	private static String value(String lines, String name) {
		return lines.lines()
			.filter((line) -> line.startsWith(name + '='))
			.map((line) -> line.substring(name.length() + 1))
			.findFirst()
			.orElse("");
	}

	private static long millis(String text) {
		try {
			return Long.parseLong(text);
		}
		catch (NumberFormatException ex) {
			return 0;
		}
	}

}
