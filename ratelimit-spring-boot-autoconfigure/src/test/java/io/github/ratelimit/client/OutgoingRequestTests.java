package io.github.ratelimit.client;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimitKeyException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.engine.RecordedLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.web.client.RestClientCustomizer;
import org.springframework.boot.web.client.RestTemplateCustomizer;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Limits of the requests that an application sends.
 */
class OutgoingRequestTests extends OutgoingRequestSupport {

	@ParameterizedTest
	@EnumSource
	void requestBeyondTheLimitIsNotSent(Client client) {
		this.application.run((context) -> {
			assertThat(get(client, context, "/a")).isEqualTo(200);
			assertThat(get(client, context, "/b")).isEqualTo(200);
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> get(client, context, "/a"))
				.withMessage("Rate limit \"api\" exceeded; retry after 60 s");
			assertThat(this.api.requests()).isEqualTo(2);
			assertThat(client.get(context, "http://127.0.0.1:" + this.api.port())).isEqualTo(200);
		});
	}

	@ParameterizedTest
	@EnumSource
	void keySeesTheRequest(Client client) {
		this.application.withBean("tenants", Tenants.class)
			.withPropertyValues("ratelimit.client.requests[0].key="
					+ "@tenants.of(header('X-Tenant')) + ' ' + method + ' ' + host + path")
			.run((context) -> {
				get(client, context, "/a b?page=1");
				assertThat(limiter(context).peek("ACME GET localhost/a b").remaining()).isEqualTo(1);
			});
	}

	@ParameterizedTest
	@EnumSource
	void calendarIsInTheZoneOfTheRequest(Client client) {
		this.application.withBean("tenants", Tenants.class)
			.withPropertyValues("ratelimit.rules.daily.max=1", "ratelimit.rules.daily.calendar=day",
					"ratelimit.rules.daily.zone=@tenants.zoneOf(header('X-Tenant'))",
					"ratelimit.client.requests[0].rule=daily")
			.run((context) -> {
				get(client, context, "/");
				assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> get(client, context, "/"))
					.satisfies((denial) -> assertThat(denial.decision().retryAfter()).isEqualTo(Duration.ofHours(19)));
			});
	}

	@ParameterizedTest
	@EnumSource
	void requestsOfAClassLeaveItsHeadroomFree(Client client) {
		this.application
			.withPropertyValues("ratelimit.rules.api.headroom.low=1",
					"ratelimit.rules.api.priority=path == '/crawl' ? 'low' : null")
			.run((context) -> {
				assertThat(get(client, context, "/crawl")).isEqualTo(200);
				assertThatExceptionOfType(RateLimitExceededException.class)
					.isThrownBy(() -> get(client, context, "/crawl"));
				assertThat(get(client, context, "/checkout")).isEqualTo(200);
				assertThat(this.api.requests()).isEqualTo(2);
			});
	}

	@ParameterizedTest
	@EnumSource
	void requestIsNotSentIfItsRuleCountsRunningCallsSinceAChange(Client client) {
		this.application.run((context) -> {
			context.getBean(RateLimiterRegistry.class)
				.register(RateLimitRule.named("api").limit(Limit.ofConcurrency(1)).build());
			assertThatIllegalStateException().isThrownBy(() -> get(client, context, "/"))
				.withMessage("Calls of rule \"api\" hold slots until they end, and the end of an outgoing request is "
						+ "not noticed. Put @RateLimited(name = \"api\") on the method that sends the request instead.");
			assertThat(this.api.requests()).isZero();
		});
	}

	@ParameterizedTest
	@EnumSource
	void requestWithoutAKeyIsNotSent(Client client) {
		this.application.withPropertyValues("ratelimit.client.requests[0].key=header('X-Absent')").run((context) -> {
			assertThatExceptionOfType(RateLimitKeyException.class).isThrownBy(() -> get(client, context, "/"))
				.isExactlyInstanceOf(RateLimitKeyException.class)
				.withMessageStartingWith("The key of rule \"api\" on ratelimit.client.requests[0] has no value");
			assertThat(this.api.requests()).isZero();
		});
	}

	@ParameterizedTest
	@EnumSource
	void requestWithoutAKeyIsSentInShadowMode(Client client) {
		this.application
			.withPropertyValues("ratelimit.client.requests[0].key=header('X-Absent')",
					"ratelimit.rules.api.mode=shadow")
			.run((context) -> assertThat(get(client, context, "/")).isEqualTo(200));
	}

	@ParameterizedTest
	@EnumSource
	void entriesOfOneHostAreDecidedTogetherAndCountARequestOncePerCounter(Client client) {
		this.application
			.withPropertyValues("ratelimit.rules.all.max=1", "ratelimit.rules.all.period=60",
					"ratelimit.client.requests[1].host=localhost:" + this.api.port(),
					"ratelimit.client.requests[1].rule=all", "ratelimit.client.requests[2].host=LOCALHOST",
					"ratelimit.client.requests[2].rule=api")
			.run((context) -> {
				get(client, context, "/");
				assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> get(client, context, "/"))
					.satisfies((denial) -> assertThat(denial.rule()).isEqualTo("all"));
				assertThat(limiter(context).peek("").remaining()).isEqualTo(1);
			});
	}

	@ParameterizedTest
	@EnumSource
	void requestWaitsForItsTurn(Client client) {
		this.realTime
			.withPropertyValues("ratelimit.rules.api.algorithm=leaky-bucket", "ratelimit.rules.api.period=1",
					"ratelimit.rules.api.max-wait=600ms")
			.run((context) -> {
				long start = System.nanoTime();
				get(client, context, "/");
				get(client, context, "/");
				assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(490));
			});
	}

	@Test
	void retriesCountAnew() {
		AtomicInteger attempts = new AtomicInteger();
		this.application.run((context) -> {
			WebClient webClient = context.getBean(WebClient.Builder.class).build();
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> webClient.get()
				.uri(this.api.url("/"))
				.exchangeToMono((response) -> response.releaseBody().thenReturn(attempts.incrementAndGet()))
				.repeat(5)
				.blockLast(Duration.ofSeconds(20)));
			assertThat(attempts).hasValue(2);
		});
	}

	@ParameterizedTest
	@EnumSource(names = { "REST_CLIENT", "REST_TEMPLATE" })
	void retriesByInterceptorsOfCustomizersCountAnew(Client client) {
		ClientHttpRequestInterceptor retry = (request, body, execution) -> {
			execution.execute(request, body).close();
			return execution.execute(request, body);
		};
		this.application.withBean(RestClientCustomizer.class, () -> (builder) -> builder.requestInterceptor(retry))
			.withBean(RestTemplateCustomizer.class, () -> (template) -> template.getInterceptors().add(retry))
			.run((context) -> {
				assertThat(get(client, context, "/")).isEqualTo(200);
				assertThat(limiter(context).peek("").remaining()).isZero();
				assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> get(client, context, "/"));
				assertThat(this.api.requests()).isEqualTo(2);
			});
	}

	@ParameterizedTest
	@CsvSource({ "REST_CLIENT, fail", "REST_TEMPLATE, fail", "WEB_CLIENT, fail", "REST_CLIENT, warn",
			"REST_TEMPLATE, warn", "WEB_CLIENT, warn" })
	void entryOfARuleThatARequestDuringStartupDoesNotFindLimitsLaterOnes(Client client, String verification) {
		try (RecordedLog mistakes = new RecordedLog("io.github.ratelimit.autoconfigure.Mistakes")) {
			this.application
				.withInitializer((context) -> ((GenericApplicationContext) context).registerBean("early", Integer.class,
						() -> get(client, context, "/")))
				.withBean(Mails.class)
				.withPropertyValues("ratelimit.verification=" + verification, "ratelimit.client.requests[0].rule=mails")
				.run((context) -> {
					assertThat(context.getBean("early")).isEqualTo(200);
					assertThat(mistakes.lines()).isEmpty();
					assertThat(get(client, context, "/")).isEqualTo(200);
					assertThatExceptionOfType(RateLimitExceededException.class)
						.isThrownBy(() -> get(client, context, "/"));
				});
		}
	}

	@Test
	void requestsAreNotLimitedWithoutEntries() {
		Client.runner().run((context) -> {
			assertThat(context).doesNotHaveBean(OutgoingRuleMatcher.class)
				.doesNotHaveBean("rateLimitRestClientCustomizer");
			assertThat(context).doesNotHaveBean("rateLimitWebClientCustomizer");
		});
		this.application.withPropertyValues("ratelimit.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(OutgoingRuleMatcher.class));
	}

	@Test
	void eitherKindOfClientsMayBeAbsent() {
		this.application.withClassLoader(new FilteredClassLoader(WebClient.class)).run((context) -> {
			assertThat(context).hasNotFailed().doesNotHaveBean("rateLimitWebClientCustomizer");
			assertThat(get(Client.REST_CLIENT, context, "/")).isEqualTo(200);
		});
		this.application.withClassLoader(new FilteredClassLoader(RestClient.class)).run((context) -> {
			assertThat(context).hasNotFailed().doesNotHaveBean("rateLimitRestClientCustomizer");
			assertThat(get(Client.WEB_CLIENT, context, "/")).isEqualTo(200);
		});
	}

	static class Mails {

		@RateLimited(name = "mails", max = 1, period = 60)
		public void send() {
		}

	}

	static class Tenants {

		public String of(String header) {
			return header.toUpperCase();
		}

		public String zoneOf(String header) {
			return header.equals("acme") ? "Asia/Tokyo" : null;
		}

	}

}
