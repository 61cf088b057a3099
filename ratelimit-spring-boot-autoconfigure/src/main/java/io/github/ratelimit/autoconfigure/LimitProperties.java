package io.github.ratelimit.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Align;
import io.github.ratelimit.CalendarUnit;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.convert.DurationUnit;

/**
 * One of several limits of a rule.
 *
 * @param name Name of the limit within its rule.
 * @param max Maximum number of units admitted per period, or held at once with algorithm
 * concurrency, from 1 to 1000000000.
 * @param period Period in which up to max units are admitted, from 1ms to 366d; none with
 * algorithm concurrency. If a duration suffix is not specified, seconds will be used.
 * @param calendar Calendar in whose windows up to max units are admitted, instead of a
 * period, with algorithm fixed-window.
 * @param zone Time zone of the calendar, or a SpEL expression that selects that of a
 * call. By default UTC.
 * @param firstDay Day on which the months of the calendar begin, and its years in
 * January, from 1 to 28. By default 1.
 * @param burst Maximum number of units admitted at once: the capacity of a token-bucket,
 * by default max, or of a leaky-bucket, by default 1.
 * @param segments Number of segments per period of a sliding-window, from 2 to 100. By
 * default 10.
 * @param align Start of the windows of a fixed-window. By default clock.
 * @param warmUpPeriod Duration of a warm-up from cold to warm, up to 30d. By default 10s,
 * or the period if that is longer. If a duration suffix is not specified, seconds will be
 * used.
 * @param coldFactor Factor by which a cold warm-up limit is slower than a warm one, from
 * 2 to 10. By default 3.
 * @param minInterval Minimum time between two admitted calls of a key. By default none.
 * If a duration suffix is not specified, seconds will be used.
 * @param countDenied Whether denied calls are counted too, for sliding-log and
 * fixed-window. By default false.
 * @param lease Time after which the slots of an instance that died are free, for
 * concurrency, from 1s to 1h. By default 30s. If a duration suffix is not specified,
 * seconds will be used.
 * @param adaptive Adaptation of max to the load of this node. By default none.
 * @param algorithm Counting algorithm. By default that of the rule.
 * @since 0.1.0
 */
public record LimitProperties(@Nullable String name, @Nullable Long max,
		@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration period, @Nullable CalendarUnit calendar,
		@Nullable String zone, @Nullable Integer firstDay, @Nullable Long burst, @Nullable Integer segments,
		@Nullable Align align, @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration warmUpPeriod,
		@Nullable Integer coldFactor, @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration minInterval,
		@Nullable Boolean countDenied, @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration lease,
		@Nullable AdaptiveProperties adaptive, @Nullable Algorithm algorithm) implements SharedLimitProperties {

}
