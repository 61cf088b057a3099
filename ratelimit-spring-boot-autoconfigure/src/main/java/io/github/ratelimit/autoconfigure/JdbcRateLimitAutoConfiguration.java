package io.github.ratelimit.autoconfigure;

import java.util.List;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.jdbc.JdbcRateLimitStore;

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

	private static final String PROPERTY = "ratelimit.jdbc.data-source";

	@Bean
	@ConditionalOnMissingBean
	RateLimitStore rateLimitStore(RateLimitProperties properties, JdbcProperties jdbc,
			@RateLimitDataSource ObjectProvider<DataSource> qualified, ObjectProvider<DataSource> dataSources,
			ListableBeanFactory beans) {
		DataSource dataSource = (jdbc.dataSource() != null) ? named(jdbc.dataSource(), beans)
				: find(qualified.getIfAvailable(), dataSources, beans);
		return new JdbcRateLimitStore(dataSource, properties.keyPrefix(), jdbc.timeout(), jdbc.connections(),
				jdbc.initializeSchema());
	}

	private static DataSource find(@Nullable DataSource qualified, ObjectProvider<DataSource> dataSources,
			ListableBeanFactory beans) {
		if (qualified != null) {
			return qualified;
		}
		try {
			DataSource only = dataSources.getIfAvailable();
			if (only == null) {
				throw new RateLimitConfigurationException(
						"ratelimit.store = jdbc is invalid: there is no DataSource bean.",
						"Add spring-boot-starter-jdbc and the driver, and configure spring.datasource, or set "
								+ "ratelimit.store to redis or local.");
			}
			return only;
		}
		catch (NoUniqueBeanDefinitionException ex) {
			List<String> names = names(beans);
			throw new RateLimitConfigurationException(
					"Rate limits are counted in one database, but there are several DataSource beans: "
							+ String.join(", ", names) + ".",
					"Write " + PROPERTY + ": " + names.get(0)
							+ ", for example, or mark the bean for rate limits with @RateLimitDataSource.");
		}
	}

	private static DataSource named(String name, ListableBeanFactory beans) {
		if (!beans.containsBean(name) || !beans.isTypeMatch(name, DataSource.class)) {
			List<String> names = names(beans);
			throw new RateLimitConfigurationException(
					PROPERTY + " = " + name + " is invalid: there is no DataSource bean of this name.",
					names.isEmpty() ? "Configure spring.datasource, or define the bean."
							: "Write one of these names: " + String.join(", ", names) + ".");
		}
		return beans.getBean(name, DataSource.class);
	}

	private static List<String> names(ListableBeanFactory beans) {
		return List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class));
	}

	/**
	 * Refuse rules that cannot be counted so, when all are known.
	 */
	@Bean
	SmartInitializingSingleton rateLimitJdbcRules(RuleRegistry registry) {
		return () -> registry.rules().forEach(JdbcRateLimitAutoConfiguration::check);
	}

	private static void check(RateLimitRule rule) {
		if (rule.prefetch() != null) {
			throw new RateLimitConfigurationException(
					"ratelimit.rules." + rule.name() + ".prefetch has no effect: with ratelimit.store = jdbc, "
							+ "instances ask the database for each call.",
					"Remove prefetch, or count in Redis.");
		}
	}

}
