package io.github.ratelimit.compatibility.recipes;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.springframework.stereotype.Component;

/**
 * Plans booked by tenants.
 */
@Component("plans")
class Plans {

	private final Map<String, String> booked = new ConcurrentHashMap<>(Map.of("acme", "pro", "tiny", "free"));

	public String of(String tenant) {
		return this.booked.get(tenant);
	}

	void book(String tenant, String plan) {
		this.booked.put(tenant, plan);
	}

}
