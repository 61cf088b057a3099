package io.github.ratelimit.example;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The configuration of docs/without-spring-boot.md, which needs Spring's context alone.
 */
class RateLimitingTests {

	@Test
	void limitsAnnotatedMethods() {
		try (var context = new AnnotationConfigApplicationContext(RateLimiting.class, Replies.class)) {
			Replies replies = context.getBean(Replies.class);
			assertThat(replies.reply("laoqian")).isEqualTo("hello");
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> replies.reply("laoqian"));
			assertThat(replies.reply("alice")).isEqualTo("hello");
			assertThat(context.getBean(RateLimiterRegistry.class).limiter("reply").peek("alice").remaining()).isZero();
		}
	}

	static class Replies {

		@RateLimited(name = "reply", key = "#userId", period = 60, max = 1)
		String reply(String userId) {
			return "hello";
		}

	}

}
