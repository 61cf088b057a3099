package io.github.ratelimit.compatibility;

import io.github.ratelimit.annotation.RateLimited;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Application that is tested with {@code ratelimit-spring-boot-test}.
 */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import(TestedForum.ReplyController.class)
public class TestedForum {

	@RestController
	static class ReplyController {

		@PostMapping("/replies")
		@RateLimited(name = "reply", key = "#userId", period = 60, max = 2)
		public String reply(@RequestParam String userId) {
			return "replied";
		}

	}

}
