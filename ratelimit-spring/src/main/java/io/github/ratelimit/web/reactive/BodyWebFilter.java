package io.github.ratelimit.web.reactive;

import java.util.function.BiFunction;
import java.util.function.Predicate;

import io.github.ratelimit.web.RequestPaths;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.util.StringUtils;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.UnsupportedMediaTypeStatusException;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Filter that changes the body of POST requests to one path of one server and those below
 * it, however the path is spelled, after all filters that may refuse them. A name without
 * a value in the query has an empty one, as in Spring MVC. A DELETE with a form is
 * refused, as in Spring MVC, where the form is part of the query.
 *
 * @since 0.1.0
 */
public record BodyWebFilter(String path, Predicate<ServerWebExchange> server,
		BiFunction<byte[], Boolean, byte[]> change, int largest, byte[] insteadOfLarger) implements WebFilter, Ordered {

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		ServerHttpRequest request = exchange.getRequest();
		if (request.getMethod() != HttpMethod.POST && !isFormTurnedIntoDelete(request)) {
			return chain.filter(exchange);
		}
		String requested = RequestPaths.canonical(request.getPath().pathWithinApplication().value());
		boolean isAtPath = requested.equals(this.path);
		boolean isBelow = requested.startsWith(this.path + '/');
		if (!(isAtPath || isBelow) || !this.server.test(exchange)) {
			return chain.filter(exchange);
		}
		if (request.getMethod() != HttpMethod.POST) {
			return Mono.error(new UnsupportedMediaTypeStatusException("A form cannot be a DELETE"));
		}
		return DataBufferUtils.join(request.getBody(), this.largest)
			.map((body) -> this.change.apply(bytes(body), isAtPath))
			.onErrorReturn(DataBufferLimitException.class, this.insteadOfLarger)
			.defaultIfEmpty(new byte[0])
			.map((body) -> with(body, request))
			.flatMap((changed) -> chain.filter(exchange.mutate().request(changed).build()));
	}

	/**
	 * Return whether a filter of the application may have made a DELETE of a form, which
	 * a browser also posts for a foreign page.
	 */
	private static boolean isFormTurnedIntoDelete(ServerHttpRequest request) {
		return request.getMethod() == HttpMethod.DELETE && StringUtils.startsWithIgnoreCase(
				request.getHeaders().getFirst(HttpHeaders.CONTENT_TYPE), MediaType.APPLICATION_FORM_URLENCODED_VALUE);
	}

	private static byte[] bytes(DataBuffer buffer) {
		byte[] bytes = new byte[buffer.readableByteCount()];
		buffer.read(bytes);
		DataBufferUtils.release(buffer);
		return bytes;
	}

	private static ServerHttpRequest with(byte[] body, ServerHttpRequest request) {
		ServerHttpRequest changed = request.mutate()
			.headers((headers) -> headers.setContentLength(body.length))
			.build();
		return new ServerHttpRequestDecorator(changed) {

			@Override
			public Flux<DataBuffer> getBody() {
				return (body.length > 0) ? Flux.just(DefaultDataBufferFactory.sharedInstance.wrap(body)) : Flux.empty();
			}

			@Override
			public MultiValueMap<String, String> getQueryParams() {
				MultiValueMap<String, String> parameters = new LinkedMultiValueMap<>();
				super.getQueryParams().forEach((name, values) -> values
					.forEach((value) -> parameters.add(name, (value != null) ? value : "")));
				return parameters;
			}

		};
	}

	@Override
	public int getOrder() {
		return LOWEST_PRECEDENCE;
	}

}
