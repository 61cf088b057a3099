package io.github.ratelimit.compatibility;

import javax.sql.DataSource;

import io.github.ratelimit.autoconfigure.JdbcRateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.override.OverrideStore;
import io.github.ratelimit.store.RateLimitStore;
import org.h2.jdbcx.JdbcDataSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Application that can count in each store, in a JVM of its own.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({ JdbcRateLimitAutoConfiguration.class, RateLimitAutoConfiguration.class })
public class ProcessedForum {

	public static void main(String[] arguments) {
		SpringApplicationBuilder forum = new SpringApplicationBuilder(ProcessedForum.class)
			.web(WebApplicationType.NONE);
		try (ConfigurableApplicationContext context = forum.run(arguments)) {
			System.out.println("Counted in " + context.getBean(RateLimitStore.class).getClass().getSimpleName()
					+ ", overrides shared: " + context.getBean(OverrideStore.class).isShared());
		}
	}

	@Bean
	static DataSource database() {
		JdbcDataSource database = new JdbcDataSource();
		database.setURL("jdbc:h2:mem:forum;DB_CLOSE_DELAY=-1");
		return database;
	}

	@Bean
	static RedisConnectionFactory redis() {
		return new LettuceConnectionFactory("localhost", 1);
	}

}
