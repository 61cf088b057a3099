package io.github.ratelimit.actuate.endpoint;

import java.time.Duration;
import java.util.stream.Stream;

import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import org.jspecify.annotations.Nullable;

/** Requested override of one key. */
record KeyChange(@Nullable Long max, String limit, boolean blocked, @Nullable Duration lasting) {

	static KeyChange of(RateLimitRule rule, @Nullable String max, @Nullable String limit, @Nullable String blocked,
			@Nullable String unlimited, @Nullable String lasting) {
		String name = rule.name();
		Long number = Change.max(name, max);
		boolean isBlocked = Change.isTrueInJson("blocked", blocked);
		boolean isUnlimited = Change.isTrueInJson("unlimited", unlimited);
		if (Stream.of(number != null, isBlocked, isUnlimited).filter((given) -> given).count() != 1) {
			throw new RateLimitConfigurationException(
					"An override of a key of rule \"" + name + "\" has one of max, blocked and unlimited.",
					"Write {\"max\": 900}, {\"blocked\": true} or {\"unlimited\": true}, and beside it \"lasting\": "
							+ "\"7d\" if it is to end.");
		}
		if (limit != null && number == null) {
			throw Change.invalid("limit", limit, name, "a key is blocked or unlimited under all limits of the rule.",
					"Leave limit out, or write max beside it.");
		}
		return new KeyChange(number, nameOf(rule, limit), isBlocked, Change.duration(name, "lasting", lasting));
	}

	private static String nameOf(RateLimitRule rule, @Nullable String limit) {
		if (limit == null) {
			return "";
		}
		for (Limit each : rule.limits()) {
			if (limit.equals(each.name()) || limit.equals(rule.nameOf(each))) {
				return (rule.limits().size() == 1) ? "" : String.valueOf(each.name());
			}
		}
		return limit;
	}

	/** Return the override. The number of a named limit is added to those of others. */
	KeyOverride after(@Nullable KeyOverride earlier) {
		if (this.max == null) {
			return (this.blocked ? KeyOverride.blocked() : KeyOverride.unlimited()).lasting(this.lasting);
		}
		boolean isAdded = !this.limit.isEmpty() && earlier != null && !earlier.maxima().isEmpty();
		return (isAdded ? earlier.and(this.limit, this.max) : KeyOverride.max(this.limit, this.max))
			.lasting(this.lasting);
	}

}
