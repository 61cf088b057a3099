package io.github.ratelimit.compatibility;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.redis.process.RedisProcess;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Limits shared by two instances without a web server, with different clients of the same
 * Redis.
 */
@OnNewestLine
class SharedLimitTests {

	@Test
	void instancesAdmitExactlyAsManyCallsAsOneWould() throws Exception {
		try (RedisProcess redis = RedisProcess.start();
				Server one = instance(redis, "lettuce");
				Server other = instance(redis, "jedis")) {
			List<Callable<Boolean>> calls = new ArrayList<>();
			for (int i = 0; i < 1000; i++) {
				calls.add(() -> one.bean(Newsletter.class).isSent());
				calls.add(() -> other.bean(Newsletter.class).isSent());
			}
			assertThat(admitted(calls)).isEqualTo(100);
		}
	}

	private static Server instance(RedisProcess redis, String client) {
		return Server.start(WebApplicationType.NONE, NewsletterApplication.class,
				"spring.data.redis.port=" + redis.port(), "spring.data.redis.client-type=" + client,
				"ratelimit.redis.timeout=10s");
	}

	private static long admitted(List<Callable<Boolean>> calls) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(100);
		try {
			long admitted = 0;
			for (Future<Boolean> call : threads.invokeAll(calls)) {
				admitted += call.get() ? 1 : 0;
			}
			return admitted;
		}
		finally {
			threads.shutdownNow();
		}
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class NewsletterApplication {

		@Bean
		Newsletter newsletter(Letters letters) {
			return new Newsletter(letters);
		}

		@Bean
		Letters letters() {
			return new Letters();
		}

	}

	static class Newsletter {

		private final Letters letters;

		Newsletter(Letters letters) {
			this.letters = letters;
		}

		boolean isSent() {
			try {
				this.letters.send();
				return true;
			}
			catch (RateLimitExceededException ex) {
				assertThat(ex.decision().retryAfter()).isLessThanOrEqualTo(Duration.ofHours(1));
				return false;
			}
		}

	}

	static class Letters {

		@RateLimited(name = "letters", max = 100, period = 3600)
		public void send() {
		}

	}

}
