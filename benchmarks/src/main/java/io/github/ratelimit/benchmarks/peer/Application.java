package io.github.ratelimit.benchmarks.peer;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

import com.zaxxer.hikari.HikariDataSource;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.autoconfigure.JdbcRateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.benchmarks.measure.Quota;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Small application with this library, auto-configured, and one rule.
 */
public final class Application implements AutoCloseable {

	/**
	 * Name of the rule.
	 */
	public static final String RULE = "lane";

	private final ConfigurableApplicationContext context;

	private Application(Class<?> configuration, Map<String, Object> properties) {
		this.context = new SpringApplicationBuilder(configuration).web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.logStartupInfo(false)
			.registerShutdownHook(false)
			.properties(properties)
			.run();
	}

	/**
	 * Create an application with the local store.
	 */
	public static Application local(Map<String, Object> rule, Map<String, Object> properties) {
		return new Application(Local.class, all(rule, properties));
	}

	/**
	 * Create an application with the Redis store.
	 */
	public static Application redis(RedisProcess redis, Map<String, Object> rule, Map<String, Object> properties) {
		Map<String, Object> all = all(rule, properties);
		all.put("spring.data.redis.host", redis.host());
		all.put("spring.data.redis.port", redis.port());
		return new Application(Redis.class, all);
	}

	/**
	 * Create an application with the store in a database.
	 */
	static Application database(Database database, Map<String, Object> rule, Map<String, Object> properties) {
		Map<String, Object> all = all(rule, properties);
		all.put("spring.datasource.url", database.url());
		all.put("ratelimit.store", "jdbc");
		all.put("ratelimit.jdbc.initialize-schema", "always");
		all.put("ratelimit.jdbc.timeout", "5s");
		return new Application(InDatabase.class, all);
	}

	/**
	 * Return the properties of a rule with one limit.
	 */
	public static Map<String, Object> rule(String algorithm, Quota quota) {
		return Map.of("algorithm", algorithm, "max", quota.max(), "period", quota.period().toMillis() + "ms");
	}

	private static Map<String, Object> all(Map<String, Object> rule, Map<String, Object> properties) {
		Map<String, Object> all = new HashMap<>(properties);
		rule.forEach((name, value) -> all.put("ratelimit.rules." + RULE + "." + name, value));
		return all;
	}

	/**
	 * Return the limiter of the rule.
	 */
	public RateLimiter limiter() {
		return this.context.getBean(RateLimiterRegistry.class).limiter(RULE);
	}

	/**
	 * Return the limiter of another rule.
	 */
	public RateLimiter limiter(RateLimitRule rule) {
		return this.context.getBean(RateLimiterRegistry.class).register(rule);
	}

	/**
	 * Return a call that is subject to several rules.
	 * @return the call, given its number
	 */
	public IntConsumer call(List<RateLimitRule> rules) {
		RateLimitEngine engine = engine();
		return (number) -> engine
			.acquire(Demands.of(rules.stream().map((rule) -> new Demand(rule, "key-" + number, 1)).toList()));
	}

	RateLimitEngine engine() {
		return this.context.getBean(RateLimitEngine.class);
	}

	@Override
	public void close() {
		this.context.close();
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(RateLimitAutoConfiguration.class)
	static class Local {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ JdbcRateLimitAutoConfiguration.class, RateLimitAutoConfiguration.class })
	static class InDatabase {

		@Bean
		HikariDataSource dataSource(@Value("${spring.datasource.url}") String url) {
			return Database.pool(url);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ RedisAutoConfiguration.class, RateLimitAutoConfiguration.class })
	static class Redis {

	}

}
