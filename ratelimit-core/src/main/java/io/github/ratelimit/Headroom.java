package io.github.ratelimit;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.ratelimit.notation.DurationText;
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
	 * Create a number of units.
	 * @param units the units, 0 or more
	 * @return the headroom
	 * @throws InvalidAttributeException if it is out of range
	 */
	public static Headroom ofUnits(long units) {
		if (units < 0 || units > Limit.MAX_UNITS) {
			throw invalid(Long.toString(units),
					"the units that stay free are from 0 to %,d.".formatted(Limit.MAX_UNITS));
		}
		return new Headroom(units, false);
	}

	/**
	 * Create a share of the capacity, rounded up to units.
	 * @param percent the share, from 0 to 99
	 * @return the headroom
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
	 * Return the units that stay free.
	 * @param capacity the capacity of a limit
	 * @return the units, more than the capacity perhaps
	 */
	public long of(long capacity) {
		return this.percent ? capacity / 100 * this.number + (capacity % 100 * this.number + 99) / 100 : this.number;
	}

	/**
	 * Check that the limits of a rule have a capacity that can stay free, and calls have
	 * classes if there is an expression that selects them.
	 */
	static void check(RateLimitRule rule) {
		Map<String, Headroom> headroom = rule.headroom();
		if (headroom.isEmpty()) {
			throw new InvalidAttributeException("priority", '"' + rule.priority() + '"',
					"the rule has no headroom, so all classes of calls are equal.",
					"Write what a class leaves free, `headroom.low: 30%` for example; or remove it.");
		}
		if (!rule.maxWait().isZero()) {
			throw refused(headroom, "max-wait " + DurationText.of(rule.maxWait())
					+ " lets calls take units of the future, which then come before those of any class.");
		}
		for (Limit limit : rule.limits()) {
			if (limit.algorithm().isPacing()) {
				throw refused(headroom,
						limit.algorithm().yamlName() + " has no capacity that could stay free: it paces calls.");
			}
			if (limit.countDenied()) {
				throw refused(headroom, "count-denied counts denied calls of a class in what it has to leave free.");
			}
		}
	}

	static InvalidAttributeException refused(Map<String, Headroom> headroom, String reason) {
		Map.Entry<String, Headroom> first = headroom.entrySet().iterator().next();
		return new InvalidAttributeException("headroom", first.getValue(), reason,
				"Remove one of the two, or write a rule of its own for each class of calls.")
			.at("headroom." + first.getKey());
	}

	/**
	 * Refuse a headroom that is the whole capacity of a limit. Numbers that a program
	 * selects for a single call may leave nothing to a class.
	 */
	static void checkCapacity(RateLimitRule rule) {
		checkCapacity(rule.headroom(), rule.limits(), "");
		rule.plans().forEach((name, limits) -> checkCapacity(rule.headroom(), limits, "under the plan " + name + ' '));
		rule.candidates()
			.forEach((name, limits) -> checkCapacity(rule.headroom(), limits, Candidates.circumstance(name)));
	}

	private static void checkCapacity(Map<String, Headroom> headroom, List<Limit> limits, String circumstance) {
		headroom.forEach((ofClass, each) -> {
			for (Limit limit : limits) {
				if (each.of(limit.capacity()) >= limit.capacity()) {
					throw new InvalidAttributeException("headroom", each,
							circumstance + "no call of this class would be admitted, since the capacity is "
									+ limit.capacity() + '.',
							"Write fewer units, or a share such as 30%.")
						.at("headroom." + ofClass);
				}
			}
		});
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
