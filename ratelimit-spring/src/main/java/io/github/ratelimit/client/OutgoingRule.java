package io.github.ratelimit.client;

import io.github.ratelimit.interceptor.RateLimitOperation;

/**
 * Rule that applies to outgoing requests by their host.
 *
 * @param host the hosts
 * @param operation limits a request
 * @param obey whether answers may block the key
 * @since 0.1.0
 */
public record OutgoingRule(HostPattern host, RateLimitOperation operation, boolean obey) {

}
