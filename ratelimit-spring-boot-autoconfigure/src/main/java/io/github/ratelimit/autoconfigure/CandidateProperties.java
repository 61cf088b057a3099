package io.github.ratelimit.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Align;
import io.github.ratelimit.CalendarUnit;
import io.github.ratelimit.LimitAttribute;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;

/**
 * Limit that is tried beside that of a rule. {@link LimitAttribute} describes its
 * properties; those that are left out are the rule's.
 *
 * @param algorithm Counting algorithm. By default that of the rule.
 * @param limits What differs from the limits of a rule with several limits, each with the
 * name of one.
 * @since 0.1.0
 */
public record CandidateProperties(@Nullable Long max, @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration period,
		@Nullable CalendarUnit calendar, @Nullable String zone, @Nullable Integer firstDay, @Nullable Long burst,
		@Nullable Integer segments, @Nullable Align align,
		@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration warmUpPeriod, @Nullable Integer coldFactor,
		@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration minInterval, @Nullable Boolean countDenied,
		@Nullable Algorithm algorithm, @DefaultValue List<RuleProperties.LimitProperties> limits) {

}
