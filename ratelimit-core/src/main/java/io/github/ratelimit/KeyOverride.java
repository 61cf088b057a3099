package io.github.ratelimit;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * Override of one key of a rule at run time: other numbers, no call at all, or no limit.
 * It wins over the numbers of the rule, regardless of their source, and over its lists.
 * Immutable.
 *
 * <pre>
 * limiter.override("acme", KeyOverride.max(900).lasting(Duration.ofDays(7)));
 * limiter.override("mallory", KeyOverride.blocked().lasting(Duration.ofHours(1)));
 * limiter.override("load-test", KeyOverride.unlimited());
 * </pre>
 *
 * @since 0.1.0
 */
public final class KeyOverride {

	/** Placeholder for the name of the only limit of a rule. */
	private static final String ONLY_LIMIT = "";

	private static final Duration SHORTEST = Duration.ofMillis(1);

	private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999Z");

	private final Kind kind;

	private final SortedMap<String, Long> maxima;

	private final @Nullable Duration lasting;

	private final @Nullable Instant until;

	private KeyOverride(Kind kind, SortedMap<String, Long> maxima, @Nullable Duration lasting,
			@Nullable Instant until) {
		this.kind = kind;
		this.maxima = Collections.unmodifiableSortedMap(maxima);
		this.lasting = lasting;
		this.until = until;
	}

	/**
	 * Admit another number of units per period, of a rule with one limit. What was
	 * consumed stays consumed.
	 * @param max the number of units, from 1 to {@value Limit#MAX_UNITS}
	 * @return an override until it is removed
	 * @throws InvalidAttributeException if the number is out of range
	 */
	public static KeyOverride max(long max) {
		return max(ONLY_LIMIT, max);
	}

	/**
	 * Admit another number of units per period, of one of several limits.
	 * @param limit the name of the limit
	 * @param max the number of units, from 1 to {@value Limit#MAX_UNITS}
	 * @return an override until it is removed
	 * @throws InvalidAttributeException if the number is out of range
	 */
	public static KeyOverride max(String limit, long max) {
		return new KeyOverride(Kind.MAX, new TreeMap<>(), null, null).and(limit, max);
	}

	/**
	 * {@return an override that denies every call of the key, until it is removed}
	 */
	public static KeyOverride blocked() {
		return new KeyOverride(Kind.BLOCKED, new TreeMap<>(), null, null);
	}

	/**
	 * {@return an override that lets every call of the key pass without counting it under
	 * the rule, until it is removed}
	 */
	public static KeyOverride unlimited() {
		return new KeyOverride(Kind.UNLIMITED, new TreeMap<>(), null, null);
	}

	/**
	 * Change the number of units of one more limit.
	 * @param limit the name of the limit
	 * @param max the number of units, from 1 to {@value Limit#MAX_UNITS}
	 * @return a changed copy
	 * @throws InvalidAttributeException if the number is out of range
	 * @throws IllegalStateException if the key is blocked or unlimited
	 */
	public KeyOverride and(String limit, long max) {
		if (this.kind != Kind.MAX) {
			throw new IllegalStateException("A key that is " + this + " has no other numbers.");
		}
		if (max < 1 || max > Limit.MAX_UNITS) {
			throw new InvalidAttributeException("max", max, "it has to be between 1 and " + Limit.MAX_UNITS + ".",
					"Write how many units may pass, `max: 5` for example; to let none pass, block the key.");
		}
		SortedMap<String, Long> all = new TreeMap<>(this.maxima);
		all.put(limit, max);
		return new KeyOverride(this.kind, all, this.lasting, this.until);
	}

	/**
	 * End after some time, by the clock of the store.
	 * @param time the time from the moment at which it is stored, {@code null} to keep it
	 * until it is removed
	 * @return a changed copy
	 * @throws InvalidAttributeException if it is shorter than a millisecond or longer
	 * than {@link Limit#MAX_PERIOD}
	 */
	public KeyOverride lasting(@Nullable Duration time) {
		if (time != null && (time.compareTo(SHORTEST) < 0 || time.compareTo(Limit.MAX_PERIOD) > 0)) {
			throw new InvalidAttributeException("lasting", time, "it has to be between 1 ms and 366 days.",
					"Write how long it holds, `lasting: 7d` for example, or leave it out to keep it until it is "
							+ "removed.");
		}
		return new KeyOverride(this.kind, this.maxima, time, null);
	}

	/**
	 * End at a time of the clock of the store, instead of lasting for some time.
	 * @param end the end, {@code null} to keep it until it is removed
	 * @return a changed copy
	 * @throws InvalidAttributeException if it is not between the years 1970 and 9999
	 */
	public KeyOverride until(@Nullable Instant end) {
		if (end != null && (end.isBefore(Instant.EPOCH) || end.isAfter(LATEST))) {
			throw new InvalidAttributeException("until", end, "it has to be between the years 1970 and 9999.",
					"Write when it ends, or null to keep it until it is removed.");
		}
		return new KeyOverride(this.kind, this.maxima, null, end);
	}

	/**
	 * {@return whether every call of the key is denied}
	 */
	public boolean isBlocked() {
		return this.kind == Kind.BLOCKED;
	}

	/**
	 * {@return whether calls of the key are not counted under the rule}
	 */
	public boolean isUnlimited() {
		return this.kind == Kind.UNLIMITED;
	}

	/**
	 * {@return the numbers of units per period, by the names of their limits; none if the
	 * key is blocked or unlimited; the only limit of a rule has the name {@code ""}}
	 */
	public SortedMap<String, Long> maxima() {
		return this.maxima;
	}

	/**
	 * {@return how long the override holds from the moment at which it is stored,
	 * {@code null} if it has an end or is kept until it is removed}
	 */
	public @Nullable Duration lasting() {
		return this.lasting;
	}

	/**
	 * {@return the end of the override by the clock of the store, {@code null} if it is
	 * kept until it is removed or has a {@link #lasting()} time that has not begun}
	 */
	public @Nullable Instant until() {
		return this.until;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof KeyOverride that && this.kind == that.kind && this.maxima.equals(that.maxima)
				&& Objects.equals(this.lasting, that.lasting) && Objects.equals(this.until, that.until);
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.kind, this.maxima, this.lasting, this.until);
	}

	@Override
	public String toString() {
		return switch (this.kind) {
			case BLOCKED -> "blocked";
			case UNLIMITED -> "unlimited";
			case MAX -> "max " + (this.maxima.containsKey(ONLY_LIMIT) ? this.maxima.get(ONLY_LIMIT) : this.maxima);
		} + ((this.until != null) ? " until " + this.until : (this.lasting != null) ? " for " + this.lasting : "");
	}

	private enum Kind {

		MAX, BLOCKED, UNLIMITED

	}

}
