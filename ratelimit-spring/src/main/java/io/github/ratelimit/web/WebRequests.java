package io.github.ratelimit.web;

import java.time.Clock;

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

}
