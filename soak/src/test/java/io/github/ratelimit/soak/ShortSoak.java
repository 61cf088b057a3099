package io.github.ratelimit.soak;

import java.time.Duration;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Soak for less than a minute with few calls, for a machine that runs other builds.
 */
final class ShortSoak {

	private static final Plan PLAN = new Plan(4711, Duration.ofSeconds(12), Duration.ofMillis(250),
			Duration.ofSeconds(10), Duration.ZERO, 6, Duration.ofMillis(25));

	private ShortSoak() {
	}

	/**
	 * Run the soak and expect no violation.
	 */
	static void run(ServerKind kind) throws InterruptedException {
		RunReport report = new Soak(PLAN, kind).run();
		System.out.println(new Evidence(PLAN, List.of(report)));
		assertThat(report.violations()).isEmpty();
		assertThat(report.record().answers().descriptions()).as("late without stalls").isEmpty();
		assertThat(report.record().scenarios()).as("all have been judged").hasSameSizeAs(kind.scenarios());
		assertThat(report.lines()).as("lines of the log").isPositive();
		assertThat(report.events()).as("events of spans").isPositive();
		assertThat(report.record().listed()).as("keys listed among those with most denials").isPositive();
		assertThat(report.record().overridden()).as("overridden keys").isPositive();
	}

}
