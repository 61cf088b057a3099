package io.github.ratelimit.engine;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import io.github.ratelimit.Adaptive;
import io.github.ratelimit.Algorithm;
import io.github.ratelimit.CalendarUnit;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.adaptive.LoadAdaptation;
import io.github.ratelimit.adaptive.LoadSignal;
import io.github.ratelimit.store.local.LocalFallbackStore;
import io.github.ratelimit.store.local.LocalRateLimitStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Rules by a calendar, as programs see them.
 */
class CalendarRuleTests {

	private static final Limit MONTH = Limit.ofCalendar(5, CalendarUnit.MONTH, ZoneId.of("Europe/Paris"));

	private long now = micros("2026-02-10T12:00:00Z");

	private double load;

	private final RuleRegistry registry = new RuleRegistry(
			new RateLimitEngine(new LocalRateLimitStore(100, () -> this.now), () -> OnStoreFailure.LOCAL,
					new LocalFallbackStore(100, 1),
					new LoadAdaptation(Map.of("load", () -> (LoadSignal) () -> this.load), Duration.ofMillis(1)), null),
			Algorithm.SLIDING_LOG, List.of());

	private final RateLimiter limiter = register(RateLimitRule.named("quota").limit(MONTH).build());

	private RateLimiter register(RateLimitRule rule) {
		return this.registry.register(rule);
	}

	@Test
	void statusShowsTheWindowInForceAndTimesEndWithIt() {
		Decision february = this.limiter.tryAcquire("acme", 5);
		assertThat(february.limits()).containsExactly(new LimitStatus("quota", "quota", 5, 5, Duration.ofDays(28), 0,
				Duration.ZERO, until("2026-02-28T23:00:00Z"), CalendarUnit.MONTH, null, true));
		assertThat(this.limiter.tryAcquire("acme").retryAfter()).isEqualTo(until("2026-02-28T23:00:00Z"));
		this.now = micros("2026-02-28T23:00:00Z");
		Decision march = this.limiter.tryAcquire("acme", 2);
		assertThat(march.limits())
			.containsExactly(new LimitStatus("quota", "quota", 5, 5, Duration.ofDays(31).minusHours(1), 3,
					Duration.ZERO, until("2026-03-31T22:00:00Z"), CalendarUnit.MONTH, null, true));
	}

	@Test
	void unitsAreRefundedPeekedAtAndReset() {
		this.limiter.tryAcquire("acme", 4);
		this.limiter.refund("acme", 1);
		assertThat(this.limiter.peek("acme").remaining()).isEqualTo(2);
		this.limiter.reset("acme");
		assertThat(this.limiter.peek("acme").remaining()).isEqualTo(5);
	}

	@Test
	void changedLimitKeepsWhatWasUsed() {
		this.limiter.tryAcquire("acme", 2);
		for (Limit changed : List.of(MONTH.withMax(4), MONTH.toBuilder().calendar(CalendarUnit.DAY).max(4).build(),
				Limit.ofCalendar(4, CalendarUnit.YEAR, ZoneId.of("Asia/Kolkata")), MONTH.withMax(4).withFirstDay(10))) {
			assertThat(register(RateLimitRule.named("quota").limit(changed).build()).peek("acme").remaining())
				.as("%s", changed)
				.isEqualTo(2);
		}
	}

	@Test
	void maxFollowsTheLoad() {
		RateLimiter adaptive = register(RateLimitRule.named("adaptive")
			.limit(MONTH.withAdaptive(new Adaptive("load", new Adaptive.Point(0.5, 5), new Adaptive.Point(0.9, 1))))
			.build());
		assertThat(adaptive.tryAcquire("acme", 2).remaining()).isEqualTo(3);
	}

	@Test
	void callWaitsForTheNextMonth() {
		RateLimiter waiting = register(
				RateLimitRule.named("waiting").limit(MONTH).maxWait(Duration.ofDays(40)).build());
		waiting.tryAcquire("acme", 5);
		assertThat(waiting.tryAcquire("acme", 3).delay()).isEqualTo(until("2026-02-28T23:00:00Z"));
		assertThat(waiting.tryAcquire("acme", 3).retryAfter())
			.isEqualTo(until("2026-03-31T22:00:00Z").minus(Duration.ofDays(40)));
	}

	@Test
	void severalLimitsAreDecidedTogether() {
		RateLimiter both = register(RateLimitRule.named("both")
			.limit(Limit.of(2, Duration.ofMinutes(1)).withName("minute"))
			.limit(MONTH.withName("month"))
			.build());
		both.tryAcquire("acme", 2);
		assertThat(both.tryAcquire("acme").violated()).containsExactly("both-minute");
		this.now += TimeUnit.MINUTES.toMicros(1);
		both.tryAcquire("acme", 2);
		this.now += TimeUnit.MINUTES.toMicros(1);
		assertThat(both.tryAcquire("acme", 2).violated()).containsExactly("both-month");
	}

	private Duration until(String time) {
		return Duration.ofNanos((micros(time) - this.now) * 1000);
	}

	private static long micros(String time) {
		return Instant.parse(time).toEpochMilli() * 1000;
	}

}
