package io.github.ratelimit.compatibility.recipes;

import io.github.ratelimit.annotation.RateLimited;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Limit per user.
 */
@RestController
class CommentController {

	@PostMapping("/comments")
	@RateLimited(key = "principal ?: ip", period = 60, max = 5)
	public String comment() {
		return "published";
	}

}
