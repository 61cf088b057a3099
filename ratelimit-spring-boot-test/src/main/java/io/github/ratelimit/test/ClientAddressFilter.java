package io.github.ratelimit.test;

import java.net.InetAddress;
import java.net.InetSocketAddress;

import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Filter that gives requests without a connection, such as those of a
 * {@code WebTestClient} that is bound to the application context, the loopback address.
 * The requests of {@code MockMvc} have it, too.
 */
final class ClientAddressFilter implements WebFilter, Ordered {

	private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		return chain.filter((exchange.getRequest().getRemoteAddress() != null) ? exchange
				: exchange.mutate().request((request) -> request.remoteAddress(LOOPBACK)).build());
	}

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

}
