package io.github.ratelimit.engine;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.Limit;

/**
 * What a source says of a limit; {@code null} where it says nothing.
 *
 * @param name the name among several limits
 * @param max how many units
 * @param period in how much time
 * @param burst how many units at once
 * @param algorithm how to count, never {@link Algorithm#DEFAULT}
 * @since 0.1.0
 */
public record LimitDefinition(@Nullable String name, @Nullable Long max, @Nullable Duration period,
		@Nullable Long burst, @Nullable Algorithm algorithm) {

	/**
	 * Says nothing.
	 */
	public static final LimitDefinition EMPTY = new LimitDefinition(null, null, null, null, null);

	LimitDefinition overriddenBy(LimitDefinition other) {
		return new LimitDefinition(either(other.name, this.name), either(other.max, this.max),
				either(other.period, this.period), either(other.burst, this.burst),
				either(other.algorithm, this.algorithm));
	}

	Limit toLimit(Algorithm defaultAlgorithm) {
		if (this.max == null) {
			throw new InvalidAttributeException("max", null, "a limit admits max units per period.",
					"Write how many units may pass, max: 5 for example.");
		}
		if (this.period == null) {
			throw new InvalidAttributeException("period", null, "a limit admits max units per period.",
					"Write a duration, period: 60s for example.");
		}
		Limit limit = Limit.of(this.max, this.period).withAlgorithm(either(this.algorithm, defaultAlgorithm));
		if (this.burst != null) {
			limit = limit.withBurst(this.burst);
		}
		return (this.name != null) ? limit.withName(this.name) : limit;
	}

	boolean says(String attribute) {
		return switch (attribute) {
			case "max" -> this.max != null;
			case "period" -> this.period != null;
			case "burst" -> this.burst != null;
			case "algorithm" -> this.algorithm != null;
			default -> false;
		};
	}

	static <T extends @Nullable Object> T either(T first, T second) {
		return (first != null) ? first : second;
	}

}
