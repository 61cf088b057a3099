package io.github.ratelimit.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;

/**
 * Plan of a rule: other numbers for some callers.
 *
 * @param max Maximum number of units admitted per period, from 1 to 1000000000. By
 * default that of the rule.
 * @param period Period in which up to max units are admitted, from 1ms to 366d. By
 * default that of the rule. If a duration suffix is not specified, seconds will be used.
 * @param burst Maximum number of units admitted at once. By default that of the rule.
 * @param limits Numbers of limits of a rule with several limits. By default those of the
 * rule.
 * @since 0.1.0
 */
public record PlanProperties(@Nullable Long max, @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration period,
		@Nullable Long burst, @DefaultValue List<PlanLimit> limits) {

	/**
	 * Numbers of one of several limits.
	 *
	 * @param name Name of the limit within its rule.
	 * @param max Maximum number of units admitted per period, from 1 to 1000000000. By
	 * default that of the rule.
	 * @param period Period in which up to max units are admitted, from 1ms to 366d. By
	 * default that of the rule. If a duration suffix is not specified, seconds will be
	 * used.
	 * @param burst Maximum number of units admitted at once. By default that of the rule.
	 */
	public record PlanLimit(@Nullable String name, @Nullable Long max,
			@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration period, @Nullable Long burst) {

	}

}
