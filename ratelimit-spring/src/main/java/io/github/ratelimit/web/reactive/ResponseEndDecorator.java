package io.github.ratelimit.web.reactive;

import java.util.function.BooleanSupplier;

import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.HttpHandlerDecoratorFactory;

/**
 * Decorator of the server's handler that follows each response to its end, behind all
 * filters and exception handlers, which may change the status that a filter sees. It does
 * nothing unless a URL rule needs it.
 *
 * @param haveEnds whether a URL rule does something when a response is complete
 * @since 0.1.0
 */
public record ResponseEndDecorator(BooleanSupplier haveEnds) implements HttpHandlerDecoratorFactory {

	@Override
	public HttpHandler apply(HttpHandler handler) {
		return (request, response) -> {
			if (!this.haveEnds.getAsBoolean()) {
				return handler.handle(request, response);
			}
			ResponseEnd end = new ResponseEnd(response);
			return end.follow(handler.handle(request, response))
				.contextWrite((context) -> context.put(ResponseEnd.class, end));
		};
	}

}
