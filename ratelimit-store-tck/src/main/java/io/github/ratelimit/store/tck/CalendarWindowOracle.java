package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitCalendar;
import io.github.ratelimit.store.LimitOutcome;

/**
 * Oracle that records all calls of the last window, and computes windows anew for every
 * call. For a call with another calendar, the calls count in its window of the last one,
 * until one of both windows ends.
 */
final class CalendarWindowOracle implements Oracle {

	private List<Call> calls = List.of();

	private Span window = new Span(0, 0, false);

	private boolean followed;

	@Override
	public boolean hasFollowed() {
		return this.followed;
	}

	@Override
	public boolean knowsCorrections() {
		return true;
	}

	@Override
	public Optional<LimitOutcome> acquire(Limit limit, long cost, long now, boolean admitted) {
		Span present = spanOf(limit, now);
		List<Call> counted = (now < this.window.end) ? this.calls : List.of();
		long newest = counted.isEmpty() ? now : counted.get(counted.size() - 1).time;
		boolean setBack = newest > now;
		Span span = present;
		if (!counted.isEmpty() && now < this.window.start) {
			long length = this.window.end - this.window.start;
			span = (newest - now < length) ? new Span(now, now + length, true) : present;
		}
		else if (!counted.isEmpty()) {
			span = this.window;
		}
		boolean over = !span.begins && !setBack && newest < present.start;
		long end = span.begins ? span.end : Math.min(span.end, present.end);
		long used = over ? 0 : used(counted);
		this.followed = cost > 0 && !counted.isEmpty() && setBack;
		List<Call> after = new ArrayList<>(setBack ? List.of(new Call(now, used(counted))) : counted);
		long retryAfter = retryAfter(limit, cost, used, end - now);
		boolean taken = cost > 0 && retryAfter == 0;
		if (taken) {
			after = over ? new ArrayList<>() : after;
			over = false;
			span = span.begins ? span : present;
			after.add(new Call(now, cost));
		}
		else if (cost > 0 && limit.countDenied()) {
			after.add(new Call(now, Math.max(0, Math.min(cost, limit.max() - used))));
			retryAfter = retryAfter(limit, cost, used(after), end - now);
			taken = true;
		}
		LimitOutcome outcome = new LimitOutcome(Math.max(0, limit.max() - (over ? 0 : used(after))), retryAfter,
				(used(after) == 0) ? 0 : span.end - now);
		if (taken || this.followed) {
			this.calls = after;
			this.window = span;
		}
		return Optional.of(outcome);
	}

	private static long retryAfter(Limit limit, long cost, long used, long left) {
		return (cost == 0 || used + cost <= limit.max()) ? 0 : left;
	}

	private static long used(List<Call> calls) {
		return calls.stream().mapToLong(Call::cost).sum();
	}

	private static Span spanOf(Limit limit, long now) {
		LimitCalendar calendar = limit.calendar();
		ZonedDateTime time = Instant.EPOCH.plus(now, ChronoUnit.MICROS).atZone(calendar.zone());
		LocalDate today = time.toLocalDate();
		int first = calendar.firstDay();
		return switch (calendar.unit()) {
			case HOUR -> hour(now, calendar);
			case DAY -> days(calendar, today, today.plusDays(1));
			case WEEK -> {
				LocalDate monday = today.minusDays(today.getDayOfWeek().getValue() - 1);
				yield days(calendar, monday, monday.plusDays(7));
			}
			case MONTH -> {
				LocalDate begun = today.withDayOfMonth(first);
				yield (begun.isAfter(today)) ? days(calendar, begun.minusMonths(1), begun)
						: days(calendar, begun, begun.plusMonths(1));
			}
			case YEAR -> {
				LocalDate begun = LocalDate.of(today.getYear(), 1, first);
				yield (begun.isAfter(today)) ? days(calendar, begun.minusYears(1), begun)
						: days(calendar, begun, begun.plusYears(1));
			}
		};
	}

	private static Span days(LimitCalendar calendar, LocalDate from, LocalDate to) {
		return new Span(micros(from.atStartOfDay(calendar.zone()).toInstant()),
				micros(to.atStartOfDay(calendar.zone()).toInstant()), false);
	}

	/**
	 * Clocks of our days differ by quarters of hours, and are changed at such.
	 */
	private static Span hour(long now, LimitCalendar calendar) {
		Duration quarter = Duration.ofMinutes(15);
		Instant start = Instant.EPOCH.plus(Math.floorDiv(now, 900_000_000L) * 900, ChronoUnit.SECONDS);
		Instant end = start.plus(quarter);
		while (start.atZone(calendar.zone()).getMinute() != 0) {
			start = start.minus(quarter);
		}
		while (end.atZone(calendar.zone()).getMinute() != 0) {
			end = end.plus(quarter);
		}
		return new Span(micros(start), micros(end), false);
	}

	private static long micros(Instant instant) {
		return instant.getEpochSecond() * 1_000_000;
	}

	private record Call(long time, long cost) {

	}

	/**
	 * Window, and whether it begins at a time that the clock was set back to.
	 */
	private record Span(long start, long end, boolean begins) {

	}

}
