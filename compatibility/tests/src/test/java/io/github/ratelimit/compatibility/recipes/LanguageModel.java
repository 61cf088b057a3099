package io.github.ratelimit.compatibility.recipes;

import org.springframework.stereotype.Component;

/**
 * Replacement for a language model, which takes as many tokens as the number in the
 * question.
 */
@Component
class LanguageModel {

	Answer ask(String question) {
		return new Answer("as you like", Long.parseLong(question));
	}

}
