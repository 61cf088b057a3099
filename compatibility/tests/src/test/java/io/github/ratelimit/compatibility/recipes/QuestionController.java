package io.github.ratelimit.compatibility.recipes;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.annotation.RateLimited;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Limit of the tokens of a language model.
 */
@RestController
class QuestionController {

	private final LanguageModel model;

	QuestionController(LanguageModel model) {
		this.model = model;
	}

	@PostMapping("/questions")
	@RateLimited(name = "tokens", key = "#tenant", algorithm = Algorithm.TOKEN_BUCKET, max = 100_000, period = 60,
			cost = "#question.length() / 4 + 1000", settle = "#result.tokens")
	public Answer ask(@RequestParam String tenant, @RequestParam String question) {
		return this.model.ask(question);
	}

}
