package io.github.ratelimit.store.jdbc;

import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.store.StoreException;

/**
 * Values of the tag by which meters distinguish failures of a database.
 */
public final class DatabaseFailureReasons {

	private DatabaseFailureReasons() {
	}

	/**
	 * Return the reasons that need a remedy.
	 */
	public static Set<String> mistakes() {
		JdbcFailures failures = new JdbcFailures(Duration.ofMillis(100));
		return Stream
			.of(new SQLException("no table", "42P01"), new SQLException("no permission", "42501"),
					new SQLException("read only", "25006"), new SQLFeatureNotSupportedException())
			.map((failure) -> failures.of((Throwable) failure))
			.filter((failure) -> failure.remedy() != null)
			.map(StoreException::reason)
			.collect(Collectors.toSet());
	}

}
