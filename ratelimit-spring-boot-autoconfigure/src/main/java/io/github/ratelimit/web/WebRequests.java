package io.github.ratelimit.web;

import java.time.Clock;

/**
 * How requests are looked at and answered.
 *
 * @param headers which headers tell the client where it stands
 * @param ipv6Prefix how many bits of an IPv6 address are the network
 * @param clock the time {@code X-RateLimit-Reset} is told by
 * @since 0.1.0
 */
public record WebRequests(HeaderFormat headers, int ipv6Prefix, Clock clock) {

}
