package io.github.ratelimit.monitoring;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Queries are accepted only if the meters they read exist.
 */
class ScrapedMetersTests {

	private final ScrapedMeters meters = new ScrapedMeters();

	@Test
	void namesAreThoseOfPrometheus() {
		assertThat(this.meters.names()).containsExactlyInAnyOrder("ratelimit_decisions_total",
				"ratelimit_near_limit_total", "ratelimit_slots_lost_total", "ratelimit_store_failures_total",
				"ratelimit_store_duration_seconds_count", "ratelimit_store_duration_seconds_sum",
				"ratelimit_store_duration_seconds_max", "ratelimit_wait_seconds_count", "ratelimit_wait_seconds_sum",
				"ratelimit_wait_seconds_max", "ratelimit_plans_decisions_total", "ratelimit_plans_unknown_total",
				"ratelimit_priority_decisions_total", "ratelimit_candidates_total", "ratelimit_zones_unknown_total");
	}

	@ParameterizedTest
	@ValueSource(strings = { "ratelimit_decisions_total", "max(ratelimit_wait_seconds_max{rule=\"reply\"}) > 0.8e3",
			"sum by (job, rule) (rate(ratelimit_decisions_total{outcome=\"denied\", rule=~\"$rule\"}[5m] offset 1h)) > 1",
			"rate(ratelimit_store_failures_total{reason!~\"timeout|oom\"}[$__rate_interval])",
			"ratelimit_near_limit_total / on (rule) ratelimit_decisions_total{origin=\"deny-cache\"}" })
	void queriesForExistingMetricsFindThem(String query) {
		assertThat(this.meters.missing(query)).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '#', quoteCharacter = '`', value = {
			"sum(rate(ratelimit_decision_total[5m])) # metric ratelimit_decision_total",
			"ratelimit_wait_seconds_bucket # metric ratelimit_wait_seconds_bucket",
			"ratelimit_near_limit_total / made_up # metric made_up",
			"ratelimit_decisions_total{key=\"laoqian\"} # label key of ratelimit_decisions_total",
			"sum by (rule) (ratelimit_store_failures_total) # label rule of ratelimit_store_failures_total",
			"ratelimit_decisions_total{outcome=\"deny\"} # value deny of outcome of ratelimit_decisions_total",
			"ratelimit_decisions_total{origin=~\"local|disk\"} # value disk of origin of ratelimit_decisions_total",
			"vector(1) # no metric in vector(1)" })
	void missingPartsAreNamed(String query, String missing) {
		assertThat(this.meters.missing(query)).containsExactly(missing);
	}

}
