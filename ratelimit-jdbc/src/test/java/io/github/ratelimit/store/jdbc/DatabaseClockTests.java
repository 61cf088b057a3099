package io.github.ratelimit.store.jdbc;

import java.time.Duration;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Clocks of databases.
 */
class DatabaseClockTests {

	private static final RuleCounts RULE = RuleCounts
		.of(RateLimitRule.named("reply").limit(3, Duration.ofMinutes(1)).algorithm(Algorithm.SLIDING_LOG).build());

	@ParameterizedTest
	@EnumSource
	void timeIsThatOfTheDatabaseInMicroseconds(TestDatabase database) {
		Assumptions.assumeTrue(database.isInstalled() || System.getenv("CI") != null,
				() -> database + " is not installed: see CONTRIBUTING.md");
		try (HikariDataSource real = database.dataSource();
				JdbcRateLimitStore onIt = new JdbcRateLimitStore(real, "test", Duration.ofSeconds(20), 2,
						SchemaInitialization.ALWAYS)) {
			for (int i = 0; i < 3; i++) {
				long before = System.currentTimeMillis() * 1000;
				long time = ((RuleAnswer) onIt.acquire(new Demand(RULE, "ann", 1))).time();
				assertThat(time).isBetween(before - 1_000, System.currentTimeMillis() * 1000 + 1_000);
			}
		}
	}

}
