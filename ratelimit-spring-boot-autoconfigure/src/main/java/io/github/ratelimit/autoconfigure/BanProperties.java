package io.github.ratelimit.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.convert.DurationUnit;

import io.github.ratelimit.Ban;

/**
 * Ban of keys that are denied again and again.
 *
 * @param after Number of denials that ban a key, from 1 to 1000.
 * @param within Time within which the denials occur, from 1ms to 366d. If a duration
 * suffix is not specified, seconds will be used.
 * @param lasting Duration of a first ban, from 1ms to 366d. If a duration suffix is not
 * specified, seconds will be used.
 * @param growingTo Duration of the longest ban. A ban that begins less than lasting after
 * the previous one ended lasts twice as long as that one. By default bans do not grow. If
 * a duration suffix is not specified, seconds will be used.
 * @since 0.1.0
 */
public record BanProperties(@Nullable Integer after, @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration within,
		@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration lasting,
		@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration growingTo) implements AttributeProperties {

	@Override
	public Ban toAttribute() {
		String why = "a ban begins after some denials within a time, and lasts for another.";
		int denials = AttributeProperties.present("ban.after", this.after, why,
				"Write how many denials ban a key, `after: 20` for example.");
		Duration time = AttributeProperties.present("ban.within", this.within, why,
				"Write how close together they are, `within: 10m` for example.");
		Duration length = AttributeProperties.present("ban.lasting", this.lasting, why,
				"Write how long a ban lasts, `lasting: 1h` for example.");
		return new Ban(denials, time, length, (this.growingTo != null) ? this.growingTo : length);
	}

}
