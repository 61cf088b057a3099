package io.github.ratelimit.compatibility.recipes;

import java.time.ZoneId;
import java.util.Map;

import org.springframework.stereotype.Component;

/**
 * Customers and where they are.
 */
@Component("customers")
class Customers {

	private static final Map<String, String> ZONES = Map.of("acme", "America/New_York");

	public ZoneId zoneOf(String tenant) {
		return ZoneId.of(ZONES.getOrDefault(tenant, "Europe/Paris"));
	}

}
