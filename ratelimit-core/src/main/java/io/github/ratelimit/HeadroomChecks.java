package io.github.ratelimit;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.notation.DurationText;
import org.jspecify.annotations.Nullable;

/**
 * Refusals of classes of calls that have no meaning, each with the reason and a remedy.
 */
final class HeadroomChecks {

	private HeadroomChecks() {
	}

	static void checkPriority(String expression, Map<String, Headroom> headroom) {
		if (headroom.isEmpty()) {
			throw new InvalidAttributeException("priority", '"' + expression + '"',
					"the rule has no headroom, so all classes of calls are equal.",
					"Write what a class leaves free, `headroom.low: 30%` for example; or remove it.");
		}
	}

	/**
	 * Check that the limits of a rule have a capacity that can stay free.
	 */
	static void check(Map<String, Headroom> headroom, List<Limit> limits, Duration maxWait,
			@Nullable Duration prefetch) {
		if (!maxWait.isZero()) {
			throw refused(headroom, "max-wait " + DurationText.of(maxWait)
					+ " lets calls take units of the future, which then come before those of any class.");
		}
		if (prefetch != null) {
			throw refused(headroom, "prefetch lets instances hold units, and what they hold is free for no class.");
		}
		for (Limit limit : limits) {
			if (limit.algorithm() == Algorithm.LEAKY_BUCKET || limit.algorithm() == Algorithm.WARM_UP) {
				throw refused(headroom,
						limit.algorithm().yamlName() + " has no capacity that could stay free: it paces calls.");
			}
			if (limit.countDenied()) {
				throw refused(headroom, "count-denied counts denied calls of a class in what it has to leave free.");
			}
		}
	}

	private static InvalidAttributeException refused(Map<String, Headroom> headroom, String reason) {
		Map.Entry<String, Headroom> first = headroom.entrySet().iterator().next();
		return new InvalidAttributeException("headroom", first.getValue(), reason,
				"Remove one of the two, or write a rule of its own for each class of calls.")
			.at("headroom." + first.getKey());
	}

	/**
	 * Refuse a headroom that is the whole capacity of a limit as it is written. Other
	 * numbers, of a plan or at run time, may leave nothing to a class.
	 */
	static void checkCapacity(Map<String, Headroom> headroom, List<Limit> limits) {
		headroom.forEach((ofClass, each) -> {
			for (Limit limit : limits) {
				if (each.of(limit.capacity()) >= limit.capacity()) {
					throw new InvalidAttributeException("headroom", each,
							"no call of this class would be admitted, since the capacity is " + limit.capacity() + '.',
							"Write fewer units, or a share such as 30%.")
						.at("headroom." + ofClass);
				}
			}
		});
	}

}
