package io.github.ratelimit.autoconfigure;

import javax.sql.DataSource;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.override.LocalOverrideStore;
import io.github.ratelimit.override.OverrideStore;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.jdbc.JdbcRateLimitStore;
import io.github.ratelimit.store.local.LocalClock;

/**
 * {@link AutoConfiguration Auto-configuration} of the store in a database. The data
 * source is looked up when the store is created, so the order of configurations does not
 * matter.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = RateLimitAutoConfiguration.class)
@ConditionalOnClass(JdbcRateLimitStore.class)
@ConditionalOnProperty(name = "ratelimit.store", havingValue = "jdbc")
@EnableConfigurationProperties(JdbcProperties.class)
public final class JdbcRateLimitAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	RateLimitStore rateLimitStore(RateLimitProperties properties, JdbcProperties jdbc,
			@RateLimitDataSource ObjectProvider<DataSource> qualified, ListableBeanFactory beans) {
		DataSource marked = (jdbc.dataSource() == null) ? qualified.getIfAvailable() : null;
		DataSource chosen = (marked != null) ? marked
				: new ChosenBean<>(DataSource.class,
						"Rate limits are counted in one database, but there are several DataSource beans: ",
						"ratelimit.jdbc.data-source", "spring.datasource", "@RateLimitDataSource")
					.find(jdbc.dataSource(), beans);
		if (chosen == null) {
			throw new RateLimitConfigurationException("ratelimit.store = jdbc is invalid: there is no DataSource bean.",
					"Add spring-boot-starter-jdbc and the driver, and configure spring.datasource, or set "
							+ "ratelimit.store to redis or local.");
		}
		return new JdbcRateLimitStore(chosen, properties.keyPrefix(), jdbc.timeout(), jdbc.connections(),
				jdbc.initializeSchema());
	}

	/**
	 * Create the store of overrides, which are stored beside the counters.
	 */
	@Bean
	@ConditionalOnMissingBean
	OverrideStore rateLimitOverrideStore(RateLimitStore store, LocalClock clock) {
		return (store instanceof JdbcRateLimitStore jdbc) ? jdbc.overrides() : new LocalOverrideStore(clock);
	}

}
