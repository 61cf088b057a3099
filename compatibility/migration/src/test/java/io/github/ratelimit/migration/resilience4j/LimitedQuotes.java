package io.github.ratelimit.migration.resilience4j;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;

import org.springframework.stereotype.Service;

/**
 * Quotes that a rule limits.
 */
@Service
class LimitedQuotes {

	@RateLimited(name = "quotes", fallback = "lastQuote")
	public String quote(String symbol) {
		return "new";
	}

	String lastQuote(String symbol, RateLimitExceededException denial) {
		return "last";
	}

}
