package io.github.ratelimit.compatibility.recipes;

import java.util.Set;

import org.springframework.stereotype.Component;

/**
 * Plans booked by tenants.
 */
@Component("plans")
class Plans {

	private final Set<String> paying = Set.of("acme");

	public boolean isFree(String tenant) {
		return !this.paying.contains(tenant);
	}

	public String of(String tenant) {
		return isFree(tenant) ? "free" : "pro";
	}

}
