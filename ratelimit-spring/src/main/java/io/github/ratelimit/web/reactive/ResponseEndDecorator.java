package io.github.ratelimit.web.reactive;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;

import io.github.ratelimit.interceptor.CallEnd;
import jakarta.servlet.ServletResponse;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.AbstractListenerServerHttpResponse;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.HttpHandlerDecoratorFactory;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.util.ClassUtils;

/**
 * Decorator of the server's handler that follows each response to its end, behind all
 * filters and exception handlers, which may change the status that a filter sees. It does
 * nothing unless a URL rule needs it.
 *
 * @since 0.1.0
 */
public record ResponseEndDecorator(BooleanSupplier haveEnds) implements HttpHandlerDecoratorFactory {

	@Override
	public HttpHandler apply(HttpHandler handler) {
		return (request, response) -> {
			if (!this.haveEnds.getAsBoolean()) {
				return handler.handle(request, response);
			}
			End end = new End(response);
			return end.follow(handler.handle(request, response)).contextWrite((context) -> context.put(End.class, end));
		};
	}

	/**
	 * End of a response, which ends the requests of URL rules: when it is complete, or
	 * when the client disconnects.
	 */
	static final class End {

		private static final boolean SERVLETS = ClassUtils.isPresent("jakarta.servlet.ServletResponse",
				End.class.getClassLoader());

		private static final int OK = 200;

		private static final int INTERNAL_SERVER_ERROR = 500;

		/** Status of nginx for a client that disconnects before there is a response. */
		private static final int CLIENT_CLOSED_REQUEST = 499;

		private final ServerHttpResponse response;

		private final Queue<CallEnd> ends = new ConcurrentLinkedQueue<>();

		private volatile int endedWith;

		End(ServerHttpResponse response) {
			this.response = response;
		}

		void add(CallEnd end) {
			this.ends.add(end);
			if (this.endedWith != 0) {
				end(this.endedWith);
			}
		}

		/** Follow what makes the response. The requests end before its last signal. */
		Mono<Void> follow(Mono<Void> making) {
			return making.doOnSuccess((done) -> end(status(OK)))
				.doOnError((failure) -> end(status(INTERNAL_SERVER_ERROR)))
				.doOnCancel(() -> end(status(CLIENT_CLOSED_REQUEST)));
		}

		private int status(int otherwise) {
			HttpStatusCode status = this.response.getStatusCode();
			return (status != null && (otherwise == OK || isSent())) ? status.value() : otherwise;
		}

		/**
		 * Return whether the client gets the status of the response. A servlet container
		 * replaces a response that fails before anything of it was sent.
		 */
		private boolean isSent() {
			return this.response.isCommitted()
					&& !(SERVLETS && this.response instanceof AbstractListenerServerHttpResponse response
							&& ServletContainer.isUnsent(response));
		}

		private void end(int status) {
			this.endedWith = status;
			for (CallEnd end = this.ends.poll(); end != null; end = this.ends.poll()) {
				end.endAsync(status);
			}
		}

		private static final class ServletContainer {

			static boolean isUnsent(AbstractListenerServerHttpResponse response) {
				return response.getNativeResponse() instanceof ServletResponse servlet && !servlet.isCommitted();
			}

		}

	}

}
