package io.github.ratelimit;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.notation.DurationText;

/**
 * Ban of keys that are denied again and again. The denial that makes {@code after}
 * denials of a key within a time bans it: all its calls are denied until the ban ends,
 * and these denials neither count nor extend the ban. Then denials are counted anew. A
 * ban that begins less than {@code lasting} after the last one has ended lasts twice as
 * long as that one, up to {@code growingTo}.
 *
 * <p>
 * Of 20 denials within 10 minutes, lasting 1 hour and growing to 24 hours, a key that
 * never stops is banned for 1, 2, 4, 8, 16, 24, 24 … hours.
 *
 * @param after the number of denials that ban a key, from 1 to 1000
 * @param within the time within which they occur, whole milliseconds up to 366 days
 * @param lasting how long a first ban lasts, whole milliseconds up to 366 days
 * @param growingTo how long the longest ban lasts; the same as {@code lasting} if bans do
 * not grow
 * @since 0.1.0
 */
public record Ban(int after, Duration within, Duration lasting, Duration growingTo) {

	/** Largest number of denials: the time of each is stored. */
	private static final int MOST = 1000;

	/**
	 * Create a new ban.
	 * @param after the number of denials that ban a key
	 * @param within the time within which they occur
	 * @param lasting how long a first ban lasts
	 * @param growingTo how long the longest ban lasts
	 * @throws InvalidAttributeException if a value is out of its range
	 */
	public Ban {
		if (after < 1 || after > MOST) {
			throw new InvalidAttributeException("ban.after", after,
					"it has to be between 1 and " + MOST + ", since the time of each denial is stored.",
					"Write how many denials ban a key, `after: 20` for example.");
		}
		LimitAttribute.PERIOD.check("ban.within", within);
		LimitAttribute.PERIOD.check("ban.lasting", lasting);
		LimitAttribute.PERIOD.check("ban.growing-to", growingTo);
		if (growingTo.compareTo(lasting) < 0) {
			throw new InvalidAttributeException("ban.growing-to", growingTo,
					"it is shorter than the first ban, which lasts " + DurationText.of(lasting) + ".",
					"Write the length of the longest ban, `growing-to: 24h` for example, or leave it out.");
		}
	}

	/**
	 * Create a new ban whose length is always the same.
	 * @param after the number of denials that ban a key
	 * @param within the time within which they occur
	 * @param lasting how long a ban lasts
	 * @throws InvalidAttributeException if a value is out of its range
	 */
	public Ban(int after, Duration within, Duration lasting) {
		this(after, within, lasting, lasting);
	}

	/**
	 * {@return whether a ban may be longer than the one before}
	 */
	public boolean isGrowing() {
		return this.growingTo.compareTo(this.lasting) > 0;
	}

	/**
	 * Refuse limits that cannot have this ban beside them.
	 * @param name the name of the ban in decisions
	 */
	void check(List<Limit> limits, String name) {
		for (Limit limit : limits) {
			if (limit.hasSlots()) {
				throw refused("a key whose calls run long would be banned although it does nothing wrong.",
						"Remove it, or write a rule of its own for the limit with the algorithm concurrency.");
			}
			if (limit.countDenied()) {
				throw refused(
						"count-denied lets denied calls extend the wait, and a ban does not: attempts while a key is "
								+ "banned count nowhere.",
						"Remove one of the two; a ban counts denied calls by itself.");
			}
			if (limits.size() > 1 && "ban".equals(limit.name())) {
				throw refused("decisions name it \"" + name + "\", like one of the limits.",
						"Give that limit another name.");
			}
		}
	}

	private InvalidAttributeException refused(String reason, String remedy) {
		return new InvalidAttributeException("ban", this, reason, remedy);
	}

	@Override
	public String toString() {
		return "after " + this.after + " denials within " + DurationText.of(this.within) + " for "
				+ DurationText.of(this.lasting)
				+ (isGrowing() ? ", growing to " + DurationText.of(this.growingTo) : "");
	}

}
