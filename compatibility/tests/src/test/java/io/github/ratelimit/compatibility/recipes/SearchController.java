package io.github.ratelimit.compatibility.recipes;

import io.github.ratelimit.annotation.RateLimited;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Limits per tenant plan, with annotations.
 */
@RestController
class SearchController {

	@PostMapping("/search")
	@RateLimited(name = "search-free", key = "#tenant", condition = "@plans.isFree(#tenant)", period = 60, max = 2)
	@RateLimited(name = "search-pro", key = "#tenant", condition = "!@plans.isFree(#tenant)", period = 60, max = 4)
	public String search(@RequestParam String tenant) {
		return "found";
	}

}
