package io.github.ratelimit.sample;

import java.util.List;
import java.util.Locale;

import io.github.ratelimit.annotation.RateLimited;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Controller that searches topics. The code only names the rule {@code search}. Its limit
 * is defined in {@code application.yml} and can be changed without touching the code.
 */
@RestController
public class TopicController {

	private static final List<String> TOPICS = List.of("How do I limit calls per user?",
			"Sliding window or token bucket?", "Redis or memory?", "What does Retry-After mean?");

	@GetMapping("/topics")
	@RateLimited(name = "search")
	public List<String> search(@RequestParam String userId, @RequestParam(defaultValue = "") String q) {
		String wanted = q.toLowerCase(Locale.ROOT);
		return TOPICS.stream().filter((topic) -> topic.toLowerCase(Locale.ROOT).contains(wanted)).toList();
	}

}
