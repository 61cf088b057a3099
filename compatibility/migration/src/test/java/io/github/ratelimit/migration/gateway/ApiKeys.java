package io.github.ratelimit.migration.gateway;

import reactor.core.publisher.Mono;

import org.springframework.cloud.gateway.filter.ratelimit.KeyResolver;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Key of the gateway's own filter.
 */
@Configuration(proxyBeanMethods = false)
class ApiKeys {

	@Bean
	KeyResolver apiKeys() {
		return (exchange) -> Mono.justOrEmpty(exchange.getRequest().getHeaders().getFirst("X-Api-Key"));
	}

}
