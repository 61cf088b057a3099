package io.github.ratelimit.sample.playground;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Adaptive;
import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Align;
import io.github.ratelimit.Ban;
import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;

import org.springframework.boot.convert.DurationUnit;
import org.springframework.web.bind.annotation.BindParam;

/**
 * Rule as a visitor enters it, with the names of {@code application.yml}.
 */
record RuleForm(Algorithm algorithm, @Nullable Long max, @Nullable @DurationUnit(ChronoUnit.SECONDS) Duration period,
		@Nullable Long burst, @Nullable Integer segments, @Nullable Align align,
		@BindParam("warm-up-period") @Nullable @DurationUnit(ChronoUnit.SECONDS) Duration warmUpPeriod,
		@BindParam("cold-factor") @Nullable Integer coldFactor,
		@BindParam("min-interval") @Nullable @DurationUnit(ChronoUnit.SECONDS) Duration minInterval,
		@BindParam("max-wait") @Nullable @DurationUnit(ChronoUnit.SECONDS) Duration maxWait,
		@BindParam("count-denied") @Nullable Boolean countDenied, @Nullable AdaptiveForm adaptive,
		@Nullable String plan, @Nullable BanForm ban, @Nullable @DurationUnit(ChronoUnit.SECONDS) Duration lease,
		@BindParam("call-takes") @Nullable @DurationUnit(ChronoUnit.SECONDS) Duration callTakes) {

	private static final Duration USUAL_CALL = Duration.ofSeconds(2);

	private static final Duration LONGEST_CALL = Duration.ofMinutes(1);

	/**
	 * Return how long a call takes that holds slots.
	 */
	Duration timeOfCall() {
		Duration time = (this.callTakes != null) ? this.callTakes : USUAL_CALL;
		if (time.isNegative() || time.compareTo(LONGEST_CALL) > 0) {
			throw new InvalidAttributeException("call-takes", time, "calls of this page take a minute at most.",
					"Write 2s for example.");
		}
		return time;
	}

	RateLimitRule toRule(String name) {
		return toBuilder(name).build();
	}

	RateLimitRule.Builder toBuilder(String name) {
		return RateLimitRule.named(name)
			.limit(numbers())
			.maxWait((this.maxWait != null) ? this.maxWait : Duration.ZERO)
			.ban((this.ban != null) ? this.ban.toBan() : null);
	}

	Limit numbers() {
		Limit.Builder limit = Limit.builder();
		set(this.algorithm, limit::algorithm);
		set(this.max, limit::max);
		set(this.period, limit::period);
		set(this.burst, limit::burst);
		set(this.segments, limit::segments);
		set(this.align, limit::align);
		set(this.warmUpPeriod, limit::warmUpPeriod);
		set(this.coldFactor, limit::coldFactor);
		set(this.minInterval, limit::minInterval);
		set(this.countDenied, limit::countDenied);
		set(this.lease, limit::lease);
		set((this.adaptive != null) ? this.adaptive.toAdaptive() : null, limit::adaptive);
		return limit.build();
	}

	private static <T> void set(@Nullable T value, Function<T, Limit.Builder> attribute) {
		if (value != null) {
			attribute.apply(value);
		}
	}

	/**
	 * Points between which {@code max} follows the load.
	 */
	record AdaptiveForm(PointForm low, PointForm high) {

		Adaptive toAdaptive() {
			return new Adaptive("load", this.low.toPoint("low"), this.high.toPoint("high"));
		}

	}

	/**
	 * Denials that ban a key, and the time that the ban lasts.
	 */
	record BanForm(@Nullable Integer after, @Nullable @DurationUnit(ChronoUnit.SECONDS) Duration within,
			@Nullable @DurationUnit(ChronoUnit.SECONDS) Duration lasting) {

		Ban toBan() {
			return new Ban(present("ban.after", this.after), present("ban.within", this.within),
					present("ban.lasting", this.lasting));
		}

		private static <T> T present(String attribute, @Nullable T value) {
			if (value == null) {
				throw new InvalidAttributeException(attribute, null,
						"a ban begins after some denials within a time, and lasts for another.",
						"Write all three of them, 5, 10s and 20s for example.");
			}
			return value;
		}

	}

	/**
	 * Load and the {@code max} that belongs to it.
	 */
	record PointForm(@Nullable Double at, @Nullable Long max) {

		Adaptive.Point toPoint(String name) {
			return new Adaptive.Point(present("adaptive." + name + ".at", this.at),
					present("adaptive." + name + ".max", this.max));
		}

		private static <T> T present(String attribute, @Nullable T value) {
			if (value == null) {
				throw new InvalidAttributeException(attribute, null, "max is a line between two points.",
						"Write a load from 0 to 1, and the max that belongs to it.");
			}
			return value;
		}

	}

}
