package io.github.ratelimit.monitoring;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Metrics and labels that a PromQL query uses. The query is assumed to be well-formed and
 * not to use {@code without} or {@code ignoring}.
 *
 * @param selectors the metrics it reads
 * @param groupedBy the labels by which it groups or joins
 */
record PromQuery(List<Selector> selectors, Set<String> groupedBy) {

	private static final Pattern GROUPING = Pattern.compile("\\b(?:by|on)\\s*\\(([^)]*)\\)");

	private static final Pattern STRING = Pattern.compile("\"[^\"]*\"");

	private static final Pattern RANGE_OR_NUMBER = Pattern.compile("\\[[^\\]]*\\]|\\b\\d[\\w.]*");

	private static final Pattern NAME_AND_LABELS = Pattern
		.compile("([a-zA-Z_:][\\w:]*)\\s*(?:(\\()|\\{((?:[^}\"]|" + STRING + ")*)\\})?");

	private static final Pattern LABEL = Pattern.compile("(\\w+)\\s*(=~|!~|!=|=)\\s*\"([^\"]*)\"");

	private static final Set<String> WORDS = Set.of("and", "or", "unless", "offset", "bool");

	static PromQuery of(String query) {
		Set<String> groupedBy = new LinkedHashSet<>();
		String ungrouped = GROUPING.matcher(query).replaceAll((grouping) -> {
			groupedBy.addAll(List.of(grouping.group(1).trim().split("\\s*,\\s*")));
			return "";
		});
		List<Selector> selectors = new ArrayList<>();
		Matcher name = NAME_AND_LABELS.matcher(withoutRangesAndNumbers(ungrouped));
		while (name.find()) {
			boolean function = name.group(2) != null;
			if (!function && !WORDS.contains(name.group(1))) {
				selectors.add(new Selector(name.group(1), labels(name.group(3))));
			}
		}
		return new PromQuery(selectors, groupedBy);
	}

	/**
	 * Keeps quoted text.
	 */
	private static String withoutRangesAndNumbers(String query) {
		return Pattern.compile(STRING + "|" + RANGE_OR_NUMBER)
			.matcher(query)
			.replaceAll((part) -> part.group().startsWith("\"") ? Matcher.quoteReplacement(part.group()) : "");
	}

	private static List<Label> labels(String labels) {
		return (labels != null) ? LABEL.matcher(labels).results().map(PromQuery::label).toList() : List.of();
	}

	private static Label label(MatchResult label) {
		boolean pattern = label.group(2).endsWith("~");
		return new Label(label.group(1), pattern ? List.of(label.group(3).split("\\|")) : List.of(label.group(3)));
	}

	/**
	 * Metric and the labels that select it.
	 */
	record Selector(String metric, List<Label> labels) {
	}

	/**
	 * Label and the values to which it is compared.
	 */
	record Label(String name, List<String> values) {
	}

}
