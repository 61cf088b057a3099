package io.github.ratelimit.client;

import java.time.Duration;

import io.github.ratelimit.autoconfigure.OutgoingRateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.autoconfigure.http.client.HttpClientAutoConfiguration;
import org.springframework.boot.autoconfigure.http.client.reactive.ClientHttpConnectorAutoConfiguration;
import org.springframework.boot.autoconfigure.web.client.RestClientAutoConfiguration;
import org.springframework.boot.autoconfigure.web.client.RestTemplateAutoConfiguration;
import org.springframework.boot.autoconfigure.web.reactive.function.client.WebClientAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.web.client.RestTemplateBuilder;
import org.springframework.context.ApplicationContext;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.web.client.DefaultResponseErrorHandler;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * HTTP client of an application, as Spring Boot builds it.
 */
enum Client {

	REST_CLIENT {

		@Override
		int get(ApplicationContext context, String url) {
			return context.getBean(RestClient.Builder.class)
				.build()
				.get()
				.uri(url)
				.header("X-Tenant", "acme")
				.exchange((request, response) -> response.getStatusCode().value());
		}

	},

	REST_TEMPLATE {

		@Override
		int get(ApplicationContext context, String url) {
			return context.getBean(RestTemplateBuilder.class)
				.errorHandler(new EveryStatus())
				.defaultHeader("X-Tenant", "acme")
				.build()
				.getForEntity(url, String.class)
				.getStatusCode()
				.value();
		}

	},

	WEB_CLIENT {

		@Override
		int get(ApplicationContext context, String url) {
			return context.getBean(WebClient.Builder.class)
				.build()
				.get()
				.uri(url)
				.header("X-Tenant", "acme")
				.exchangeToMono((response) -> response.releaseBody().thenReturn(response.statusCode().value()))
				.block(Duration.ofSeconds(20));
		}

	};

	/**
	 * Send a request.
	 * @return the status of the answer
	 */
	abstract int get(ApplicationContext context, String url);

	static ApplicationContextRunner runner() {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, RateLimitAutoConfiguration.class,
					OutgoingRateLimitAutoConfiguration.class, HttpClientAutoConfiguration.class,
					RestClientAutoConfiguration.class, RestTemplateAutoConfiguration.class,
					ClientHttpConnectorAutoConfiguration.class, WebClientAutoConfiguration.class));
	}

	static ApplicationContextRunner runnerWithRedis(int port) {
		return runner().withConfiguration(AutoConfigurations.of(RedisAutoConfiguration.class))
			.withPropertyValues("spring.data.redis.port=" + port, "ratelimit.redis.timeout=2s");
	}

	private static final class EveryStatus extends DefaultResponseErrorHandler {

		@Override
		public boolean hasError(ClientHttpResponse response) {
			return false;
		}

	}

}
