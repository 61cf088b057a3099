package io.github.ratelimit.web.reactive;

import java.io.File;
import java.nio.file.Path;

import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.ZeroCopyHttpOutputMessage;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;

/**
 * Response of a handler whose end learns if the body fails or is canceled. A server may
 * complete a response whose client has disconnected as if nothing had happened.
 */
class FollowedResponse extends ServerHttpResponseDecorator {

	private final HandlerEnd end;

	FollowedResponse(ServerHttpResponse response, HandlerEnd end) {
		super(response);
		this.end = end;
	}

	/**
	 * Follow a response.
	 * @return a response that sends files as the original one does
	 */
	static ServerHttpResponse of(ServerHttpResponse response, HandlerEnd end) {
		return (response instanceof ZeroCopyHttpOutputMessage files) ? new WithFiles(response, files, end)
				: new FollowedResponse(response, end);
	}

	@Override
	public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
		return super.writeWith(followed(body));
	}

	@Override
	public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> body) {
		return super.writeAndFlushWith(followed(body));
	}

	private <T> Publisher<T> followed(Publisher<T> body) {
		return (body instanceof Mono<T> one) ? one.doOnError(this.end::fail).doFinally(this::last)
				: Flux.from(body).doOnError(this.end::fail).doFinally(this::last);
	}

	private void last(SignalType signal) {
		if (signal == SignalType.CANCEL) {
			this.end.cancel();
		}
	}

	private static final class WithFiles extends FollowedResponse implements ZeroCopyHttpOutputMessage {

		private final ZeroCopyHttpOutputMessage files;

		WithFiles(ServerHttpResponse response, ZeroCopyHttpOutputMessage files, HandlerEnd end) {
			super(response, end);
			this.files = files;
		}

		@Override
		public Mono<Void> writeWith(File file, long position, long count) {
			return this.files.writeWith(file, position, count);
		}

		@Override
		public Mono<Void> writeWith(Path file, long position, long count) {
			return this.files.writeWith(file, position, count);
		}

	}

}
