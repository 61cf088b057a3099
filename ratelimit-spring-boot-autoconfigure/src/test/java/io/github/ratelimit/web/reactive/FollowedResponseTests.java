package io.github.ratelimit.web.reactive;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.server.ServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Buffers of a response that is written in parts: each is released once, also if the
 * client disconnects in the middle.
 */
class FollowedResponseTests {

	private final NettyDataBufferFactory buffers = new NettyDataBufferFactory(PooledByteBufAllocator.DEFAULT);

	private final ServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/"));

	private final List<Integer> sizes = new CopyOnWriteArrayList<>();

	@ParameterizedTest
	@ValueSource(ints = { 100, 20_000, 100_000 })
	void bufferIsReleasedOnce(int size) {
		for (int parts = 1; parts <= 7; parts++) {
			for (ByteBuf buffer : List.of(Unpooled.wrappedBuffer(new byte[size]),
					PooledByteBufAllocator.DEFAULT.buffer(size).writeZero(size))) {
				for (boolean isMono : new boolean[] { true, false }) {
					ByteBuf body = buffer.retainedDuplicate();
					DataBuffer wrapped = this.buffers.wrap(body);
					Mono<DataBuffer> one = Mono.fromSupplier(() -> wrapped);
					writer(parts).writeWith(isMono ? one : one.flux()).onErrorComplete().block();
					assertThat(buffer.refCnt()).as("%d parts of %s", parts, buffer).isOne();
				}
				buffer.release();
			}
		}
		assertThat(this.sizes).contains(Math.min(size, 1 << 14)).allMatch((part) -> part <= 1 << 14);
	}

	/**
	 * Return a response whose client disconnects after some parts.
	 */
	private ServerHttpResponse writer(int parts) {
		ServerHttpResponse client = new ServerHttpResponseDecorator(this.exchange.getResponse()) {

			@Override
			public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
				return Flux.from(body).take(parts).doOnNext((part) -> {
					FollowedResponseTests.this.sizes.add(part.readableByteCount());
					DataBufferUtils.release(part);
				}).count().then();
			}

		};
		ServerWebExchange mutated = this.exchange.mutate().response(client).build();
		HandlerEnd end = HandlerEnd.of(mutated);
		HandlerEnd.await(mutated);
		return FollowedResponse.of(mutated, end);
	}

}
