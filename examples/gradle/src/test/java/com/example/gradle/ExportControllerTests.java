package com.example.gradle;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.test.AutoConfigureTestRateLimiter;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@SpringBootTest
@AutoConfigureTestRateLimiter
class ExportControllerTests {

	@Autowired
	private ExportController controller;

	@Autowired
	private RateLimiterRegistry limiters;

	@Test
	void threeExportsAtATime() {
		try (Reservation running = this.limiters.limiter("export").reserve("acme", 3)) {
			assertThat(running.decision().allowed()).isTrue();
			assertThatExceptionOfType(RateLimitExceededException.class)
				.isThrownBy(() -> this.controller.export("acme"));
		}
		assertThat(this.controller.export("acme")).isEqualTo("exported");
	}

}
