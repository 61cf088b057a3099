package io.github.ratelimit.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Align;
import io.github.ratelimit.Ban;
import io.github.ratelimit.CalendarUnit;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.Mode;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RuleAttribute;
import io.github.ratelimit.web.HeaderFormat;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;

/**
 * Properties of a rule. {@link RuleAttribute} describes them, and {@link LimitAttribute}
 * those of its limit.
 *
 * @param algorithm Counting algorithm. By default ratelimit.defaults.algorithm.
 * @param headers Formats of the response headers that show the limits of the rule. With
 * none, the problem details of a denied request do not name the rule either. By default
 * ratelimit.web.headers.
 * @param limits Several limits instead of max and period. A call is admitted if all of
 * them admit it.
 * @since 0.1.0
 */
public record RuleProperties(@Nullable String key, @Nullable Long max,
		@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration period, @Nullable CalendarUnit calendar,
		@Nullable String zone, @Nullable Integer firstDay, @Nullable Long burst, @Nullable Integer segments,
		@Nullable Align align, @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration warmUpPeriod,
		@Nullable Integer coldFactor, @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration minInterval,
		@Nullable Boolean countDenied, @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration lease,
		@Nullable AdaptiveProperties adaptive, @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration maxWait,
		@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration prefetch, @Nullable BanProperties ban,
		@Nullable Algorithm algorithm, @Nullable OnStoreFailure onStoreFailure, @Nullable Mode mode,
		@Nullable Set<HeaderFormat> headers, @DefaultValue List<LimitProperties> limits, @Nullable String plan,
		@Nullable String unless, @Nullable String settle, @DefaultValue Map<String, PlanProperties> plans,
		@DefaultValue List<ScheduleProperties> schedule, @DefaultValue List<String> allow,
		@DefaultValue List<String> deny, @Nullable String priority, @DefaultValue Map<String, String> headroom,
		@DefaultValue Map<String, CandidateProperties> candidates) {

	/**
	 * One of several limits of a rule. {@link LimitAttribute} describes its properties.
	 *
	 * @param algorithm Counting algorithm. By default that of the rule.
	 */
	public record LimitProperties(@Nullable String name, @Nullable Long max,
			@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration period, @Nullable CalendarUnit calendar,
			@Nullable String zone, @Nullable Integer firstDay, @Nullable Long burst, @Nullable Integer segments,
			@Nullable Align align, @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration warmUpPeriod,
			@Nullable Integer coldFactor, @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration minInterval,
			@Nullable Boolean countDenied, @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration lease,
			@Nullable AdaptiveProperties adaptive, @Nullable Algorithm algorithm) {

	}

	/**
	 * Ban of keys that are denied again and again.
	 *
	 * @param after Number of denials that ban a key, from 1 to 1000.
	 * @param within Time within which the denials occur, from 1ms to 366d. If a duration
	 * suffix is not specified, seconds will be used.
	 * @param lasting Duration of a first ban, from 1ms to 366d. If a duration suffix is
	 * not specified, seconds will be used.
	 * @param growingTo Duration of the longest ban, from lasting to 366d. A ban that
	 * begins less than lasting after the previous one ended lasts twice as long as that
	 * one. By default bans do not grow. If a duration suffix is not specified, seconds
	 * will be used.
	 */
	public record BanProperties(@Nullable Integer after, @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration within,
			@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration lasting,
			@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration growingTo) implements AttributeProperties {

		@Override
		public Ban toAttribute() {
			String why = "a ban begins after some denials within a time, and lasts for another.";
			int denials = AttributeProperties.present("ban.after", this.after, why,
					"Write how many denials ban a key, `after: 20` for example.");
			Duration time = AttributeProperties.present("ban.within", this.within, why,
					"Write how close together they are, `within: 10m` for example.");
			Duration length = AttributeProperties.present("ban.lasting", this.lasting, why,
					"Write how long a ban lasts, `lasting: 1h` for example.");
			return new Ban(denials, time, length, (this.growingTo != null) ? this.growingTo : length);
		}

	}

	static Map<String, Set<HeaderFormat>> headers(Map<String, RuleProperties> rules) {
		Map<String, Set<HeaderFormat>> headers = new LinkedHashMap<>();
		for (Map.Entry<String, RuleProperties> rule : rules.entrySet()) {
			Set<HeaderFormat> formats = rule.getValue().headers();
			if (formats != null) {
				headers.put(rule.getKey(), formats);
			}
		}
		return headers;
	}

}
