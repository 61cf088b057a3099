package io.github.ratelimit.migration.guava;

import com.google.common.util.concurrent.RateLimiter;

import org.springframework.stereotype.Service;

/**
 * Exports that Guava paces.
 */
@Service
class GuavaExports {

	private final RateLimiter pace = RateLimiter.create(50);

	public String export(String customer) {
		this.pace.acquire();
		return "exported";
	}

}
