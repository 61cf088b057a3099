package io.github.ratelimit.migration.resilience4j;

import io.github.resilience4j.ratelimiter.RequestNotPermitted;
import io.github.resilience4j.ratelimiter.annotation.RateLimiter;

import org.springframework.stereotype.Service;

/**
 * Quotes that resilience4j limits.
 */
@Service
class CycleQuotes {

	@RateLimiter(name = "quotes", fallbackMethod = "lastQuote")
	public String quote(String symbol) {
		return "new";
	}

	String lastQuote(String symbol, RequestNotPermitted denial) {
		return "last";
	}

}
