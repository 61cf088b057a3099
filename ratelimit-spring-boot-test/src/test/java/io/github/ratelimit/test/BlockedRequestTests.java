package io.github.ratelimit.test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.net.httpserver.HttpServer;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.RateLimiterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.web.client.HttpClientErrorException.TooManyRequests;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientResponseException;

import static io.github.ratelimit.test.RateLimitAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Outgoing requests that wait until a block of their key ends, by the clock of the test.
 * The first answer of the API requests a pause.
 */
@SpringBootTest(webEnvironment = WebEnvironment.NONE,
		properties = { "ratelimit.rules.api.max=100", "ratelimit.rules.api.period=1m",
				"ratelimit.rules.api.max-wait=10m", "ratelimit.client.requests[0].host=localhost",
				"ratelimit.client.requests[0].rule=api" })
@AutoConfigureTestRateLimiter
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BlockedRequestTests {

	private static final AtomicInteger requests = new AtomicInteger();

	private static volatile String retryAfter;

	private static HttpServer api;

	@Autowired
	private RateLimitClock clock;

	@Autowired
	private RestClient.Builder restClient;

	@Autowired
	private WebClient.Builder webClient;

	@BeforeAll
	static void start() throws IOException {
		api = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		api.createContext("/", (exchange) -> {
			exchange.getResponseHeaders().set("Retry-After", retryAfter);
			exchange.sendResponseHeaders((requests.getAndIncrement() == 0) ? 429 : 200, -1);
			exchange.close();
		});
		api.start();
	}

	@AfterAll
	static void stop() {
		api.stop(0);
	}

	@BeforeEach
	void forgetRequests() {
		requests.set(0);
		retryAfter = "120";
	}

	@Test
	void blockingRequestMovesTheClockToTheEndOfTheBlock() {
		Instant start = this.clock.instant();
		assertThatExceptionOfType(TooManyRequests.class).isThrownBy(this::send);
		send();
		assertThat(Duration.between(start, this.clock.instant())).isEqualTo(Duration.ofSeconds(120));
	}

	private void send() {
		this.restClient.build().get().uri(url()).retrieve().toBodilessEntity();
	}

	@Test
	void reactiveRequestMovesTheClockToTheEndOfTheBlock() {
		Instant start = this.clock.instant();
		assertThatExceptionOfType(WebClientResponseException.TooManyRequests.class).isThrownBy(this::subscribe);
		subscribe();
		assertThat(Duration.between(start, this.clock.instant())).isEqualTo(Duration.ofSeconds(120));
	}

	private void subscribe() {
		this.webClient.build().get().uri(url()).retrieve().toBodilessEntity().block(Duration.ofSeconds(10));
	}

	@Test
	void blockOfThisInstanceIsForgotten(@Autowired RateLimiterRegistry limiters, @Autowired TestLimits limits) {
		limiters.limiter("api").override("", KeyOverride.max(90));
		assertThatExceptionOfType(TooManyRequests.class).isThrownBy(this::send);
		assertThat(limiters.limiter("api")).forKey("").isDenied().hasRetryAfter(Duration.ofSeconds(120));
		limits.beginAnew();
		assertThat(limiters.limiter("api")).forKey("").hasRemaining(100);
	}

	@Test
	void dateOfAnAnswerIsReadByTheClockOfTheTest(@Autowired RateLimiterRegistry limiters) {
		retryAfter = "Wed, 01 Jan 2031 00:02:00 GMT";
		this.clock.set(Instant.parse("2031-01-01T00:00:00Z"));
		assertThatExceptionOfType(TooManyRequests.class).isThrownBy(this::send);
		assertThat(limiters.limiter("api")).forKey("").isDenied().hasRetryAfter(Duration.ofMinutes(2));
		this.clock.advance(Duration.ofMinutes(2));
		assertThat(limiters.limiter("api")).forKey("").isAllowed();
	}

	private static String url() {
		return "http://localhost:" + api.getAddress().getPort() + '/';
	}

}
