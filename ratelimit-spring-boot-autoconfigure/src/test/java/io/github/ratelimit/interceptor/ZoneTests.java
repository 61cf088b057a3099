package io.github.ratelimit.interceptor;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.github.ratelimit.Decision;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimitExpressionException;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.autoconfigure.LimitedApplication;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.local.LocalRateLimitStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Time zones of calendars that calls of annotated methods select by an expression.
 */
class ZoneTests {

	private final Customers customers = new Customers();

	private long now = micros("2026-02-10T12:00:00Z");

	private final ApplicationContextRunner configured = LimitedApplication.runner()
		.withBean("customers", Customers.class, () -> this.customers)
		.withBean(Quota.class)
		.withPropertyValues("ratelimit.rules.quota.zone=@customers.zoneOf(#tenant)", "ratelimit.rules.quota.max=2",
				"ratelimit.rules.quota.calendar=day");

	private final ApplicationContextRunner runner = this.configured.withBean(RateLimitStore.class,
			() -> new LocalRateLimitStore(100, () -> this.now));

	@Test
	void windowsAreThoseOfTheZoneOfTheCall() {
		this.customers.zones.putAll(Map.of("paris", "Europe/Paris", "tokyo", ZoneId.of("Asia/Tokyo")));
		this.runner.run((context) -> {
			Quota quota = context.getBean(Quota.class);
			assertThat(exhausted(quota, "paris").retryAfter()).isEqualTo(Duration.ofHours(11));
			assertThat(exhausted(quota, "tokyo").retryAfter()).isEqualTo(Duration.ofHours(3));
			this.now = micros("2026-02-10T15:00:00Z");
			quota.take("tokyo");
			assertThat(denial(quota, "paris").retryAfter()).isEqualTo(Duration.ofHours(8));
		});
	}

	@Test
	void windowsInRedisAreThoseOfTheZoneOfTheCall() {
		this.customers.zones.putAll(Map.of("morning", offsetAt(6), "evening", offsetAt(18).getId()));
		try (RedisProcess redis = RedisProcess.start()) {
			this.configured.withConfiguration(AutoConfigurations.of(RedisAutoConfiguration.class))
				.withPropertyValues("spring.data.redis.port=" + redis.port(), "ratelimit.store=redis",
						"ratelimit.redis.timeout=10s")
				.run((context) -> {
					Quota quota = context.getBean(Quota.class);
					assertThat(exhausted(quota, "morning").retryAfter()).isBetween(Duration.ofHours(16),
							Duration.ofHours(18));
					assertThat(exhausted(quota, "evening").retryAfter()).isBetween(Duration.ofHours(4),
							Duration.ofHours(6));
					this.customers.zones.put("morning", offsetAt(17).getId());
					assertThat(denial(quota, "morning").retryAfter()).isBetween(Duration.ofHours(5),
							Duration.ofHours(7));
				});
		}
	}

	@Test
	void stagesAndPublishersAreInTheZoneToo() {
		this.customers.zones.put("tokyo", "Asia/Tokyo");
		this.runner.run((context) -> {
			Quota quota = context.getBean(Quota.class);
			quota.mono("tokyo").block();
			quota.take("tokyo");
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(quota.mono("tokyo")::block)
				.satisfies((denied) -> assertThat(denied.decision().retryAfter()).isEqualTo(Duration.ofHours(3)));
		});
	}

	@Test
	void keyHasOneCounterWhateverItsZoneIsUntilTheFirstOfBothDaysEnds() {
		this.customers.zones.put("acme", "Europe/Paris");
		this.runner.run((context) -> {
			Quota quota = context.getBean(Quota.class);
			quota.take("acme");
			this.customers.zones.put("acme", "Asia/Tokyo");
			quota.take("acme");
			assertThat(denial(quota, "acme").retryAfter()).isEqualTo(Duration.ofHours(3));
			this.customers.zones.put("acme", "Europe/Paris");
			assertThat(denial(quota, "acme").retryAfter()).isEqualTo(Duration.ofHours(3));
			this.now = micros("2026-02-10T15:00:00Z") - 1_000;
			assertThat(denial(quota, "acme").retryAfter()).isEqualTo(Duration.ofMillis(1));
			this.now += 1_000;
			quota.take("acme");
		});
	}

	@ParameterizedTest
	@NullSource
	@MethodSource
	void withoutAZoneCallsAreCountedByUtc(Object zone) {
		this.customers.zones.put("acme", zone);
		this.runner.run((context) -> assertThat(exhausted(context.getBean(Quota.class), "acme").retryAfter())
			.isEqualTo(Duration.ofHours(12)));
	}

	static List<Object> withoutAZoneCallsAreCountedByUtc() {
		return List.of("", Optional.empty(), "Europe/Pari", "acme\nINFO");
	}

	@Test
	void unknownZoneIsReported() {
		this.customers.zones.put("acme", "Europe/Pari");
		Unknown unknown = new Unknown();
		this.runner.withBean(RateLimitListener.class, () -> unknown).run((context) -> {
			context.getBean(Quota.class).take("acme");
			assertThat(unknown.rule).isEqualTo("quota");
		});
	}

