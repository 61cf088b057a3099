package io.github.ratelimit.compatibility.recipes;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Limits by the plan of a tenant, by program.
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
		RateLimiter limiter = this.limits.limiter("import").withPlan(this.plans.of(tenant));
		Decision decision = limiter.tryAcquire(tenant, rows);
		if (!decision.allowed()) {
			throw new RateLimitExceededException(decision);
		}
		return "imported";
	}

}
