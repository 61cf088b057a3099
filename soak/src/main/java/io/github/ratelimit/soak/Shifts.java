package io.github.ratelimit.soak;

import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.stream.IntStream;

import io.github.ratelimit.ScheduledPlan;

/**
 * Schedule whose plan begins and ends again and again, from the start of the run on.
 */
final class Shifts {

	private static final Duration LENGTH = Duration.ofSeconds(10);

	private static final int NUMBER = 120;

	/**
	 * Time by which the clock of the store and the callers' may differ, and a period.
	 */
	private static final long UNCERTAIN = Duration.ofMillis(2_500).toNanos();

	private final LocalTime first = LocalTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.SECONDS);

	private final long begun = System.nanoTime()
			- Duration.between(this.first, LocalTime.now(ZoneOffset.UTC)).toNanos();

	/**
	 * Return the entries of the schedule, with a pause of their length after each.
	 */
	ScheduledPlan[] schedule(String plan) {
		return IntStream.range(0, NUMBER)
			.mapToObj((i) -> ScheduledPlan.daily(plan, this.first.plus(LENGTH.multipliedBy(2L * i)),
					this.first.plus(LENGTH.multipliedBy(2L * i + 1)), ZoneOffset.UTC))
			.toArray(ScheduledPlan[]::new);
	}

	/**
	 * Return whether the plan certainly held at a call and in the period before it.
	 */
	boolean isUnderPlan(Call call) {
		return shift(call.from() - UNCERTAIN) == shift(call.to() + UNCERTAIN) && shift(call.to()) % 2 == 0;
	}

	/**
	 * Return whether the plan certainly did not hold then.
	 */
	boolean isUnderOwnNumbers(Call call) {
		return shift(call.from() - UNCERTAIN) == shift(call.to() + UNCERTAIN) && shift(call.to()) % 2 != 0;
	}

	/**
	 * Return the number of a shift or pause. The pause after the last shift does not end.
	 */
	private long shift(long time) {
		return Math.min(Math.floorDiv(time - this.begun, LENGTH.toNanos()), 2L * NUMBER - 1);
	}

}
