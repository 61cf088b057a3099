package io.github.ratelimit.migration.bucket4j;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.annotation.RateLimited;

import org.springframework.stereotype.Service;

/**
 * Orders that an annotation limits.
 */
@Service
class LimitedOrders {

	@RateLimited(name = "order", key = "#customer", algorithm = Algorithm.TOKEN_BUCKET, burst = 5, max = 2,
			period = 3600)
	public String order(String customer) {
		return "ordered";
	}

}
