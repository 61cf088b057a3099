package io.github.ratelimit.autoconfigure;

import javax.sql.DataSource;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

import io.github.ratelimit.override.OverrideStore;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.jdbc.JdbcRateLimitStore;
import io.github.ratelimit.store.local.LocalClock;

/**
 * {@link AutoConfiguration Auto-configuration} of the store in a database.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ConditionalOnBean(RateLimitProperties.class)
@ConditionalOnClass(JdbcRateLimitStore.class)
@EnableConfigurationProperties(JdbcProperties.class)
public final class JdbcRateLimitAutoConfiguration {

	@Bean
	DatabaseStore rateLimitDatabaseStore(RateLimitProperties properties, JdbcProperties jdbc,
			@RateLimitDataSource ObjectProvider<DataSource> qualified, ListableBeanFactory beans) {
		return new DatabaseStore(properties, jdbc, qualified, beans);
	}

	@Bean
	@ConditionalOnMissingClass("org.springframework.data.redis.connection.RedisConnectionFactory")
	@ConditionalOnMissingBean
	OverrideStore rateLimitOverrideStore(RateLimitStore store, LocalClock clock) {
		return DatabaseStore.overrides(store, clock);
	}

}
