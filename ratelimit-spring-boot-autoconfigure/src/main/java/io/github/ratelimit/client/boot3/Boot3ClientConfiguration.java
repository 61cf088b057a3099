package io.github.ratelimit.client.boot3;

import java.util.List;

import io.github.ratelimit.client.OutgoingRuleMatcher;
import io.github.ratelimit.client.blocking.OutgoingLimitInterceptor;
import io.github.ratelimit.client.reactive.OutgoingLimitFilter;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.web.client.RestClientCustomizer;
import org.springframework.boot.web.client.RestTemplateCustomizer;
import org.springframework.boot.web.reactive.function.client.WebClientCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.client.ClientHttpRequestInterceptor;

/**
 * Configuration of the clients of Spring Boot 3. Other customizers come first, so that
 * interceptors that they add see a request before it is limited, and those that retry it
 * are limited each time. Spring 6 runs an interceptor once per request, even if one
 * before it retries, so they become a single one here, which runs the others for each
 * attempt.
 *
 * @since 0.1.0
 */
@Configuration(proxyBeanMethods = false)
public class Boot3ClientConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = { "org.springframework.boot.web.client.RestClientCustomizer",
			"org.springframework.web.client.RestClient" })
	static class BlockingClients {

		@Bean
		@Order(Ordered.LOWEST_PRECEDENCE)
		RestClientCustomizer rateLimitRestClientCustomizer(OutgoingRuleMatcher rules) {
			return (client) -> client.requestInterceptors((interceptors) -> limitEachAttempt(interceptors, rules));
		}

		@Bean
		@Order(Ordered.LOWEST_PRECEDENCE)
		RestTemplateCustomizer rateLimitRestTemplateCustomizer(OutgoingRuleMatcher rules) {
			return (client) -> limitEachAttempt(client.getInterceptors(), rules);
		}

		private static void limitEachAttempt(List<ClientHttpRequestInterceptor> interceptors,
				OutgoingRuleMatcher rules) {
			ClientHttpRequestInterceptor limited = new OutgoingLimitInterceptor(rules);
			for (int i = interceptors.size() - 1; i >= 0; i--) {
				limited = chain(interceptors.get(i), limited);
			}
			interceptors.clear();
			interceptors.add(limited);
		}

		private static ClientHttpRequestInterceptor chain(ClientHttpRequestInterceptor first,
				ClientHttpRequestInterceptor next) {
			return (request, body, execution) -> first.intercept(request, body,
					(attempt, itsBody) -> next.intercept(attempt, itsBody, execution));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = { "org.springframework.boot.web.reactive.function.client.WebClientCustomizer",
			"org.springframework.web.reactive.function.client.WebClient" })
	static class ReactiveClients {

		@Bean
		@Order(Ordered.LOWEST_PRECEDENCE)
		WebClientCustomizer rateLimitWebClientCustomizer(OutgoingRuleMatcher rules) {
			return (client) -> client.filter(new OutgoingLimitFilter(rules));
		}

	}

}
