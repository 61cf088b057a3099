package io.github.ratelimit.compatibility.recipes;

import java.time.Duration;
import java.util.Map;

import io.github.ratelimit.Limit;

import org.springframework.stereotype.Component;

/**
 * Numbers agreed with single tenants.
 */
@Component("contracts")
class Contracts {

	private final Map<String, Integer> reportsPerHour = Map.of("acme", 3);

	public Limit of(String tenant) {
		Integer agreed = this.reportsPerHour.get(tenant);
		return (agreed != null) ? Limit.of(agreed, Duration.ofHours(1)) : null;
	}

}
