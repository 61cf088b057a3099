package io.github.ratelimit.web.reactive;

import java.io.File;
import java.nio.file.Path;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.ZeroCopyHttpOutputMessage;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.server.ServerWebExchange;

/**
 * Response of a handler whose end learns if the body fails or is canceled. A server may
 * complete a response whose client has disconnected as if nothing had happened: Netty
 * completes a body of one buffer when it begins to write it, and cancels none whose last
 * buffer it has. So a response whose end is awaited is written in small buffers. The body
 * of a {@code HEAD} request is not sent: Spring releases its buffers, more than once.
 */
class FollowedResponse extends ServerHttpResponseDecorator {

	/** Netty takes 128 buffers before it has sent the first one. */
	private static final int PART = 1 << 14;

	private final HandlerEnd end;

	private final boolean isBodySent;

	FollowedResponse(ServerWebExchange exchange, HandlerEnd end) {
		super(exchange.getResponse());
		this.end = end;
		this.isBodySent = exchange.getRequest().getMethod() != HttpMethod.HEAD;
	}

	static ServerHttpResponse of(ServerWebExchange exchange, HandlerEnd end) {
		return (exchange.getResponse() instanceof ZeroCopyHttpOutputMessage files) ? new WithFiles(exchange, files, end)
				: new FollowedResponse(exchange, end);
	}

	@Override
	public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
		if (!isInParts()) {
			return super.writeWith(followed(body));
		}
		return (body instanceof Mono<? extends DataBuffer> one)
				? followed(one).doOnDiscard(DataBuffer.class, DataBufferUtils::release).flatMap(this::write)
				: super.writeWith(followed(parts(body)));
	}

	/**
	 * Write the only buffer of a body. A server that gets it in one piece sets its
	 * length.
	 */
	private Mono<Void> write(DataBuffer buffer) {
		int length = buffer.readableByteCount();
		if (length <= PART) {
			return super.writeWith(followed(Mono.just(buffer)));
		}
		HttpHeaders headers = getHeaders();
		if (headers.getContentLength() < 0 && headers.getFirst(HttpHeaders.TRANSFER_ENCODING) == null) {
			headers.setContentLength(length);
		}
		return super.writeWith(followed(parts(buffer)));
	}

	@Override
	public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> body) {
		return super.writeAndFlushWith(
				isInParts() ? followed(Flux.from(body).map((buffers) -> followed(parts(buffers)))) : followed(body));
	}

	private boolean isInParts() {
		return this.isBodySent && this.end.isAwaited();
	}

	private static Flux<DataBuffer> parts(Publisher<? extends DataBuffer> body) {
		return Flux.from(body).concatMap(FollowedResponse::parts, 0);
	}

	private static Flux<DataBuffer> parts(DataBuffer buffer) {
		return Flux.<DataBuffer, @Nullable DataBuffer>generate(() -> buffer, (rest, parts) -> {
			if (rest.readableByteCount() > PART) {
				parts.next(rest.split(rest.readPosition() + PART));
				return rest;
			}
			parts.next(rest);
			parts.complete();
			return null;
		}, DataBufferUtils::release);
	}

	private <T> Publisher<T> followed(Publisher<T> body) {
		return (body instanceof Mono<T> one) ? followed(one) : followed(Flux.from(body));
	}

	private <T> Mono<T> followed(Mono<T> body) {
		return body.doOnError(this.end::fail).doFinally(this::last);
	}

	private <T> Flux<T> followed(Flux<T> body) {
		return body.doOnError(this.end::fail).doFinally(this::last);
	}

	private void last(SignalType signal) {
		if (signal == SignalType.CANCEL) {
			this.end.cancel();
		}
	}

	private static final class WithFiles extends FollowedResponse implements ZeroCopyHttpOutputMessage {

		private final ZeroCopyHttpOutputMessage files;

		WithFiles(ServerWebExchange exchange, ZeroCopyHttpOutputMessage files, HandlerEnd end) {
			super(exchange, end);
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
