package io.github.ratelimit.autoconfigure;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

import io.github.ratelimit.Decision;
import io.github.ratelimit.autoconfigure.RateLimitProperties.StoreType;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.local.LocalRateLimitStore;

/**
 * Log message at startup with the number of rules and the store. Nothing else shows that
 * an application without Redis counts for itself alone.
 */
final class StartReport {

	private static final Logger logger = System.getLogger(StartReport.class.getName());

	private StartReport() {
	}

	static void log(int rules, RateLimitStore store, boolean isAnswering, StoreType type) {
		logger.log(Level.INFO, "Rate limits: " + rules + ((rules == 1) ? " rule, " : " rules, ")
				+ counted(store, isAnswering, type) + '.');
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
