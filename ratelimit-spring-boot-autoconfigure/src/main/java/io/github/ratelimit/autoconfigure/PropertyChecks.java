package io.github.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.autoconfigure.RateLimitProperties.Verification;
import io.github.ratelimit.notation.KebabCase;
import io.github.ratelimit.web.HeaderFormat;

/** Refusals of property values that bind but have no meaning. */
final class PropertyChecks {

	/**
	 * Longest timeout: callers do not wait longer for a page, and its multiples do not
	 * overflow.
	 */
	static final Duration LONGEST_TIMEOUT = Duration.ofSeconds(60);

	private static final int MOST_TALKERS = 1_000;

	private final Mistakes mistakes = new Mistakes(Verification.FAIL);

	private final String prefix;

	PropertyChecks(String prefix) {
		this.prefix = prefix;
	}

	static void check(RateLimitProperties properties) {
		PropertyChecks checks = new PropertyChecks("ratelimit.");
		checks.checkAll(properties);
		checks.refuse();
	}

	static void checkHeaders(Map<String, RuleProperties> rules) {
		PropertyChecks checks = new PropertyChecks("ratelimit.");
		checks.checkHeadersOf(rules);
		checks.refuse();
	}

	void refuse() {
		this.mistakes.refuse();
	}

	private void checkAll(RateLimitProperties properties) {
		require(!properties.keyPrefix().isBlank(), "key-prefix", '"' + properties.keyPrefix() + '"',
				"keys without a prefix would mix with those of others.",
				"Write a word, `key-prefix: ratelimit` for example.");
		require(properties.keyPrefix().matches("[^{}]*"), "key-prefix", '"' + properties.keyPrefix() + '"',
				"braces would decide which slot of a Redis Cluster a key belongs to.", "Leave out the braces.");
		require(properties.defaults().algorithm() != Algorithm.DEFAULT, "defaults.algorithm", "default",
				"it would be its own default.",
				"Write `algorithm: sliding-log` or `algorithm: token-bucket` for example.");
		require(properties.defaults().algorithm() != Algorithm.CONCURRENCY, "defaults.algorithm", "concurrency",
				"limits with a period would have no meaning.",
				"Write `algorithm: concurrency` on the limits that count running calls.");
		Duration timeout = properties.redis().timeout();
		require(timeout.compareTo(Duration.ZERO) > 0, "redis.timeout", timeout,
				"no reply from Redis could arrive in time.",
				"Write how long a call may wait, `timeout: 100ms` for example.");
		require(timeout.compareTo(LONGEST_TIMEOUT) <= 0, "redis.timeout", timeout,
				"callers would wait that long for a Redis that hangs.",
				"Write how long a call may wait, `timeout: 100ms` for example and at most 60s.");
		double share = properties.redis().fallbackShare();
		require(share > 0 && share <= 1, "redis.fallback-share", share,
				"it is the part of each limit that one instance admits by itself.",
				"Write a number above 0 and up to 1, `fallback-share: 0.25` for 4 instances.");
		require(properties.redis().maxPending() > 0, "redis.max-pending", properties.redis().maxPending(),
				"no call could reach Redis.",
				"Write how many calls may wait for Redis, `max-pending: 10000` for example.");
		require(properties.redis().denyCache().maxSize() > 0, "redis.deny-cache.max-size",
				properties.redis().denyCache().maxSize(), "nothing could be remembered.",
				"Write how many denials to remember, `max-size: 10000` for example, or `enabled: false`.");
		requireTime("redis.deny-cache.max-ttl", properties.redis().denyCache().maxTtl(), "nothing could be remembered.",
				"Write how long, `max-ttl: 1s` for example", ", or `enabled: false`.");
		requireTime("adaptive.interval", properties.adaptive().interval(),
				"there has to be a pause between two readings of a signal.",
				"Write how often signals are read, `interval: 1s` for example", ".");
		require(properties.local().maxKeys() > 0, "local.max-keys", properties.local().maxKeys(),
				"nothing could be counted.", "Write how many keys to keep, `max-keys: 100000` for example.");
		int top = properties.top().size();
		require(top >= 0 && top <= MOST_TALKERS, "top.size", top,
				"each rule keeps that many keys in memory, at most " + MOST_TALKERS + '.',
				"Write how many keys to list, `size: 100` for example, or `size: 0` to record none.");
		require(top > 0 || !properties.top().calls(), "top.calls", true, "ratelimit.top.size is 0.",
				"Write how many keys to list, `size: 100` for example, or leave out `calls`.");
		requireTime("client.max-block", properties.client().maxBlock(), "no answer of an API could block anything.",
				"Write how long at most, `max-block: 5m` for example",
				"; to ignore answers, write `obey: false` in the entry.");
		checkHeaders("web.headers", properties.web().headers());
		checkHeadersOf(properties.rules());
		int prefix = properties.web().ipv6Prefix();
		require(prefix >= 1 && prefix <= 128, "web.ipv6-prefix", prefix, "an IPv6 address has 128 bits.",
				"Write a number from 1 to 128, `ipv6-prefix: 64` for the usual network of one client.");
	}

	private void checkHeadersOf(Map<String, RuleProperties> rules) {
		RuleProperties.headers(rules).forEach((rule, headers) -> checkHeaders("rules." + rule + ".headers", headers));
	}

	private void checkHeaders(String property, Set<HeaderFormat> headers) {
		require(!headers.isEmpty(), property, "\"\"", "it is empty.", "Write `headers: ietf` or `headers: none`.");
		require(headers.size() < 2 || !headers.contains(HeaderFormat.NONE), property,
				headers.stream().map(KebabCase::of).collect(Collectors.joining(", ")),
				"none stands for no headers at all.", "Write `headers: none`, or leave it out of the list.");
	}

	/**
	 * Refuse a time that is not positive, or longer than the period of any limit.
	 * @param instead ends the action if the time is not positive
	 */
	private void requireTime(String property, Duration time, String reason, String action, String instead) {
		require(time.compareTo(Duration.ZERO) > 0, property, time, reason, action + instead);
		require(time.compareTo(Limit.MAX_PERIOD) <= 0, property, time, "it has to be at most 366 days.", action + '.');
	}

	void require(boolean condition, String property, Object value, String reason, String action) {
		if (!condition) {
			String attribute = property.substring(property.lastIndexOf('.') + 1);
			this.mistakes
				.accept(new InvalidAttributeException(attribute, value, reason, action).at(this.prefix + property));
		}
	}

}
