package io.github.ratelimit.sample;

import java.time.Instant;

import io.github.ratelimit.annotation.RateLimited;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Controller for replies: each user may post five in any 60 seconds, over all instances.
 */
@RestController
public class ReplyController {

	@PostMapping("/replies")
	@RateLimited(key = "#userId + ':reply'", period = 60, max = 5)
	public Reply reply(@RequestParam String userId, @RequestParam(defaultValue = "Well said!") String text) {
		return new Reply(userId, text, Instant.now());
	}

}
