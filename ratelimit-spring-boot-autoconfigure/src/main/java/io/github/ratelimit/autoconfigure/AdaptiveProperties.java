package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.Adaptive;
import io.github.ratelimit.InvalidAttributeException;
import org.jspecify.annotations.Nullable;

import org.springframework.util.unit.DataSize;

/**
 * Function of a load that determines max.
 *
 * @param signal Load signal: memory, cpu or the name of a LoadSignal bean.
 * @param low Low load, and the max that applies up to it.
 * @param high High load, and the max that applies from it on. Between the two, max
 * changes linearly.
 * @since 0.1.0
 */
public record AdaptiveProperties(@Nullable String signal, @Nullable Point low,
		@Nullable Point high) implements AttributeProperties {

	@Override
	public Adaptive toAttribute() {
		return new Adaptive(
				present("adaptive.signal", this.signal, "Write memory, cpu or the name of a LoadSignal bean."),
				present("adaptive.low", this.low, "Write {at: 0.6, max: 1000} for example.").toPoint("low"),
				present("adaptive.high", this.high, "Write {at: 0.9, max: 100} for example.").toPoint("high"));
	}

	private static <T> T present(String attribute, @Nullable T value, String action) {
		return AttributeProperties.present(attribute, value, "max follows a signal between two points.", action);
	}

	/**
	 * Load, and the max that applies at it.
	 *
	 * @param at Load as a fraction such as 0.6 or, for memory, also as a size such as
	 * 1GB.
	 * @param max Maximum number of units admitted per period at this load.
	 */
	public record Point(@Nullable String at, @Nullable Long max) {

		Adaptive.Point toPoint(String name) {
			String load = present("adaptive." + name + ".at", this.at, "Write a fraction, at: 0.6 for example.");
			long units = present("adaptive." + name + ".max", this.max, "Write max: 100 for example.");
			return new Adaptive.Point(number("adaptive." + name + ".at", load), units);
		}

		private static double number(String attribute, String text) {
			try {
				return text.matches("-?[\\d.]+") ? Double.parseDouble(text) : DataSize.parse(text).toBytes();
			}
			catch (IllegalArgumentException ex) {
				throw new InvalidAttributeException(attribute, text, "it is neither a number nor a size.",
						"Write a fraction, at: 0.6 for example, or for memory a size, at: 1GB for example.");
			}
		}

	}

}
