package io.github.ratelimit.web.reactive;

import java.util.List;
import java.util.function.Supplier;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.cors.reactive.CorsUtils;
import org.springframework.web.cors.reactive.CorsWebFilter;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;

/**
 * CORS headers of a request that is answered before it reaches the filter or handler that
 * would set them. Without them, a browser hides the answer from its script.
 *
 * @since 0.1.0
 */
public record CorsAnswer(Supplier<List<CorsWebFilter>> filters, Supplier<List<HandlerMapping>> mappings) {

	public CorsAnswer {
		filters = SingletonSupplier.of(filters);
		mappings = SingletonSupplier.of(mappings);
	}

	/**
	 * Answer with the headers. If the origin may not see the answer, refuse the request
	 * as an admitted one would be.
	 */
	Mono<Void> answer(ServerWebExchange exchange, Mono<Void> answer) {
		if (!CorsUtils.isCorsRequest(exchange.getRequest()) || isSet(exchange.getResponse())) {
			return answer;
		}
		Mono<Void> answered = Mono.defer(() -> isSet(exchange.getResponse()) ? answer : mapped(exchange, answer));
		for (CorsWebFilter filter : this.filters.get()) {
			Mono<Void> next = answered;
			answered = Mono.defer(() -> filter.filter(exchange, (filtered) -> next));
		}
		return answered;
	}

	private static boolean isSet(ServerHttpResponse response) {
		return response.getHeaders().getFirst(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN) != null;
	}

	/**
	 * Answer a request by the handler mappings: one that finds its handler has checked
	 * the origin.
	 */
	private Mono<Void> mapped(ServerWebExchange exchange, Mono<Void> answer) {
		return Flux.fromIterable(this.mappings.get())
			.concatMap((mapping) -> mapping.getHandler(exchange))
			.next()
			.onErrorResume((unmapped) -> Mono.empty())
			.then(Mono.defer(() -> (exchange.getResponse().getStatusCode() == HttpStatus.FORBIDDEN)
					? exchange.getResponse().setComplete() : answer));
	}

}
