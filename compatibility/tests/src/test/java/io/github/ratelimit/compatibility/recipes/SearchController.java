package io.github.ratelimit.compatibility.recipes;

import io.github.ratelimit.annotation.RateLimited;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Limits by the plan of a tenant, and by its contract.
 */
@RestController
class SearchController {

	@PostMapping("/search")
	@RateLimited("search")
	public String search(@RequestParam String tenant) {
		return "found";
	}

	@PostMapping("/reports")
	@RateLimited(name = "reports", key = "#tenant", plan = "@contracts.of(#tenant)", period = 3600, max = 1)
	public String report(@RequestParam String tenant) {
		return "reported";
	}

}
