package io.github.ratelimit.monitoring;

import java.awt.Rectangle;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The dashboard for Grafana shows all meters and uses only existing ones.
 */
class DashboardTests {

	private static final Pattern LABEL_VALUES = Pattern.compile("label_values\\((.*), (\\w+)\\)");

	private static final Pattern LEGEND_LABEL = Pattern.compile("\\{\\{(\\w+)}}");

	private static final int GRID_COLUMNS = 24;

	private final JsonNode dashboard = read();

	private final ScrapedMeters meters = new ScrapedMeters();

	@Test
	void everyQueryUsesExistingMetersAndTags() {
		List<String> queries = this.dashboard.findValuesAsText("expr");
		assertThat(queries).isNotEmpty()
			.allSatisfy((query) -> assertThat(this.meters.missing(query)).as(query).isEmpty());
	}

	/** The others are those of plans, classes, candidates and zones. */
	@Test
	void everyMeterOfAllRulesAndTheStoreIsShown() {
		Set<String> shown = new LinkedHashSet<>();
		for (String query : this.dashboard.findValuesAsText("expr")) {
			PromQuery.of(query).selectors().forEach((selector) -> shown.add(selector.metric()));
		}
		assertThat(this.meters.names()).filteredOn((name) -> !shown.contains(name))
			.containsExactlyInAnyOrder("ratelimit_plans_decisions_total", "ratelimit_plans_unknown_total",
					"ratelimit_priority_decisions_total", "ratelimit_candidates_total",
					"ratelimit_zones_unknown_total");
	}

	@Test
	void legendsNameLabelsThatTheQueryKeeps() {
		for (JsonNode target : this.dashboard.findParents("expr")) {
			assertThat(PromQuery.of(target.get("expr").asText()).groupedBy())
				.containsAll(labels(LEGEND_LABEL, target.get("legendFormat").asText()));
		}
	}

	@Test
	void choicesAreValuesOfLabelsThatThereAre() {
		List<String> choices = new ArrayList<>();
		for (JsonNode choice : this.dashboard.at("/templating/list")) {
			Matcher query = LABEL_VALUES.matcher(choice.path("definition").asText());
			if (query.matches()) {
				choices.add(choice.get("name").asText());
				assertThat(this.meters.missing("max by (" + query.group(2) + ") (" + query.group(1) + ")")).isEmpty();
			}
		}
		assertThat(choices).containsExactly("job", "rule");
	}

	@Test
	void dataSourceIsChosenOnImportAndLater() {
		assertThat(this.dashboard.at("/__inputs/0/name").asText()).isEqualTo("DS_PROMETHEUS");
		assertThat(this.dashboard.at("/__inputs/0/pluginId").asText()).isEqualTo("prometheus");
		assertThat(this.dashboard.at("/templating/list/0/current/value").asText()).isEqualTo("${DS_PROMETHEUS}");
		assertThat(this.dashboard.findValues("datasource")).extracting((source) -> source.path("uid").asText())
			.containsOnly("${datasource}");
	}

	@Test
	void panelsHaveWhatGrafanaRequires() {
		List<String> plugins = this.dashboard.get("__requires").findValuesAsText("id");
		JsonNode panels = this.dashboard.get("panels");
		assertThat(panels).extracting((panel) -> panel.get("id").asInt()).doesNotHaveDuplicates();
		assertThat(panels).extracting((panel) -> panel.get("title").asText()).doesNotHaveDuplicates();
		assertThat(panels).allSatisfy((panel) -> {
			assertThat(panel.get("type").asText()).isIn(plugins);
			assertThat(panel.get("description").asText()).endsWith(".");
			assertThat(panel.get("options").isObject()).isTrue();
			assertThat(panel.at("/fieldConfig/defaults").isObject()).isTrue();
			assertThat(panel.at("/fieldConfig/overrides").isArray()).isTrue();
			assertThat(panel.get("targets")).isNotEmpty()
				.extracting((target) -> target.get("refId").asText())
				.doesNotHaveDuplicates();
		});
	}

	@Test
	void panelsFitIntoTheGridWithoutOverlap() {
		List<Rectangle> places = new ArrayList<>();
		this.dashboard.get("panels").forEach((panel) -> places.add(place(panel.get("gridPos"))));
		assertThat(places)
			.allSatisfy((place) -> assertThat(new Rectangle(GRID_COLUMNS, Integer.MAX_VALUE).contains(place)).isTrue())
			.allSatisfy((place) -> assertThat(places).filteredOn(place::intersects).containsExactly(place));
	}

	private static Rectangle place(JsonNode position) {
		return new Rectangle(position.get("x").asInt(), position.get("y").asInt(), position.get("w").asInt(),
				position.get("h").asInt());
	}

	private static List<String> labels(Pattern pattern, String text) {
		return pattern.matcher(text).results().map((label) -> label.group(1)).toList();
	}

	private static JsonNode read() {
		try {
			return new ObjectMapper().readTree(Path.of("..", "docs", "grafana-dashboard.json").toFile());
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
