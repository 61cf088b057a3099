package com.example.webflux;

import java.time.Duration;

import io.github.ratelimit.test.AutoConfigureTestRateLimiter;
import io.github.ratelimit.test.RateLimitClock;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webflux.test.autoconfigure.WebFluxTest;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.reactive.server.WebTestClient.ResponseSpec;

@WebFluxTest(SearchController.class)
@AutoConfigureTestRateLimiter
class SearchLimitTests {

	@Autowired
	private WebTestClient client;

	@Autowired
	private RateLimitClock clock;

	@Test
	void tenAtOnceThenOnePerSecond() {
		for (int i = 0; i < 10; i++) {
			search("acme").expectStatus().isOk();
		}
		search("acme").expectStatus().isEqualTo(429).expectHeader().valueEquals("Retry-After", "1");
		search("tiny").expectStatus().isOk();
		this.clock.advance(Duration.ofSeconds(1));
		search("acme").expectStatus().isOk();
	}

	private ResponseSpec search(String apiKey) {
		return this.client.get().uri("/api/search?text=limits").header("X-Api-Key", apiKey).exchange();
	}

}
