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

}
