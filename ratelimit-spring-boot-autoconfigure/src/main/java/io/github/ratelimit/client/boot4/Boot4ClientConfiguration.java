package io.github.ratelimit.client.boot4;

import io.github.ratelimit.client.OutgoingRuleMatcher;
import io.github.ratelimit.client.blocking.OutgoingLimitInterceptor;
import io.github.ratelimit.client.reactive.OutgoingLimitFilter;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.restclient.RestClientCustomizer;
import org.springframework.boot.restclient.RestTemplateCustomizer;
import org.springframework.boot.webclient.WebClientCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Configuration of the clients of Spring Boot 4. Other customizers come first, so that
 * interceptors that they add see a request before it is limited, and those that retry it
 * are limited each time.
 *
 * @since 0.1.0
 */
@Configuration(proxyBeanMethods = false)
public class Boot4ClientConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = { "org.springframework.boot.restclient.RestClientCustomizer",
			"org.springframework.web.client.RestClient" })
	static class BlockingClients {

		@Bean
		@Order(Ordered.LOWEST_PRECEDENCE)
		RestClientCustomizer rateLimitRestClientCustomizer(OutgoingRuleMatcher rules) {
			return (client) -> client.requestInterceptor(new OutgoingLimitInterceptor(rules));
		}

		@Bean
		@Order(Ordered.LOWEST_PRECEDENCE)
		RestTemplateCustomizer rateLimitRestTemplateCustomizer(OutgoingRuleMatcher rules) {
			return (client) -> client.getInterceptors().add(new OutgoingLimitInterceptor(rules));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = { "org.springframework.boot.webclient.WebClientCustomizer",
			"org.springframework.web.reactive.function.client.WebClient" })
	static class ReactiveClients {

		@Bean
		@Order(Ordered.LOWEST_PRECEDENCE)
		WebClientCustomizer rateLimitWebClientCustomizer(OutgoingRuleMatcher rules) {
			return (client) -> client.filter(new OutgoingLimitFilter(rules));
		}

	}

}
