package io.github.ratelimit.compatibility.recipes;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Answer instead of a 429.
 */
@RestController
class PriceController {

	private final Map<String, String> latest = new ConcurrentHashMap<>();

	@PostMapping("/prices")
	@RateLimited(name = "price", key = "#share", period = 60, max = 1, fallback = "latestPrice")
	public String price(@RequestParam String share) {
		String price = "42.00 now";
		this.latest.put(share, price.replace("now", "a moment ago"));
		return price;
	}

	String latestPrice(String share, RateLimitExceededException denied) {
		String price = this.latest.get(share);
		if (price == null) {
			throw denied;
		}
		return price;
	}

}
