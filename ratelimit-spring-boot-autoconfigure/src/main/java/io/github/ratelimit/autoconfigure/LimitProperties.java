package io.github.ratelimit.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Align;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.convert.DurationUnit;

/**
 * One of several limits of a rule.
 *
 * @param name Name of the limit among those of its rule.
 * @param max How many units are admitted per period, from 1 to 1000000000.
 * @param period The time in which max units are admitted, from 1ms to 366d. If a duration
 * suffix is not specified, seconds will be used.
 * @param burst How many units may pass at once, the capacity of a token-bucket, by
 * default max, or of a leaky-bucket, by default 1.
 * @param segments Into how many sub-windows a sliding-window cuts the period, from 2 to
 * 100. By default 10.
 * @param align Where the windows of a fixed-window begin. By default clock.
 * @param warmUpPeriod How long warm-up takes from cold to warm, up to 30d. By default
 * 10s, or the period if that is longer. If a duration suffix is not specified, seconds
 * will be used.
 * @param coldFactor How many times slower warm-up is when cold, from 2 to 10. By default
 * 3.
 * @param minInterval How far apart two admitted calls of a key are at least. By default
 * they may follow at once. If a duration suffix is not specified, seconds will be used.
 * @param countDenied Whether denied calls count too, for sliding-log and fixed-window. By
 * default false.
 * @param adaptive How max follows the load of this node. By default it does not.
 * @param algorithm How calls are counted. By default that of the rule.
 * @since 0.1.0
 */
public record LimitProperties(@Nullable String name, @Nullable Long max,
		@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration period, @Nullable Long burst, @Nullable Integer segments,
		@Nullable Align align, @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration warmUpPeriod,
		@Nullable Integer coldFactor, @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration minInterval,
		@Nullable Boolean countDenied, @Nullable AdaptiveProperties adaptive,
		@Nullable Algorithm algorithm) implements SharedLimitProperties {

}
