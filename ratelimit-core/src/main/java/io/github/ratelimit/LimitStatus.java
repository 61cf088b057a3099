package io.github.ratelimit;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Status of one limit after a decision. With 5 per 60 s and nothing used before, the
 * first call leaves {@code remaining = 4}, {@code retryAfter = 0} and
 * {@code resetAfter = 60 s}.
 *
 * @param rule the name of the rule
 * @param name the name of the rule, followed by a hyphen and the name of the limit if the
 * rule has several: {@code sms-minute}
 * @param max the number of units per period; without the headroom of the call's class,
 * unless the capacity of a token bucket lacks it
 * @param capacity the most units it can hold at once: {@code burst} of a bucket, else
 * {@code max}; without the headroom of the call's class
 * @param period the time in which {@code max} units are admitted; for a calendar, the
 * length of the window in force; {@link Duration#ZERO} for {@link Algorithm#CONCURRENCY}
 * @param remaining the units that can be taken now
 * @param retryAfter the time after which this limit admits the call;
 * {@link Duration#ZERO} if it admitted it, or if the time is unknown because
 * {@linkplain Algorithm#CONCURRENCY other calls} have to end first;
 * {@link Decision#NEVER} if it never can
 * @param resetAfter the time until this limit equals an unused one, if nothing else is
 * taken; {@link Duration#ZERO} for {@link Algorithm#CONCURRENCY}
 * @param calendar the unit of the calendar whose windows are counted, or {@code null} if
 * the limit has a period of its own
 * @param minInterval the least time between two admitted calls, which may deny a call
 * while units remain, or {@code null} if calls may follow at once
 * @param admitted whether this limit admitted the call; {@code false} if it is one of
 * {@link Decision#violated()}
 * @since 0.1.0
 */
public record LimitStatus(String rule, String name, long max, long capacity, Duration period, long remaining,
		Duration retryAfter, Duration resetAfter, @Nullable CalendarUnit calendar, @Nullable Duration minInterval,
		boolean admitted) {

	/**
	 * Create the status of the only limit of a rule, which has a period of its own and no
	 * {@code minInterval}. It admitted the call if {@code retryAfter} is zero, and denied
	 * it otherwise.
	 * @param name the name of the rule and of the limit
	 * @param max the number of units per period
	 * @param capacity the most units it can hold at once
	 * @param period the time in which {@code max} units are admitted
	 * @param remaining the units that can be taken now
	 * @param retryAfter the time after which this limit admits the call
	 * @param resetAfter the time until this limit equals an unused one
	 */
	public LimitStatus(String name, long max, long capacity, Duration period, long remaining, Duration retryAfter,
			Duration resetAfter) {
		this(name, name, max, capacity, period, remaining, retryAfter, resetAfter, null, null, retryAfter.isZero());
	}

	/**
	 * Create the status of a limit without {@code minInterval}.
	 * @param rule the name of the rule
	 * @param name the name of the limit
	 * @param max the number of units per period
	 * @param capacity the most units it can hold at once
	 * @param period the time in which {@code max} units are admitted
	 * @param remaining the units that can be taken now
	 * @param retryAfter the time after which this limit admits the call
	 * @param resetAfter the time until this limit equals an unused one
	 * @param calendar the unit of the calendar, {@code null} for a period
	 * @param admitted whether this limit admitted the call
	 */
	public LimitStatus(String rule, String name, long max, long capacity, Duration period, long remaining,
			Duration retryAfter, Duration resetAfter, @Nullable CalendarUnit calendar, boolean admitted) {
		this(rule, name, max, capacity, period, remaining, retryAfter, resetAfter, calendar, null, admitted);
	}

}
