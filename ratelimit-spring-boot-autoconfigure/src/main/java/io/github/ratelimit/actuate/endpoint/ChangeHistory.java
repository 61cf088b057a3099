package io.github.ratelimit.actuate.endpoint;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.notation.DurationText;
import io.github.ratelimit.override.RecordedChange;
import io.github.ratelimit.override.RuleOverrideRegistry;
import io.github.ratelimit.store.StoreException;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.lang.Nullable;

/**
 * Latest changes at run time, and who made the overrides in force. An override that is
 * older than those changes is shown without a name.
 */
record ChangeHistory(RuleRegistry registry, RuleOverrideRegistry overrides) {

	private static final Pattern MILLIS = Pattern.compile("((?:.*[.])?(until|period)=)(\\d{1,15})");

	static String nameOf(SecurityContext security) {
		return (security.getPrincipal() != null) ? String.valueOf(security.getPrincipal().getName()) : "anonymous";
	}

	Map<String, Object> describe() {
		return Fields.of("changes", this.overrides.latestChanges().stream().map(this::describe).toList()).toMap();
	}

	private Map<String, Object> describe(RecordedChange change) {
		String[] ruleAndCandidate = change.rule().split("[?]", 2);
		String unchanged = (ruleAndCandidate.length == 1
				|| this.registry.isWritten(ruleAndCandidate[0], ruleAndCandidate[1])) ? "as configured" : "none";
		return Fields.of("at", change.at().toString())
			.with("changedBy", change.by())
			.with("rule", ruleAndCandidate[0])
			.with("candidate", (ruleAndCandidate.length > 1) ? ruleAndCandidate[1] : null)
			.with("key", change.key())
			.with("from", readable(change.from(), unchanged))
			.with("to", readable(change.to(), unchanged))
			.toMap();
	}

	/**
	 * Return a stored text without the time of the change, and with times as the endpoint
	 * shows them elsewhere.
	 */
	private static String readable(String text, String unchanged) {
		return text.isEmpty() ? unchanged
				: Arrays.stream(text.split(" "))
					.filter((part) -> !part.startsWith("made="))
					.map(ChangeHistory::readablePart)
					.collect(Collectors.joining(" "));
	}

	private static String readablePart(String part) {
		Matcher millis = MILLIS.matcher(part);
		if (!millis.matches()) {
			return part.equals("removed=true") ? "removed" : part;
		}
		long value = Long.parseLong(millis.group(3));
		return millis.group(1) + ((millis.group(2).equals("until")) ? Instant.ofEpochMilli(value).toString()
				: DurationText.of(Duration.ofMillis(value)));
	}

	Map<String, Object> nameAuthors(Map<String, Object> answer, String rule, @Nullable String key) {
		List<?> ofKeys = (answer.get("keyOverrides") instanceof List<?> all) ? all : List.of();
		if (answer.containsKey("override") || !ofKeys.isEmpty()) {
			List<RecordedChange> latest = latest();
			nameAuthor(answer.get("override"), latest, rule, key);
			ofKeys.forEach((each) -> nameAuthor(each, latest, rule, String.valueOf(((Map<?, ?>) each).get("key"))));
		}
		return answer;
	}

	void nameAuthors(Map<String, Object> overridden, List<Map<String, Object>> rules) {
		if (!overridden.isEmpty()) {
			List<RecordedChange> latest = latest();
			overridden.forEach((rule, override) -> nameAuthor(override, latest, rule, null));
			rules.forEach((rule) -> nameAuthor(rule.get("override"), latest, String.valueOf(rule.get("name")), null));
		}
	}

	private List<RecordedChange> latest() {
		try {
			return this.overrides.latestChanges();
		}
		catch (StoreException ex) {
			return List.of();
		}
	}

	@SuppressWarnings("unchecked")
	private static void nameAuthor(@Nullable Object override, List<RecordedChange> latest, String rule,
			@Nullable String key) {
		if (override != null) {
			latest.stream()
				.filter((change) -> change.rule().equals(rule) && Objects.equals(change.key(), key))
				.findFirst()
				.filter((change) -> !change.to().isEmpty())
				.ifPresent((change) -> ((Map<String, Object>) override).put("changedBy", change.by()));
		}
	}

}
