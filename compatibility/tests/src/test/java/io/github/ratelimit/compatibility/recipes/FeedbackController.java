package io.github.ratelimit.compatibility.recipes;

import io.github.ratelimit.annotation.RateLimited;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Limit per address.
 */
@RestController
class FeedbackController {

	@PostMapping("/feedback")
	@RateLimited(key = "ip", period = 60, max = 3)
	public String feedback() {
		return "thanks";
	}

}
