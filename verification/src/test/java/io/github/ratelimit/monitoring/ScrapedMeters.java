package io.github.ratelimit.monitoring;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.github.ratelimit.Decision.Origin;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.RuleDecision;
import io.github.ratelimit.RuleDecision.Outcome;
import io.github.ratelimit.metrics.RateLimitMeters;
import io.github.ratelimit.monitoring.PromQuery.Label;
import io.github.ratelimit.monitoring.PromQuery.Selector;
import io.github.ratelimit.store.jdbc.DatabaseFailureReasons;
import io.github.ratelimit.store.redis.FailureReasons;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/**
 * Metrics that Prometheus scrapes after every event has occurred once, with their labels
 * and label values.
 */
final class ScrapedMeters {

	/**
	 * Labels that Prometheus adds for the scraped target.
	 */
	private static final Set<String> TARGET_LABELS = Set.of("job", "instance");

	private final Map<String, Map<String, Set<String>>> metrics = new TreeMap<>();

	ScrapedMeters() {
		PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
		recordEverything(new RateLimitMeters(registry));
		registry.scrape().lines().filter((line) -> !line.startsWith("#")).forEach((line) -> {
			String withoutValue = line.substring(0, line.lastIndexOf(' '));
			PromQuery.of(withoutValue).selectors().forEach(this::add);
		});
	}

	private static void recordEverything(RateLimitMeters meters) {
		LimitStatus full = new LimitStatus("reply", 5, 5, Duration.ofMinutes(1), 0, Duration.ZERO, Duration.ZERO);
		for (Origin origin : Origin.values()) {
			for (Outcome outcome : Outcome.values()) {
				meters.decided(
						new RuleDecision("reply", outcome, origin, Duration.ofMillis(1), List.of(full), "pro", "high"));
			}
		}
		meters.tried("reply", "tight", Outcome.ALLOWED);
		meters.planUnknown("reply");
		meters.zoneUnknown("reply");
		meters.slotsLost("export");
		meters.storeCalled(Duration.ofMillis(1));
		FailureReasons.all().forEach((reason) -> meters.storeFailed(reason, null));
		DatabaseFailureReasons.mistakes().forEach((reason) -> meters.storeFailed(reason, null));
	}

	private void add(Selector line) {
		Map<String, Set<String>> labels = this.metrics.computeIfAbsent(line.metric(), (metric) -> new TreeMap<>());
		for (Label label : line.labels()) {
			labels.computeIfAbsent(label.name(), (name) -> new LinkedHashSet<>()).addAll(label.values());
		}
	}

	Set<String> names() {
		return this.metrics.keySet();
	}

	/**
	 * Return the metrics, labels and values of a query that do not exist.
	 */
	List<String> missing(String query) {
		PromQuery parsed = PromQuery.of(query);
		if (parsed.selectors().isEmpty()) {
			return List.of("no metric in " + query);
		}
		List<String> missing = new ArrayList<>();
		for (Selector selector : parsed.selectors()) {
			Map<String, Set<String>> labels = this.metrics.get(selector.metric());
			if (labels == null) {
				missing.add("metric " + selector.metric());
				continue;
			}
			selector.labels().forEach((label) -> addMissing(selector.metric(), labels, label, missing));
			parsed.groupedBy()
				.forEach((name) -> addMissing(selector.metric(), labels, new Label(name, List.of()), missing));
		}
		return missing;
	}

	private static void addMissing(String metric, Map<String, Set<String>> labels, Label label, List<String> missing) {
		if (TARGET_LABELS.contains(label.name())) {
			return;
		}
		if (!labels.containsKey(label.name())) {
			missing.add("label " + label.name() + " of " + metric);
			return;
		}
		for (String value : label.values()) {
			boolean variable = value.startsWith("$");
			if (!variable && !labels.get(label.name()).contains(value)) {
				missing.add("value " + value + " of " + label.name() + " of " + metric);
			}
		}
	}

}
