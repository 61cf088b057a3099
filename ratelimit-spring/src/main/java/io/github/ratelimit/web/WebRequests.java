package io.github.ratelimit.web;

import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * Settings of web requests.
 *
 * @param headers the formats of the response headers
 * @param ipv6Prefix how many bits of an IPv6 address are the network
 * @param clock the clock of {@code X-RateLimit-Reset}
 * @param forwarded the warning about forwarded headers that are not used
 * @since 0.1.0
 */
public record WebRequests(LimitHeaders headers, int ipv6Prefix, Clock clock, ForwardedHeaderWarning forwarded) {

	/**
	 * Create new settings without a warning about forwarded headers.
	 * @param headers the format of the response headers
	 * @param ipv6Prefix how many bits of an IPv6 address are the network
	 * @param clock the clock of {@code X-RateLimit-Reset}
	 */
	public WebRequests(HeaderFormat headers, int ipv6Prefix, Clock clock) {
		this(LimitHeaders.of(headers), ipv6Prefix, clock, new ForwardedHeaderWarning(true));
	}

	/**
	 * Return the address by which the client of a request is counted.
	 * @throws IllegalStateException if the address is unknown
	 */
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
