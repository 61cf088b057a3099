package io.github.ratelimit.migration.guava;

import io.github.ratelimit.annotation.RateLimited;

import org.springframework.stereotype.Service;

/**
 * Exports that a rule paces.
 */
@Service
class LimitedExports {

	@RateLimited("export")
	public String export(String customer) {
		return "exported";
	}

}
