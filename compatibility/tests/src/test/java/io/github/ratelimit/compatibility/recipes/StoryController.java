package io.github.ratelimit.compatibility.recipes;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.Reservation;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Limit of the tokens of a language model, in code.
 */
@RestController
class StoryController {

	private final RateLimiterRegistry limits;

	private final LanguageModel model;

	StoryController(RateLimiterRegistry limits, LanguageModel model) {
		this.limits = limits;
		this.model = model;
	}

	@PostMapping("/stories")
	public String tell(@RequestParam String tenant, @RequestParam String question) {
		try (Reservation tokens = this.limits.limiter("tokens").reserve(tenant, 4_000)) {
			if (!tokens.decision().allowed()) {
				throw new RateLimitExceededException(tokens.decision());
			}
			Answer answer = this.model.ask(question);
			tokens.settle(answer.tokens());
			return answer.text();
		}
	}

}
