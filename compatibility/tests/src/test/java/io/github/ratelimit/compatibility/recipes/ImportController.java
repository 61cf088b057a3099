package io.github.ratelimit.compatibility.recipes;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiterRegistry;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Limits per tenant plan, by program.
 */
@RestController
class ImportController {

	private final RateLimiterRegistry limits;

	private final Plans plans;

	ImportController(RateLimiterRegistry limits, Plans plans) {
		this.limits = limits;
		this.plans = plans;
	}

	@PostMapping("/imports")
	public String importRows(@RequestParam String tenant, @RequestParam int rows) {
		Decision decision = this.limits.limiter("import-" + this.plans.of(tenant)).tryAcquire(tenant, rows);
		if (!decision.allowed()) {
			throw new RateLimitExceededException(decision);
		}
		return "imported";
	}

}
