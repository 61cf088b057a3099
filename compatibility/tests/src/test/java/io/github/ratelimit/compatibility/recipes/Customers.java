package io.github.ratelimit.compatibility.recipes;

import java.time.ZoneId;

import org.springframework.stereotype.Component;

/**
 * Customers and where they are.
 */
@Component
class Customers {

	ZoneId zoneOf(String tenant) {
		return ZoneId.of(tenant.equals("acme") ? "America/New_York" : "Europe/Paris");
	}

}
