package io.github.ratelimit.openapi;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;

/**
 * Names and numbers of a rule as documents show them. Those of its plans are not shown:
 * clients know their own from the headers.
 */
record DocumentedRule(RateLimitRule rule) {

	/**
	 * Return the names and numbers for programs. Times are seconds.
	 */
	Map<String, Object> extension() {
		Map<String, Object> extension = new LinkedHashMap<>();
		extension.put("name", this.rule.name());
		extension.put("limits", this.rule.limits().stream().map(this::extension).toList());
		if (this.rule.hasPlans()) {
			extension.put("variesByPlan", true);
		}
		return extension;
	}

	private Map<String, Object> extension(Limit limit) {
		Map<String, Object> extension = new LinkedHashMap<>();
		extension.put("name", this.rule.nameOf(limit));
		extension.put("algorithm", limit.algorithm().yamlName());
		extension.put("max", limit.max());
		if (limit.calendar() != null) {
			extension.put("calendar", limit.calendar().unit().yamlName());
		}
		else if (!limit.hasSlots()) {
			extension.put("period", seconds(limit.period()));
		}
		if (limit.capacity() != limit.max()) {
			extension.put("burst", limit.capacity());
		}
		if (limit.minInterval() != null) {
			extension.put("minInterval", seconds(limit.minInterval()));
		}
		return extension;
	}

	private static Number seconds(Duration duration) {
		return (duration.getNano() == 0) ? duration.toSeconds()
				: BigDecimal.valueOf(duration.toMillis(), 3).stripTrailingZeros();
	}

	/**
	 * Return the names and numbers for readers.
	 */
	String description() {
		return this.rule.limits().stream().map(this::description).collect(Collectors.joining(", "))
				+ (this.rule.hasPlans() ? " by default" : "");
	}

	private String description(Limit limit) {
		String numbers = '"' + this.rule.nameOf(limit) + "\" admits " + limit.max();
		if (limit.calendar() != null) {
			return numbers + " per " + limit.calendar().unit().yamlName();
		}
		return numbers + (limit.hasSlots() ? " at once" : " per " + seconds(limit.period()) + " s");
	}

	/**
	 * Return whether a denial may tell how long to wait. Nobody knows when other calls
	 * free their slots.
	 */
	boolean tellsWait() {
		return this.rule.ban() != null || this.rule.limits().stream().anyMatch((limit) -> !limit.hasSlots());
	}

}
