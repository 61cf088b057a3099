package io.github.ratelimit.autoconfigure;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

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
		return rule.name() + ": " + String.join(", ", numbers) + (by.isEmpty() ? "" : " by " + String.join(" or ", by))
				+ ", " + String.join(", ", algorithms) + mode(rule);
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
