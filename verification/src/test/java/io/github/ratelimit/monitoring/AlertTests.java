package io.github.ratelimit.monitoring;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.ratelimit.monitoring.PromQuery.Label;
import io.github.ratelimit.store.jdbc.DatabaseFailureReasons;
import io.github.ratelimit.store.redis.FailureReasons;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The alerts for Prometheus use only existing meters.
 */
class AlertTests {

	private static final Pattern LABEL_IN_TEXT = Pattern.compile("\\$labels\\.(\\w+)");

	private final JsonNode alerts = read();

	private final ScrapedMeters meters = new ScrapedMeters();

	@Test
	void everyAlertUsesExistingMetersAndTags() {
		assertThat(this.alerts).hasSize(7).allSatisfy((alert) -> {
			String query = alert.get("expr").asText();
			assertThat(this.meters.missing(query)).as(query).isEmpty();
		});
	}

	@Test
	void everyAlertHasADescriptionAndASeverity() {
		assertThat(this.alerts).isNotEmpty().allSatisfy((alert) -> {
			assertThat(alert.at("/labels/severity").asText()).isIn("critical", "warning", "info");
			assertThat(alert.at("/annotations/summary").asText()).contains("{{ $labels.");
			assertThat(alert.at("/annotations/description").asText()).endsWith(".");
		});
	}

	@Test
	void textsNameLabelsThatTheQueryKeeps() {
		assertThat(this.alerts).isNotEmpty().allSatisfy((alert) -> {
			List<String> named = LABEL_IN_TEXT.matcher(alert.get("annotations").toString())
				.results()
				.map((label) -> label.group(1))
				.toList();
			assertThat(PromQuery.of(alert.get("expr").asText()).groupedBy()).containsAll(named);
		});
	}

	@Test
	void mistakesAlertAtOnceAndOutagesAfterAMinute() {
		JsonNode refuses = alert("RateLimitStoreRefuses");
		assertThat(refuses.has("for")).isFalse();
		assertThat(refuses.get("expr").asText()).contains("reason=~").doesNotContain("reason!");
		Set<String> mistakes = new HashSet<>(FailureReasons.mistakes());
		mistakes.addAll(DatabaseFailureReasons.mistakes());
		assertThat(reasons(refuses)).isNotEmpty()
			.allSatisfy((reasons) -> assertThat(reasons).containsExactlyInAnyOrderElementsOf(mistakes));
		JsonNode fails = alert("RateLimitStoreFails");
		assertThat(fails.get("for").asText()).isEqualTo("1m");
		assertThat(fails.get("expr").asText()).contains("reason!~").doesNotContain("reason=");
		Set<String> others = new HashSet<>(FailureReasons.all());
		others.removeAll(FailureReasons.outages());
		others.addAll(DatabaseFailureReasons.mistakes());
		assertThat(reasons(fails)).isNotEmpty()
			.allSatisfy((reasons) -> assertThat(reasons).containsExactlyInAnyOrderElementsOf(others));
	}

	private static List<List<String>> reasons(JsonNode alert) {
		return PromQuery.of(alert.get("expr").asText())
			.selectors()
			.stream()
			.flatMap((selector) -> selector.labels().stream())
			.map(Label::values)
			.toList();
	}

	private JsonNode alert(String name) {
		List<JsonNode> named = new ArrayList<>();
		this.alerts.forEach((alert) -> {
			if (alert.get("alert").asText().equals(name)) {
				named.add(alert);
			}
		});
		assertThat(named).hasSize(1);
		return named.get(0);
	}

	private static JsonNode read() {
		try {
			Object yaml = new Yaml().load(Files.readString(Path.of("..", "docs", "alerts.yml")));
			return new ObjectMapper().valueToTree(yaml).at("/groups/0/rules");
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
