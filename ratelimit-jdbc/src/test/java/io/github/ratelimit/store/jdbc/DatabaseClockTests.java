package io.github.ratelimit.store.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

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
		database.assumeInstalled();
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

	/**
	 * A statement that began some time ago by the clock of the database, which shows an
	 * earlier time if the clock was set back meanwhile, or another one of daylight
	 * saving.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "-60", "-3", "-0.001", "0.001", "3", "60" })
	void timeOfMariaDbIsTheCurrentOneDuringAStatement(String began) throws SQLException {
		TestDatabase.MARIADB.assumeInstalled();
		try (Connection connection = DriverManager.getConnection(TestDatabase.MARIADB.newUrl());
				Statement statement = connection.createStatement()) {
			statement.execute("set timestamp = unix_timestamp(sysdate(6)) + " + began);
			long before = System.currentTimeMillis() * 1000;
			try (ResultSet time = statement.executeQuery("select " + Dialect.MYSQL.clock())) {
				time.next();
				assertThat(time.getLong(1)).isBetween(before - 1_000, System.currentTimeMillis() * 1000 + 1_000);
			}
		}
	}

}
