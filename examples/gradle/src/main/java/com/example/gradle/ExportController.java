package com.example.gradle;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.Reservation;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class ExportController {

	private final RateLimiter limiter;

	public ExportController(RateLimiterRegistry limiters) {
		this.limiter = limiters.limiter("export");
	}

	@GetMapping("/export")
	public String export(@RequestParam String tenant) {
		try (Reservation slot = this.limiter.reserve(tenant, 1)) {
			if (!slot.decision().allowed()) {
				throw new RateLimitExceededException(slot.decision());
			}
			return "exported";
		}
	}

}
