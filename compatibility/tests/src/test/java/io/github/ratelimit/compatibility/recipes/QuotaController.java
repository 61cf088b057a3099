package io.github.ratelimit.compatibility.recipes;

import io.github.ratelimit.annotation.RateLimited;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Monthly quotas.
 */
@RestController
class QuotaController {

	@PostMapping("/downloads")
	@RateLimited(name = "quota", key = "#tenant")
	public String download(@RequestParam String tenant) {
		return "downloaded";
	}

	@PostMapping("/reports")
	@RateLimited(name = "report", key = "#tenant")
	public String report(@RequestParam String tenant) {
		return "reported";
	}

}
