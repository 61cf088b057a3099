package io.github.ratelimit.compatibility.recipes;

import io.github.ratelimit.annotation.RateLimited;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * First limit of an application.
 */
@RestController
class ReplyController {

	@PostMapping("/replies")
	@RateLimited(name = "reply", key = "#userId", period = 60, max = 5)
	public String reply(@RequestParam String userId) {
		return "replied";
	}

}
