package io.github.ratelimit.compatibility.recipes;

import java.time.Duration;

import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.annotation.RateLimited;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * A partner's exception for a week.
 */
@RestController
class ReportController {

	private final RateLimiterRegistry limits;

	ReportController(RateLimiterRegistry limits) {
		this.limits = limits;
	}

	@PostMapping("/reports")
	@RateLimited(name = "reports", key = "#tenant", period = 60, max = 2)
	public String report(@RequestParam String tenant) {
		return "reported";
	}

	@PostMapping("/exceptions")
	public String grant(@RequestParam String tenant) {
		this.limits.limiter("reports").override(tenant, KeyOverride.max(900).lasting(Duration.ofDays(7)));
		return "granted";
	}

}
