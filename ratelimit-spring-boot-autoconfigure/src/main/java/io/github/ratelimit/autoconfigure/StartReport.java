package io.github.ratelimit.autoconfigure;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.Comparator;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.actuate.endpoint.KeyExpressions;
import io.github.ratelimit.autoconfigure.RateLimitProperties.StoreType;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.local.LocalRateLimitStore;

/**
 * Log messages at startup: the number of rules and the store, since nothing else shows
 * that an application without Redis counts for itself alone, and each rule in force.
 */
final class StartReport {

	private static final Logger logger = System.getLogger(StartReport.class.getName());

	/**
	 * Number of rules up to which each has a line at INFO.
	 */
	private static final int MOST_LINES = 20;

	private StartReport() {
	}

	static void log(Collection<RateLimitRule> rules, KeyExpressions keys, RateLimitStore store, boolean isAnswering,
			StoreType type) {
		logger.log(Level.INFO, "Rate limits: " + rules.size() + ((rules.size() == 1) ? " rule, " : " rules, ")
				+ counted(store, isAnswering, type) + '.');
		Level level = (rules.size() > MOST_LINES) ? Level.DEBUG : Level.INFO;
		if (logger.isLoggable(level)) {
			rules.stream()
				.sorted(Comparator.comparing(RateLimitRule::name))
				.forEach((rule) -> logger.log(level, RuleText.of(rule, keys.of(rule.name()).values())));
		}
	}

	private static String counted(RateLimitStore store, boolean isAnswering, StoreType type) {
		if (store.origin() == Decision.Origin.REDIS) {
			return "counted in Redis, together by all instances" + (isAnswering ? "" : ", as soon as Redis answers");
		}
		if (!(store instanceof LocalRateLimitStore)) {
			return "counted by " + store.getClass().getName();
		}
		String reason = (type == StoreType.AUTO) ? "there is no RedisConnectionFactory" : "ratelimit.store is local";
		return "counted in this process, by each instance for itself, because " + reason;
	}

}
