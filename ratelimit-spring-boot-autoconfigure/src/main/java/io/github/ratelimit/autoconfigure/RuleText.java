package io.github.ratelimit.autoconfigure;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.Limit;
import io.github.ratelimit.Mode;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.notation.DurationText;
import io.github.ratelimit.notation.KebabCase;

/**
 * Text of a rule for people: {@code reply: 5 per 1 min by #userId, sliding-log}.
 */
final class RuleText {

	private RuleText() {
	}

	/**
	 * Write a rule.
	 * @param keys the key expressions of its methods and requests, empty for that of the
	 * rule
	 */
	static String of(RateLimitRule rule, Collection<String> keys) {
		List<Limit> limits = rule.limits();
		String numbers = limits.stream()
			.map((limit) -> ((limits.size() > 1) ? limit.name() + ' ' : "") + numbers(limit))
			.collect(Collectors.joining(", "));
		String own = Objects.requireNonNullElse(rule.key(), "");
		String by = (keys.isEmpty() ? Stream.of(own) : keys.stream().map((key) -> key.isEmpty() ? own : key))
			.filter((key) -> !key.isEmpty())
			.distinct()
			.collect(Collectors.joining(" or "));
		String algorithms = limits.stream()
			.map((limit) -> limit.algorithm().yamlName())
			.distinct()
			.collect(Collectors.joining(", "));
		return rule.name() + ": " + numbers + (by.isEmpty() ? "" : " by " + by) + ", " + algorithms + mode(rule);
	}

	private static String numbers(Limit limit) {
		if (limit.hasSlots()) {
			return limit.max() + " at once";
		}
		String window = (limit.calendar() != null) ? limit.calendar().toString()
				: DurationText.forPeople(limit.period());
		return limit.max() + " per " + window + (limit.saysBurst() ? " with a burst of " + limit.capacity() : "");
	}

	private static String mode(RateLimitRule rule) {
		Mode mode = Objects.requireNonNullElse(rule.mode(), Mode.ENFORCE);
		return (mode == Mode.ENFORCE) ? "" : ", " + KebabCase.of(mode);
	}

}
