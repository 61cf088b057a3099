package io.github.ratelimit.web;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.Decision;
import io.github.ratelimit.LimitStatus;

/**
 * Limits of a decision as clients should see them: while a key is banned, nothing is left
 * of any limit of the rule, even if the limit itself would admit the call.
 */
final class BannedLimits {

	private static final String BAN = "-ban";

	private BannedLimits() {
	}

	static List<LimitStatus> of(Decision decision) {
		List<LimitStatus> limits = decision.limits();
		if (decision.allowed()) {
			return limits;
		}
		List<String> rules = decision.violated()
			.stream()
			.filter((name) -> isBan(name, limits))
			.map(BannedLimits::rule)
			.toList();
		return rules.isEmpty() ? limits
				: limits.stream()
					.map((limit) -> rules.stream().anyMatch((rule) -> isOf(rule, limit, limits))
							? banned(limit, decision.retryAfter()) : limit)
					.toList();
	}

	/**
	 * A limit may be named like the ban of another rule.
	 */
	private static boolean isBan(String violated, List<LimitStatus> limits) {
		return violated.endsWith(BAN) && limits.stream().noneMatch((limit) -> limit.name().equals(violated));
	}

	private static String rule(String ban) {
		return ban.substring(0, ban.length() - BAN.length());
	}

	/**
	 * The only limit of a rule is named like the rule. Names of several limits begin with
	 * that of the rule.
	 */
	private static boolean isOf(String rule, LimitStatus limit, List<LimitStatus> limits) {
		boolean isSingle = limits.stream().anyMatch((other) -> other.name().equals(rule));
		return isSingle ? limit.name().equals(rule) : limit.name().startsWith(rule + '-');
	}

	private static LimitStatus banned(LimitStatus limit, Duration retryAfter) {
		boolean isLonger = !retryAfter.equals(Decision.NEVER) && retryAfter.compareTo(limit.resetAfter()) > 0;
		return new LimitStatus(limit.name(), limit.max(), limit.capacity(), limit.period(), 0, retryAfter,
				isLonger ? retryAfter : limit.resetAfter(), limit.calendar());
	}

}
