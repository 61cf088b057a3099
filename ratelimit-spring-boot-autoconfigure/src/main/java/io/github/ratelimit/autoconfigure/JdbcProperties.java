package io.github.ratelimit.autoconfigure;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import io.github.ratelimit.store.jdbc.SchemaInitialization;

/**
 * Properties of the store in a database. They are bound if {@code ratelimit-jdbc} is on
 * the class path, so that other applications do not load this class.
 *
 * @param timeout Maximum time to wait for the database, and for a connection of the pool,
 * up to 60s. After that, on-store-failure applies. If a duration suffix is not specified,
 * milliseconds will be used.
 * @param connections Maximum number of connections that the limiter takes from the pool
 * at once, from 1 to 1000.
 * @param initializeSchema Databases in which the table is created: embedded, always or
 * never.
 * @param dataSource Name of the DataSource bean. By default, the one with the qualifier
 * RateLimitDataSource, else the only or primary one.
 */
@ConfigurationProperties(prefix = "ratelimit.jdbc", ignoreUnknownFields = false)
record JdbcProperties(@DefaultValue("250ms") Duration timeout, @DefaultValue("4") int connections,
		@DefaultValue("embedded") SchemaInitialization initializeSchema,
		@Nullable String dataSource) implements InitializingBean {

	private static final int MOST_CONNECTIONS = 1_000;

	@Override
	public void afterPropertiesSet() {
		PropertyChecks checks = new PropertyChecks("ratelimit.jdbc.");
		checks.require(
				this.timeout.compareTo(Duration.ZERO) > 0
						&& this.timeout.compareTo(PropertyChecks.LONGEST_TIMEOUT) <= 0,
				"timeout", this.timeout, "callers would wait that long for a database that hangs.",
				"Write how long a call may wait, `timeout: 250ms` for example and at most 60s.");
		checks.require(this.connections > 0 && this.connections <= MOST_CONNECTIONS, "connections", this.connections,
				"no call could reach the database, or all connections would be taken.",
				"Write how many connections the limiter may take at once, `connections: 4` for example.");
		checks.refuse();
	}

}
