package io.github.ratelimit.web;

import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * Settings of web requests.
 *
 * @since 0.1.0
 */
public record WebRequests(LimitHeaders headers, int ipv6Prefix, Clock clock, ForwardedHeaderWarning forwarded) {

	public WebRequests(HeaderFormat headers, int ipv6Prefix, Clock clock) {
		this(LimitHeaders.of(headers), ipv6Prefix, clock, new ForwardedHeaderWarning(true));
	}

	public String clientAddress(@Nullable InetSocketAddress remote, UnaryOperator<@Nullable String> headers) {
		return clientAddress(
				(remote == null) ? null
						: (remote.getAddress() != null) ? remote.getAddress().getHostAddress() : remote.getHostString(),
				headers);
	}

	public String clientAddress(@Nullable String address, UnaryOperator<@Nullable String> headers) {
		if (address == null) {
			throw new IllegalStateException("the address of the client is unknown");
		}
		this.forwarded.check(address, headers);
		return ClientAddress.of(address, this.ipv6Prefix);
	}

}
