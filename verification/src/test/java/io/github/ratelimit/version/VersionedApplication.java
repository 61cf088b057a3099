package io.github.ratelimit.version;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

import io.github.ratelimit.Decision;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.Reservation;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * Application that is run with either version. It carries out the lines that it reads,
 * for example {@code take rule key 10 2} for ten calls by two threads, and answers each
 * with a number.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class VersionedApplication {

	static final String ANSWER = "answer: ";

	private final List<Reservation> held = new ArrayList<>();

	public static void main(String[] arguments) throws Exception {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(VersionedApplication.class)
			.web(WebApplicationType.NONE)
			.run(arguments)) {
			VersionedApplication application = context.getBean(VersionedApplication.class);
			RateLimiterRegistry limiters = context.getBean(RateLimiterRegistry.class);
			System.out.println(ANSWER + 0);
			BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
			for (String line = input.readLine(); line != null; line = input.readLine()) {
				String[] words = line.split(" ");
				System.out.println(ANSWER + application.answer(words, limiters.limiter(words[1]), words[2]));
			}
		}
	}

	private long answer(String[] words, RateLimiter limiter, String key) {
		return switch (words[0]) {
			case "take" -> take(limiter, key, Integer.parseInt(words[3]), Integer.parseInt(words[4]));
			case "remaining" -> limiter.peek(key).remaining();
			case "limit" -> limiter.peek(key).limit();
			case "banned" -> limiter.peek(key).violated().contains(limiter.rule().nameOfBan()) ? 1 : 0;
			case "hold" -> hold(limiter.reserve(key));
			case "free" -> {
				this.held.forEach(Reservation::close);
				this.held.clear();
				yield 0;
			}
			case "settle" -> {
				limiter.reserve(key, Long.parseLong(words[3])).settle(Long.parseLong(words[4]));
				yield 0;
			}
			case "override" -> {
				limiter.override(key, KeyOverride.max(Long.parseLong(words[3])));
				yield 0;
			}
			case "remove" -> limiter.removeOverride(key) ? 1 : 0;
			case "reset" -> {
				limiter.reset(key);
				yield 0;
			}
			default -> throw new IllegalArgumentException(words[0]);
		};
	}

	private long hold(Reservation call) {
		this.held.add(call);
		return call.decision().allowed() ? 1 : 0;
	}

	private static long take(RateLimiter limiter, String key, int calls, int threads) {
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		try {
			return Stream.generate(() -> CompletableFuture.supplyAsync(() -> limiter.tryAcquire(key), executor))
				.limit(calls)
				.toList()
				.stream()
				.map(CompletableFuture::join)
				.filter(VersionedApplication::isAllowedByRedis)
				.count();
		}
		finally {
			executor.shutdown();
		}
	}

	private static boolean isAllowedByRedis(Decision decision) {
		if (decision.origin() == Decision.Origin.FALLBACK) {
			throw new IllegalStateException("Redis did not decide: " + decision);
		}
		return decision.allowed();
	}

}
