package io.github.ratelimit.actuate.endpoint;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.github.ratelimit.override.RecordedChange;
import io.github.ratelimit.override.RuleOverrideRegistry;
import io.github.ratelimit.store.StoreException;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.lang.Nullable;

/**
 * Latest changes at run time, and who made the overrides in force. An override that is
 * older than those changes, or that nobody known has made, is shown without a name.
 *
 * @param overrides the overrides of rules, which know the changes
 */
record ChangeHistory(RuleOverrideRegistry overrides) {

	/**
	 * Name of those who are not authenticated, which is not shown beside an override.
	 */
	private static final String ANONYMOUS = "anonymous";

	/**
	 * Return who sends a request.
	 */
	static String nameOf(SecurityContext security) {
		return (security.getPrincipal() != null) ? String.valueOf(security.getPrincipal().getName()) : ANONYMOUS;
	}

	Map<String, Object> describe() {
		Map<String, Object> described = new LinkedHashMap<>();
		described.put("changes", this.overrides.latestChanges().stream().map(ChangeHistory::describe).toList());
		return described;
	}

	private static Map<String, Object> describe(RecordedChange change) {
		Map<String, Object> described = new LinkedHashMap<>();
		described.put("at", change.at().toString());
		described.put("changedBy", change.by());
		int candidate = change.rule().indexOf('?');
		described.put("rule", (candidate > 0) ? change.rule().substring(0, candidate) : change.rule());
		if (candidate > 0) {
			described.put("candidate", change.rule().substring(candidate + 1));
		}
		if (change.key() != null) {
			described.put("key", change.key());
		}
		described.put("from", change.from());
		described.put("to", change.to());
		return described;
	}

	/**
	 * Add who made the overrides in an answer about a rule or a key.
	 */
	Map<String, Object> nameAuthors(Map<String, Object> answer, String rule, @Nullable String key) {
		List<Map<String, Object>> ofKeys = new ArrayList<>();
		if (answer.get("keyOverrides") instanceof List<?> all) {
			all.forEach((each) -> ofKeys.add(map(each)));
		}
		if (answer.containsKey("override") || !ofKeys.isEmpty()) {
			List<RecordedChange> latest = latest();
			if (answer.containsKey("override")) {
				nameAuthor(map(answer.get("override")), latest, rule, key);
			}
			ofKeys.forEach((each) -> nameAuthor(each, latest, rule, String.valueOf(each.get("key"))));
		}
		return answer;
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> map(Object described) {
		return (Map<String, Object>) described;
	}

	/**
	 * Add who made the overrides of rules.
	 */
	void nameAuthors(Map<String, Object> overridden) {
		if (!overridden.isEmpty()) {
			List<RecordedChange> latest = latest();
			overridden.forEach((rule, override) -> nameAuthor(map(override), latest, rule, null));
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

	private static void nameAuthor(Map<String, Object> override, List<RecordedChange> latest, String rule,
			@Nullable String key) {
		latest.stream()
			.filter((change) -> change.rule().equals(rule) && Objects.equals(change.key(), key))
			.findFirst()
			.filter((change) -> !change.to().isEmpty() && !change.by().equals(ANONYMOUS))
			.ifPresent((change) -> override.put("changedBy", change.by()));
	}

}
