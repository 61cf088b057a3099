package io.github.ratelimit.autoconfigure;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Mode;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.actuate.endpoint.KeyExpressions;
import io.github.ratelimit.autoconfigure.RateLimitProperties.StoreType;
import io.github.ratelimit.notation.DurationText;
import io.github.ratelimit.notation.KebabCase;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.local.LocalRateLimitStore;

/**
 * Log messages at startup: the number of rules and the store, since nothing else shows
 * that an application without Redis counts for itself alone, and each rule in force.
 */
final class StartReport {

	private static final Logger logger = System.getLogger(StartReport.class.getName());

	private static final int MOST_LINES = 20;

	private StartReport() {
	}

	static void log(Collection<RateLimitRule> rules, KeyExpressions keys, RateLimitStore store, boolean isAnswering,
			StoreType type) {
		logger.log(Level.INFO, "Rate limits: " + rules.size() + ((rules.size() == 1) ? " rule, " : " rules, ")
				+ counted(store, isAnswering, type) + '.');
		List<RateLimitRule> sorted = rules.stream().sorted(Comparator.comparing(RateLimitRule::name)).toList();
		warnOfEqualNames(sorted);
		sorted.forEach((rule) -> rule.limits().forEach((limit) -> warnOfInterval(rule, limit)));
		Level level = (rules.size() > MOST_LINES) ? Level.DEBUG : Level.INFO;
		if (logger.isLoggable(level)) {
			sorted.forEach((rule) -> logger.log(level, line(rule, keys.of(rule.name()).values())));
		}
	}

	/**
	 * Warn of limits that headers and decisions cannot distinguish: one of several limits
	 * of a rule has the name of another rule, or of a limit of it. That is no mistake if
	 * no call comes under both.
	 * @param sorted the rules by name, so the first one of a name has several limits
	 */
	private static void warnOfEqualNames(List<RateLimitRule> sorted) {
		Map<String, String> limits = new HashMap<>();
		for (RateLimitRule rule : sorted) {
			for (Limit limit : rule.limits()) {
				String name = rule.nameOf(limit);
				String place = (rule.limits().size() > 1)
						? "limit \"" + limit.name() + "\" of rule \"" + rule.name() + '"'
						: "rule \"" + rule.name() + '"';
				String other = limits.putIfAbsent(name, place);
				if (other != null) {
					warn("Headers and decisions name " + other + " and " + place + " alike, \"" + name
							+ "\", so clients cannot tell them apart if both apply. Give " + other + " another name.");
				}
			}
		}
	}

	/**
	 * Warn of a limit whose calls are so far apart that their sum never reaches max. That
	 * is no mistake if calls have different costs.
	 */
	private static void warnOfInterval(RateLimitRule rule, Limit limit) {
		Duration interval = limit.minInterval();
		if (interval != null && limit.max() > 1 && interval.compareTo(limit.period()) >= 0) {
			warn("min-interval of \"" + rule.nameOf(limit) + "\" = " + DurationText.of(interval)
					+ " admits at most one call per period of " + DurationText.of(limit.period()) + ", so max = "
					+ limit.max() + " only denies calls that cost more. Write a shorter min-interval, or max: 1.");
		}
	}

	static void logOff() {
		logger.log(Level.INFO, "Rate limits of annotations and requests are off, because ratelimit.enabled is false.");
	}

	static void warn(String message) {
		logger.log(Level.WARNING, message);
	}

	private static String counted(RateLimitStore store, boolean isAnswering, StoreType type) {
		if (store.origin() == Decision.Origin.REDIS) {
			return "counted in Redis, together by all instances" + (isAnswering ? "" : ", as soon as Redis answers");
		}
		if (store.origin() == Decision.Origin.JDBC) {
			return "counted in the database, together by all instances"
					+ (isAnswering ? "" : ", as soon as it answers");
		}
		if (!(store instanceof LocalRateLimitStore)) {
			return "counted by " + store.getClass().getName();
		}
		String reason = (type == StoreType.AUTO) ? "there is no RedisConnectionFactory" : "ratelimit.store is local";
		return "counted in this process, by each instance for itself, because " + reason;
	}

	private static String line(RateLimitRule rule, Collection<String> keys) {
		List<String> numbers = new ArrayList<>();
		Set<String> algorithms = new LinkedHashSet<>();
		for (Limit limit : rule.limits()) {
			numbers.add(((rule.limits().size() > 1) ? limit.name() + ' ' : "") + numbers(limit));
			algorithms.add(limit.algorithm().yamlName());
		}
		Set<String> by = new LinkedHashSet<>();
		for (String key : keys.isEmpty() ? List.of("") : keys) {
			by.add(key.isEmpty() ? Objects.requireNonNullElse(rule.key(), "") : key);
		}
		by.remove("");
		Mode mode = Objects.requireNonNullElse(rule.mode(), Mode.ENFORCE);
		return rule.name() + ": " + String.join(", ", numbers) + (by.isEmpty() ? "" : " by " + String.join(" or ", by))
				+ ", " + String.join(", ", algorithms) + ((mode == Mode.ENFORCE) ? "" : ", " + KebabCase.of(mode));
	}

	private static String numbers(Limit limit) {
		if (limit.period().isZero()) {
			return limit.max() + " at once";
		}
		String window = (limit.calendar() != null) ? limit.calendar().toString()
				: DurationText.forPeople(limit.period());
		return limit.max() + " per " + window + (limit.saysBurst() ? " with a burst of " + limit.capacity() : "");
	}

}