	@Test
	void valueThatIsNoZoneFailsTheCall() {
		this.customers.zones.put("acme", 1);
		this.runner.run((context) -> assertThatExceptionOfType(RateLimitExpressionException.class)
			.isThrownBy(() -> context.getBean(Quota.class).take("acme"))
			.withMessage("The zone of rule \"quota\" on Quota.take(String), \"@customers.zoneOf(#tenant)\", has to be "
					+ "the name of a time zone or a ZoneId, but is a java.lang.Integer."));
	}

	@Test
	void zoneAppliesUnderPlansAndToOverridesOfKeys() {
		this.customers.zones.putAll(Map.of("acme", "Asia/Tokyo", "pro", "Asia/Tokyo"));
		this.runner.withPropertyValues("ratelimit.rules.quota.plan=#tenant", "ratelimit.rules.quota.plans.pro.max=3")
			.run((context) -> {
				Quota quota = context.getBean(Quota.class);
				quota.take("pro");
				assertThat(exhausted(quota, "pro")).satisfies((denied) -> {
					assertThat(denied.limit()).isEqualTo(3);
					assertThat(denied.retryAfter()).isEqualTo(Duration.ofHours(3));
				});
				RateLimiterRegistry limiters = context.getBean(RateLimiterRegistry.class);
				limiters.limiter("quota").override("acme", KeyOverride.max(1));
				quota.take("acme");
				assertThat(denial(quota, "acme")).satisfies((denied) -> {
					assertThat(denied.limit()).isEqualTo(1);
					assertThat(denied.retryAfter()).isEqualTo(Duration.ofHours(3));
				});
			});
	}

	@Test
	void limitsWithTheExpressionAreInTheZoneAndOthersInTheirOwn() {
		this.customers.zones.put("acme", "Asia/Tokyo");
		LimitedApplication.runner()
			.withBean("customers", Customers.class, () -> this.customers)
			.withBean(RateLimitStore.class, () -> new LocalRateLimitStore(100, () -> this.now))
			.withBean(Quota.class)
			.withPropertyValues("ratelimit.rules.quota.limits[0].name=month", "ratelimit.rules.quota.limits[0].max=9",
					"ratelimit.rules.quota.limits[0].calendar=month",
					"ratelimit.rules.quota.limits[0].zone=Europe/Paris", "ratelimit.rules.quota.limits[1].name=day",
					"ratelimit.rules.quota.limits[1].max=2", "ratelimit.rules.quota.limits[1].calendar=day",
					"ratelimit.rules.quota.limits[1].zone=@customers.zoneOf(#tenant)")
			.run((context) -> assertThat(exhausted(context.getBean(Quota.class), "acme").limits())
				.extracting((limit) -> limit.resetAfter())
				.containsExactly(Duration.ofDays(18).plusHours(11), Duration.ofHours(3)));
	}

	@Test
	void refundsUnitsInTheWindowOfTheZone() {
		this.customers.zones.put("acme", "Asia/Tokyo");
		this.now = micros("2026-02-10T23:30:00Z");
		this.runner.withPropertyValues("ratelimit.rules.quota.unless=#error != null").run((context) -> {
			Quota quota = context.getBean(Quota.class);
			quota.take("acme");
			assertThatExceptionOfType(IllegalStateException.class)
				.isThrownBy(() -> quota.fail("acme", () -> this.now = micros("2026-02-11T00:30:00Z")));
			quota.take("acme");
			denial(quota, "acme");
		});
	}

	private static Decision exhausted(Quota quota, String tenant) {
		quota.take(tenant);
		quota.take(tenant);
		return denial(quota, tenant);
	}

	private static Decision denial(Quota quota, String tenant) {
		try {
			quota.take(tenant);
		}
		catch (RateLimitExceededException ex) {
			return ex.decision();
		}
		throw new AssertionError("admitted");
	}

	/**
	 * Return a zone in which it is some hour now.
	 */
	private static ZoneOffset offsetAt(int hour) {
		int offset = Math.floorMod(hour - LocalTime.now(ZoneOffset.UTC).getHour(), 24);
		return ZoneOffset.ofHours((offset > 14) ? offset - 24 : offset);
	}

	private static long micros(String time) {
		return Instant.parse(time).toEpochMilli() * 1000;
	}

	static class Unknown implements RateLimitListener {

		private @Nullable String rule;

		@Override
		public void zoneUnknown(String unknownOf) {
			this.rule = unknownOf;
		}

	}

	static class Customers {

		private final Map<String, @Nullable Object> zones = new HashMap<>();

		public @Nullable Object zoneOf(String tenant) {
			return this.zones.get(tenant);
		}

	}

	static class Quota {

		@RateLimited(name = "quota", key = "#tenant")
		public void take(String tenant) {
		}

		@RateLimited(name = "quota", key = "#tenant")
		public Mono<String> mono(String tenant) {
			return Mono.just(tenant);
		}

		@RateLimited(name = "quota", key = "#tenant")
		public void fail(String tenant, Runnable meanwhile) {
			meanwhile.run();
			throw new IllegalStateException();
		}

	}

}
