package io.github.ratelimit.benchmarks.endpoints;

import java.util.List;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.benchmarks.measure.Parent;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.servlet.context.ServletWebServerApplicationContext;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Web application whose endpoints reply the same after different work.
 */
@SpringBootApplication
public class ComparedEndpoints {

	/**
	 * Run the application.
	 * @param arguments properties, as for any application
	 */
	public static void main(String[] arguments) throws Exception {
		try (ServletWebServerApplicationContext context = (ServletWebServerApplicationContext) SpringApplication
			.run(ComparedEndpoints.class, arguments)) {
			Parent.serve(context.getWebServer().getPort());
		}
	}

	private static String reply(String userId) {
		return "Dear " + userId;
	}

	@RestController
	static class NotLimited {

		@GetMapping("/not-limited")
		public String get(@RequestParam String userId) {
			return reply(userId);
		}

	}

	@RestController
	static class Limited {

		@GetMapping("/limited")
		@RateLimited(key = "#userId + ':reply'", period = 1, max = 1_000_000_000, algorithm = Algorithm.TOKEN_BUCKET)
		public String get(@RequestParam String userId) {
			return reply(userId);
		}

	}

	/**
	 * Minimal work of any limiter whose answers have headers.
	 */
	@RestController
	static class SendingHeaders {

		@GetMapping("/headers")
		public String get(@RequestParam String userId, HttpServletResponse response) {
			response.setHeader("RateLimit-Policy", "\"limited-get\";q=1000000000;w=1");
			response.setHeader("RateLimit", "\"limited-get\";r=999999999;t=1");
			return reply(userId);
		}

	}

	/**
	 * Minimal work of any limiter over Redis: one command, or one script, for each call
	 * through the application's connection.
	 */
	@RestController
	static class Incrementing {

		private final RedisScript<Long> script = RedisScript.of("return redis.call('incr', KEYS[1])", Long.class);

		private final StringRedisTemplate redis;

		Incrementing(StringRedisTemplate redis) {
			this.redis = redis;
		}

		@GetMapping("/increment")
		public String get(@RequestParam String userId) {
			this.redis.opsForValue().increment("replies:" + userId);
			return reply(userId);
		}

		@GetMapping("/script")
		public String getByScript(@RequestParam String userId) {
			this.redis.execute(this.script, List.of("replies:" + userId));
			return reply(userId);
		}

	}

}
