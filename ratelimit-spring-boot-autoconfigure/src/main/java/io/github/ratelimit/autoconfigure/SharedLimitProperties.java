package io.github.ratelimit.autoconfigure;

import java.time.Duration;
import java.time.ZoneId;
import java.util.Optional;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Align;
import io.github.ratelimit.CalendarUnit;
import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.attribute.LimitAttribute;
import io.github.ratelimit.attribute.LimitAttributes;
import io.github.ratelimit.engine.NearestName;
import org.jspecify.annotations.Nullable;

/**
 * Properties that a rule and each of its limits have in common.
 */
sealed interface SharedLimitProperties permits RuleProperties, LimitProperties {

	@Nullable Long max();

	@Nullable Duration period();

	@Nullable CalendarUnit calendar();

	@Nullable String zone();

	@Nullable Integer firstDay();

	@Nullable Long burst();

	@Nullable Integer segments();

	@Nullable Align align();

	@Nullable Duration warmUpPeriod();

	@Nullable Integer coldFactor();

	@Nullable Duration minInterval();

	@Nullable Boolean countDenied();

	@Nullable AdaptiveProperties adaptive();

	@Nullable Duration lease();

	@Nullable Algorithm algorithm();

	/**
	 * Return the attributes of a limit that are set.
	 * @return the attributes
	 * @throws InvalidAttributeException if the adaptation is incomplete or invalid, or
	 * the zone does not exist
	 */
	default LimitAttributes toAttributes() {
		AdaptiveProperties adaptive = adaptive();
		return LimitAttributes.NONE.with(LimitAttribute.MAX, max())
			.with(LimitAttribute.PERIOD, period())
			.with(LimitAttribute.ALGORITHM, (algorithm() == Algorithm.DEFAULT) ? null : algorithm())
			.with(LimitAttribute.CALENDAR, calendar())
			.with(LimitAttribute.ZONE, checked(zone()))
			.with(LimitAttribute.FIRST_DAY, firstDay())
			.with(LimitAttribute.BURST, burst())
			.with(LimitAttribute.SEGMENTS, segments())
			.with(LimitAttribute.ALIGN, align())
			.with(LimitAttribute.WARM_UP_PERIOD, warmUpPeriod())
			.with(LimitAttribute.COLD_FACTOR, coldFactor())
			.with(LimitAttribute.MIN_INTERVAL, minInterval())
			.with(LimitAttribute.COUNT_DENIED, countDenied())
			.with(LimitAttribute.LEASE, lease())
			.with(LimitAttribute.ADAPTIVE, (adaptive != null) ? adaptive.toAdaptive() : null);
	}

	private static @Nullable String checked(@Nullable String zone) {
		if (zone != null) {
			try {
				Limit.builder().zone(zone);
			}
			catch (InvalidAttributeException ex) {
				throw noZone(zone);
			}
		}
		return zone;
	}

	/**
	 * Refuse the name of a time zone that does not exist.
	 * @param zone the name
	 */
	private static InvalidAttributeException noZone(String zone) {
		Optional<String> meant = NearestName.of(zone, ZoneId.getAvailableZoneIds());
		return new InvalidAttributeException("zone", '"' + zone + '"',
				"it is not a time zone." + meant.map((name) -> " Did you mean " + name + '?').orElse(""),
				"Write `zone: " + meant.orElse("Europe/Paris") + '`' + (meant.isPresent() ? "." : " for example."));
	}

}
