package io.github.ratelimit.autoconfigure;

import java.math.BigDecimal;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Limits of chat clients of Spring AI, bound where there are some.
 *
 * @param prices Prices of models by their names, in any currency. Names with other
 * characters than letters, digits and hyphens are written in brackets.
 */
@ConfigurationProperties(prefix = "ratelimit.ai", ignoreUnknownFields = false)
record AiProperties(@DefaultValue Map<String, Price> prices) {

	/**
	 * Price of a model.
	 *
	 * @param input Price of the tokens of prompts.
	 * @param output Price of the tokens of answers.
	 * @param per Number of tokens that have this price, by default 1M. K and M stand for
	 * thousands and millions.
	 */
	record Price(@Nullable BigDecimal input, @Nullable BigDecimal output, @DefaultValue("1M") String per) {

	}

}
