package io.github.ratelimit;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.notation.DurationText;

/**
 * Refusals of what has no meaning beside {@link Algorithm#CONCURRENCY}, each with the
 * reason and a remedy.
 */
final class SlotChecks {

	private SlotChecks() {
	}

	static void checkNoPeriod(@Nullable Duration period) {
		if (period != null) {
			throw inNoWindow("period", DurationText.of(period));
		}
	}

	private static InvalidAttributeException inNoWindow(String attribute, Object value) {
		return new InvalidAttributeException(attribute, value,
				"concurrency limits the calls that run at once, not the calls per period.",
				"Remove it; a call holds its units until it ends. To limit calls per period, write another algorithm, or "
						+ "both under limits in the properties.");
	}

	static void check(Limit limit, Limit.Builder settings) {
		if (!limit.hasSlots()) {
			return;
		}
		if (settings.calendar != null) {
			throw inNoWindow("calendar", settings.calendar.yamlName());
		}
		if (limit.minInterval() != null) {
			throw new InvalidAttributeException("min-interval", DurationText.of(limit.minInterval()),
					"concurrency limits the calls that run at once, whenever they begin.",
					"Remove it, or write a second limit, `{name: pace, max: 5, period: 1s}` for example.");
		}
		if (settings.lease != null) {
			checkLease(settings.lease);
		}
	}

	private static void checkLease(Duration lease) {
		if (lease.compareTo(Limit.MIN_LEASE) < 0 || lease.compareTo(Limit.MAX_LEASE) > 0) {
			throw new InvalidAttributeException("lease", DurationText.of(lease), "it has to be between 1 s and 1 h.",
					"Write how long the slots of an instance that died stay taken, `lease: 30s` for example; calls may "
							+ "take longer.");
		}
		LimitChecks.checkMillis("lease", lease);
	}

	static void check(RateLimitRule rule) {
		if (rule.limits().stream().noneMatch(Limit::hasSlots)) {
			return;
		}
		if (!rule.maxWait().isZero()) {
			throw refused("max-wait", DurationText.of(rule.maxWait()),
					"it is unknown when running calls end, so the wait for a slot has no length.");
		}
		Duration prefetch = rule.prefetch();
		if (prefetch != null) {
			throw refused("prefetch", DurationText.of(prefetch),
					"an instance would hold slots that no call uses, and keep them from the others.");
		}
		Ban ban = rule.ban();
		if (ban != null) {
			throw refused("ban", ban, "a key whose calls run long would be banned although it does nothing wrong.");
		}
		checkUnless(rule, rule.unless());
	}

	/**
	 * Refuse an expression that refunds units, if all limits of its rule have slots.
	 */
	static void checkUnless(RateLimitRule rule, @Nullable String unless) {
		if (unless != null && rule.limits().stream().allMatch(Limit::hasSlots)) {
			throw new InvalidAttributeException("unless", '"' + unless + '"',
					"a call frees its slots when it ends, however it ends.",
					"Remove it, or count calls of a period by another limit of the rule, whose units it refunds.");
		}
	}

	private static InvalidAttributeException refused(String attribute, Object value, String reason) {
		return new InvalidAttributeException(attribute, value, reason,
				"Remove it, or write a rule of its own for the limit with the algorithm concurrency.");
	}

}
