package io.github.ratelimit.autoconfigure;

import java.time.DayOfWeek;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.Set;

import org.junit.jupiter.api.Test;

import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.ScheduledPlan;
import io.github.ratelimit.engine.RuleRegistry;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Schedules of plans in properties.
 */
class ScheduleContextTests {

	@Test
	void scheduleIsReadAsItIsWritten() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class))
			.withInitializer(YamlContext.with("""
					ratelimit:
					  store: local
					  rules.api:
					    max: 10
					    period: 60s
					    plans: { office: { max: 4 }, night: { max: 20 } }
					    schedule:
					    - { plan: office, days: mon-fri, from: "09:00", to: "18:00", zone: Europe/Paris }
					    - { plan: night, days: [ Saturday, sun ], from: "22:00", to: "6:00" }
					    - { plan: night, days: "fri - mon, wed" }
					    - { plan: office }
					"""))
			.run((context) -> {
				assertThat(context.getBean(RuleRegistry.class).sources("api").of("schedule"))
					.isEqualTo("ratelimit.rules.api.schedule");
				assertThat(context.getBean(RateLimiterRegistry.class).limiter("api").rule().schedule()).containsExactly(
						new ScheduledPlan("office", EnumSet.range(DayOfWeek.MONDAY, DayOfWeek.FRIDAY),
								LocalTime.of(9, 0), LocalTime.of(18, 0), ZoneId.of("Europe/Paris")),
						new ScheduledPlan("night", Set.of(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY), LocalTime.of(22, 0),
								LocalTime.of(6, 0), ZoneOffset.UTC),
						ScheduledPlan.on("night", ZoneOffset.UTC, DayOfWeek.FRIDAY, DayOfWeek.SATURDAY,
								DayOfWeek.SUNDAY, DayOfWeek.MONDAY, DayOfWeek.WEDNESDAY),
						ScheduledPlan.daily("office", LocalTime.MIDNIGHT, LocalTime.MIDNIGHT, ZoneOffset.UTC));
			});
	}

}
