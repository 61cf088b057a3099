package io.github.ratelimit.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Align;
import io.github.ratelimit.CalendarUnit;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.Mode;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.web.HeaderFormat;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;

/**
 * Properties of a rule. {@link LimitAttribute} describes those of its limit.
 *
 * @param key SpEL expression for the key of a call; each key is counted separately.
 * Overrides the key of the annotation.
 * @param maxWait Maximum time a call waits instead of being denied. By default calls do
 * not wait. If a duration suffix is not specified, seconds will be used.
 * @param prefetch Time an instance may hold units fetched from Redis ahead of its calls,
 * from 1ms to 1s. By default every call goes to Redis. If a duration suffix is not
 * specified, seconds will be used.
 * @param ban Ban of keys that are denied again and again. By default none.
 * @param algorithm Counting algorithm. By default ratelimit.defaults.algorithm.
 * @param onStoreFailure Policy for calls while the store is unavailable. By default
 * ratelimit.defaults.on-store-failure.
 * @param mode Effect of decisions: enforce, shadow to count and report but never deny, or
 * off. By default ratelimit.defaults.mode.
 * @param headers Formats of the response headers that show the limits of the rule. With
 * none, the problem details of a denied request do not name the rule either. By default
 * ratelimit.web.headers.
 * @param limits Several limits instead of max and period. A call is admitted if all of
 * them admit it.
 * @param plan SpEL expression for the plan of a call: the name of one of the plans, a
 * Limit, or null for the numbers of the rule. Overrides the plan of the annotation.
 * @param unless SpEL expression over the outcome of a call, evaluated when it ends; if
 * true, its units are refunded. Overrides unless of the annotation.
 * @param settle SpEL expression for the number of units that a call has used, evaluated
 * when it ends; the cost is then an estimate. Overrides settle of the annotation.
 * @param plans Other numbers for some callers, by the name of the plan.
 * @param schedule Plans of calls that select none, by the time of day: the first one that
 * holds.
 * @param allow Keys that always pass and are not counted. A network such as 10.0.0.0/8
 * stands for all keys that are an address in it.
 * @param deny Keys that never pass, even if they are in allow. A network such as
 * 10.0.0.0/8 stands for all keys that are an address in it.
 * @param priority SpEL expression for the class of a call: one of those in headroom, or
 * high, which leaves nothing free; null and other names mean other. Overrides the
 * priority of the annotation.
 * @param headroom Part of the capacity that calls of a class leave free, a share such as
 * 30% or a number of units, by the name of the class. By default none.
 * @param candidates Limits that are tried beside that of the rule and deny nothing, by
 * the name of the candidate; at most four.
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
	 * Return the formats of rules that have their own.
	 */
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
