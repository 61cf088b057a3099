package io.github.ratelimit;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Part of the capacity of each limit that calls of a class never take, so that it stays
 * free for those who come before them.
 *
 * @since 0.1.0
 */
public final class Headroom {

	private static final Pattern TEXT = Pattern.compile("(\\d{1,15})\\s*(%?)");

	private final long number;

	private final boolean percent;

	private Headroom(long number, boolean percent) {
		this.number = number;
		this.percent = percent;
	}

	/**
	 * {@return a headroom of some units}
	 * @param units the units, 0 or more
	 * @throws InvalidAttributeException if it is out of range
	 */
	public static Headroom ofUnits(long units) {
		if (units < 0 || units > Limit.MAX_UNITS) {
			throw invalid(Long.toString(units),
					String.format(Locale.ROOT, "the units that stay free are from 0 to %,d.", Limit.MAX_UNITS));
		}
		return new Headroom(units, false);
	}

	/**
	 * {@return a headroom that is a share of the capacity, rounded up to units}
	 * @param percent the share, from 0 to 99
	 * @throws InvalidAttributeException if it is out of range
	 */
	public static Headroom ofPercent(int percent) {
		if (percent < 0 || percent > 99) {
			throw invalid(percent + "%", "the share that stays free is from 0% to 99%.");
		}
		return new Headroom(percent, true);
	}

	/**
	 * Read a headroom as it is written in properties.
	 * @param text {@code 30%} or {@code 100} for example
	 * @return the headroom
	 * @throws InvalidAttributeException if it is neither a share nor a number of units
	 */
	public static Headroom of(String text) {
		Matcher matcher = TEXT.matcher(text.strip());
		if (!matcher.matches()) {
			throw invalid('"' + text + '"', "it is neither a share of the capacity nor a number of units.");
		}
		long number = Long.parseLong(matcher.group(1));
		return matcher.group(2).isEmpty() ? ofUnits(number) : ofPercent((int) Math.min(number, Integer.MAX_VALUE));
	}

	private static InvalidAttributeException invalid(String value, String reason) {
		return new InvalidAttributeException("headroom", value, reason,
				"Write a share such as 30%, or units such as 100.");
	}

	/**
	 * {@return the units that stay free, more than the capacity perhaps}
	 * @param capacity the capacity of a limit
	 */
	public long of(long capacity) {
		return this.percent ? capacity / 100 * this.number + (capacity % 100 * this.number + 99) / 100 : this.number;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof Headroom that && this.number == that.number && this.percent == that.percent;
	}

	@Override
	public int hashCode() {
		return Long.hashCode(this.percent ? -this.number : this.number);
	}

	@Override
	public String toString() {
		return this.percent ? this.number + "%" : Long.toString(this.number);
	}

}
