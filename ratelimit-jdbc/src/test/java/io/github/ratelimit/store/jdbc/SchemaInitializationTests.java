package io.github.ratelimit.store.jdbc;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Databases in which the table is created, and the pools by which it is.
 */
class SchemaInitializationTests {

	private static final long NOW = TimeUnit.DAYS.toMicros(20_000);

	private static final Demand CALL = new Demand(RuleCounts
		.of(RateLimitRule.named("reply").limit(3, Duration.ofMinutes(1)).algorithm(Algorithm.SLIDING_LOG).build()),
			"ann", 1);

	@TempDir
	Path directory;

	private String file() {
		return "jdbc:h2:file:" + this.directory.resolve("states");
	}

	private static HikariDataSource pool(String url, boolean autoCommit) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(url);
		config.setAutoCommit(autoCommit);
		return new HikariDataSource(config);
	}

	private static JdbcRateLimitStore store(HikariDataSource pool, SchemaInitialization initialization) {
		return new JdbcRateLimitStore(pool, "test", Duration.ofSeconds(20), 2, initialization, () -> NOW);
	}

	private static void assertMissing(String url, SchemaInitialization initialization) {
		try (HikariDataSource pool = pool(url, true); JdbcRateLimitStore store = store(pool, initialization)) {
			assertThatExceptionOfType(StoreException.class).isThrownBy(() -> store.acquire(CALL))
				.satisfies((failure) -> assertThat(failure.reason()).isEqualTo("schema"));
		}
	}

	private static long rows(String url) throws SQLException {
		try (Connection connection = DriverManager.getConnection(url);
				Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery("select count(*) from ratelimit_state")) {
			rows.next();
			return rows.getLong(1);
		}
	}

	@Test
	void tableIsCreatedInADatabaseOfThisProcessUnlessItIsSaidToBeThere() {
		assertMissing(TestDatabase.H2.newUrl(), SchemaInitialization.NEVER);
		try (HikariDataSource pool = pool(TestDatabase.H2.newUrl(), true);
				JdbcRateLimitStore store = store(pool, SchemaInitialization.EMBEDDED)) {
			assertThat(store.acquire(CALL).isAdmitted()).isTrue();
		}
	}

	@Test
	void tableIsCreatedInADatabaseThatStaysOnlyIfThatIsConfigured() throws SQLException {
		assertMissing(file(), SchemaInitialization.EMBEDDED);
		for (int i = 1; i <= 2; i++) {
			try (HikariDataSource pool = pool(file(), true);
					JdbcRateLimitStore store = store(pool, SchemaInitialization.ALWAYS)) {
				assertThat(store.acquire(CALL).get(0).outcomes().get(0).remaining()).isEqualTo(3 - i);
			}
		}
		assertThat(rows(file())).isEqualTo(1);
	}

	@Test
	void poolWithoutAutoCommitLosesNothing() throws SQLException {
		String url = TestDatabase.H2.newUrl();
		try (HikariDataSource pool = pool(url, false);
				JdbcRateLimitStore store = store(pool, SchemaInitialization.ALWAYS)) {
			store.peek(CALL);
			assertThat(rows(url)).as("of the created table").isZero();
			store.acquire(CALL);
			assertThat(rows(url)).isEqualTo(1);
			store.deleteExpired(NOW + TimeUnit.HOURS.toMicros(1));
			assertThat(rows(url)).isZero();
		}
	}

}
