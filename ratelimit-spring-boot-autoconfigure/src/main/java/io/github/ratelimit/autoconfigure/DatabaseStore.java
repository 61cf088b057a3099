package io.github.ratelimit.autoconfigure;

import javax.sql.DataSource;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.override.LocalOverrideStore;
import io.github.ratelimit.override.OverrideStore;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.jdbc.JdbcRateLimitStore;
import io.github.ratelimit.store.local.LocalClock;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Store in a database, created if {@code ratelimit.store} chooses it. That is decided at
 * startup and not by conditions, which the build evaluates ahead of time.
 */
record DatabaseStore(RateLimitProperties properties, JdbcProperties jdbc, ObjectProvider<DataSource> qualified,
		ListableBeanFactory beans) {

	static DatabaseStore chosen(ListableBeanFactory beans) {
		DatabaseStore store = beans.getBeanProvider(DatabaseStore.class).getIfAvailable();
		if (store == null) {
			throw new RateLimitConfigurationException(
					"ratelimit.store = jdbc is invalid: ratelimit-jdbc or its auto-configuration is excluded.",
					"Do not exclude them, or set ratelimit.store to redis or local.");
		}
		return store;
	}

	/**
	 * Create the store. The data source is looked up now, so the order of configurations
	 * does not matter.
	 */
	RateLimitStore create() {
		DataSource marked = (this.jdbc.dataSource() == null) ? this.qualified.getIfAvailable() : null;
		DataSource chosen = (marked != null) ? marked
				: new ChosenBean<>(DataSource.class,
						"Rate limits are counted in one database, but there are several DataSource beans: ",
						"ratelimit.jdbc.data-source", "spring.datasource", "@RateLimitDataSource")
					.find(this.jdbc.dataSource(), this.beans);
		if (chosen == null) {
			throw new RateLimitConfigurationException("ratelimit.store = jdbc is invalid: there is no DataSource bean.",
					"Add spring-boot-starter-jdbc and the driver, and configure spring.datasource, or set "
							+ "ratelimit.store to redis or local.");
		}
		return new JdbcRateLimitStore(chosen, this.properties.keyPrefix(), this.jdbc.timeout(), this.jdbc.connections(),
				this.jdbc.initializeSchema());
	}

	static OverrideStore overrides(RateLimitStore store, LocalClock clock) {
		return (store instanceof JdbcRateLimitStore jdbc) ? jdbc.overrides() : new LocalOverrideStore(clock);
	}

}
