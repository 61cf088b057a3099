package io.github.ratelimit.migration.gateway;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

import com.sun.net.httpserver.HttpServer;
import io.github.ratelimit.migration.Instance;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

class GatewayTests {

	private static HttpServer quotes;

	@BeforeAll
	static void startQuotes() throws IOException {
		quotes = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		quotes.createContext("/", (exchange) -> {
			exchange.sendResponseHeaders(200, -1);
			exchange.close();
		});
		quotes.start();
	}

	@AfterAll
	static void stopQuotes() {
		quotes.stop(0);
	}

	@Test
	void admitsTheBurstAndDeniesWithoutRetryAfter() {
		try (Instance before = gateway(Before.class, "gateway/before.yml")) {
			assertThat(before.admitted(8, "/quotes/acme", "X-Api-Key", "key")).isEqualTo(5);
			assertThat(before.get("/quotes/acme", "X-Api-Key", "key")).satisfies((denied) -> {
				assertThat(denied.statusCode()).isEqualTo(429);
				assertThat(denied.headers().firstValue("Retry-After")).isEmpty();
			});
			assertThat(before.get("/quotes/acme", "X-Other", "key").statusCode()).isEqualTo(403);
		}
	}

	@Test
	void thisLibraryAdmitsTheSameAndReturnsRetryAfter() {
		try (Instance after = gateway(After.class, "gateway/after.yml")) {
			assertThat(after.admitted(8, "/quotes/acme", "X-Api-Key", "key")).isEqualTo(5);
			assertThat(after.get("/quotes/acme", "X-Api-Key", "key")).satisfies((denied) -> {
				assertThat(denied.statusCode()).isEqualTo(429);
				assertThat(denied.headers().firstValueAsLong("Retry-After")).isPresent();
			});
			assertThat(after.get("/quotes/acme", "X-Other", "key").statusCode()).isEqualTo(400);
		}
	}

	private static Instance gateway(Class<?> application, String yaml) {
		return Instance.serve(application, yaml, "spring.cloud.gateway.server.webflux.enabled=true",
				"spring.cloud.gateway.server.webflux.redis.enabled=true",
				"quotes.url=http://localhost:" + quotes.getAddress().getPort());
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import(ApiKeys.class)
	static class Before {

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class After {

	}

}
