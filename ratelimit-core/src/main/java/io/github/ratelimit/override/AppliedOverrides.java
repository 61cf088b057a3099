package io.github.ratelimit.override;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.engine.CandidateOverride;
import io.github.ratelimit.engine.RuleOverride;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.notation.DurationText;

/**
 * Overrides that this instance has read and put into force.
 */
final class AppliedOverrides {

	private static final Logger logger = System.getLogger(AppliedOverrides.class.getName());

	private final RuleRegistry rules;

	private volatile StoredOverrides stored = new StoredOverrides("", Map.of());

	private volatile Map<String, RuleOverride> overrides = Map.of();

	private boolean hasCandidates;

	/**
	 * Create a new instance without overrides.
	 * @param rules puts overrides and candidates into force
	 */
	AppliedOverrides(RuleRegistry rules) {
		this.rules = rules;
	}

	String version() {
		return this.stored.version();
	}

	@Nullable String text(String rule) {
		return this.stored.texts().get(rule);
	}

	/**
	 * Return the names of all texts.
	 */
	Set<String> fields() {
		return this.stored.texts().keySet();
	}

	@Nullable RuleOverride find(String rule) {
		return this.overrides.get(rule);
	}

	Collection<RuleOverride> all() {
		return List.copyOf(this.overrides.values());
	}

	/**
	 * Put the stored overrides into force.
	 */
	synchronized void replaceBy(StoredOverrides read) {
		Map<String, String> earlier = this.stored.texts();
		Map<String, RuleOverride> understood = new TreeMap<>();
		List<CandidateOverride> tried = new ArrayList<>();
		read.texts().forEach((rule, text) -> {
			boolean isNews = !text.equals(earlier.get(rule));
			if (CandidateText.isField(rule)) {
				add(understand(rule, text, isNews, CandidateText::read), tried::add);
			}
			else {
				add(understand(rule, text, isNews, OverrideText::read), (override) -> understood.put(rule, override));
			}
		});
		this.overrides = understood;
		this.stored = read;
		this.rules.override(all());
		if (this.hasCandidates || !tried.isEmpty()) {
			this.hasCandidates = true;
			this.rules.overrideCandidates(tried);
		}
		earlier.keySet()
			.stream()
			.filter((rule) -> !read.texts().containsKey(rule))
			.forEach(AppliedOverrides::logRemoval);
	}

	private static <T> void add(@Nullable T override, Consumer<T> all) {
		if (override != null) {
			all.accept(override);
		}
	}

	private static <T> @Nullable T understand(String rule, String text, boolean isNews,
			BiFunction<String, String, T> reader) {
		try {
			T override = reader.apply(rule, text);
			if (isNews) {
				logger.log(Level.INFO, subject(rule) + (text.endsWith("removed=true") ? " was removed at run time."
						: " was changed at run time: " + forPeople(text) + '.'));
			}
			return override;
		}
		catch (IllegalArgumentException ex) {
			if (isNews) {
				logger.log(Level.ERROR,
						"The stored override of the rate limit rule \"" + rule + "\", \"" + text
								+ "\", is ignored, because it cannot be read: " + ex.getMessage()
								+ ". Change the rule again, or remove the override.");
			}
			return null;
		}
	}

	private static void logRemoval(String rule) {
		logger.log(Level.INFO, subject(rule) + " is not changed at run time any more.");
	}

	private static String subject(String field) {
		String[] names = field.split("[?]", 2);
		String rule = "rate limit rule \"" + names[0] + '"';
		return (names.length == 1) ? "The " + rule : "The candidate \"" + names[1] + "\" of the " + rule;
	}

	/**
	 * Return the words of a stored text as people write them, without the time of the
	 * change.
	 */
	private static String forPeople(String text) {
		return Arrays.stream(text.split(" "))
			.filter((word) -> !word.startsWith("made="))
			.map((word) -> word.split("=", 2))
			.map((pair) -> pair[0] + ": "
					+ (pair[0].endsWith("period") ? DurationText.of(Duration.ofMillis(Long.parseLong(pair[1])))
							: pair[1]))
			.collect(Collectors.joining(", "));
	}

}
