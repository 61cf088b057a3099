package io.github.ratelimit.benchmarks.peer;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import javax.cache.CacheManager;
import javax.cache.Caching;
import javax.cache.configuration.MutableConfiguration;

import com.giffing.bucket4j.spring.boot.starter.config.aspect.RateLimitAspect;
import com.giffing.bucket4j.spring.boot.starter.config.cache.SyncCacheResolver;
import com.giffing.bucket4j.spring.boot.starter.config.cache.jcache.JCacheBucket4jConfiguration;
import com.giffing.bucket4j.spring.boot.starter.config.service.ServiceConfiguration;
import com.giffing.bucket4j.spring.boot.starter.context.RateLimiting;
import com.giffing.bucket4j.spring.boot.starter.context.properties.Bucket4JBootProperties;
import com.giffing.bucket4j.spring.boot.starter.service.RateLimitService;
import com.github.benmanes.caffeine.jcache.spi.CaffeineCachingProvider;
import io.github.ratelimit.Algorithm;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.benchmarks.measure.Machine;
import io.github.resilience4j.ratelimiter.annotation.RateLimiter;
import io.github.resilience4j.springboot3.ratelimiter.autoconfigure.RateLimiterAutoConfiguration;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Contenders that limit an annotated method, and calls of the same method without a
 * limit.
 */
public enum AnnotatedContender {

	/**
	 * This library with the algorithm of the peers.
	 */
	TOKEN_BUCKET("**this library**, `token-bucket`",
			() -> bean(TokenBucket.class, Map.of("ratelimit.store", "local"), Ours.class)),

	/**
	 * This library with its default algorithm.
	 */
	SLIDING_LOG("this library, `sliding-log`",
			() -> bean(SlidingLog.class, Map.of("ratelimit.store", "local"), Ours.class)),

	/**
	 * resilience4j, with one limit for all users.
	 */
	RESILIENCE4J("resilience4j `@RateLimiter`, without a key", () -> bean(Resilience4j.class,
			Map.of("resilience4j.ratelimiter.instances.reply.limit-for-period", 1_000_000_000,
					"resilience4j.ratelimiter.instances.reply.limit-refresh-period", "1s",
					"resilience4j.ratelimiter.instances.reply.timeout-duration", "0"),
			Resilience4jApplication.class)),

	/**
	 * bucket4j's starter on Caffeine's JCache, which its annotation needs.
	 */
	BUCKET4J("bucket4j starter `@RateLimiting`", () -> bean(Bucket4jStarter.class, Map.of("bucket4j.cache-to-use",
			"jcache", "bucket4j.methods[0].name", "reply", "bucket4j.methods[0].cache-name", "buckets",
			"bucket4j.methods[0].rate-limit.bandwidths[0].capacity", 1_000_000_000,
			"bucket4j.methods[0].rate-limit.bandwidths[0].time", 1, "bucket4j.methods[0].rate-limit.bandwidths[0].unit",
			"seconds", "bucket4j.methods[0].rate-limit.bandwidths[0].refill-speed", "greedy"),
			Bucket4jApplication.class)),

	/**
	 * Cost of a proxy.
	 */
	EMPTY("a proxy with an empty interceptor", () -> {
		ProxyFactory factory = new ProxyFactory(new Replies());
		factory.setProxyTargetClass(true);
		factory.addAdvice((MethodInterceptor) MethodInvocation::proceed);
		return (Replies) factory.getProxy();
	}),

	/**
	 * Cost of the call.
	 */
	DIRECT("a direct call", Replies::new);

	private final String title;

	private final Supplier<Replies> open;

	AnnotatedContender(String title, Supplier<Replies> open) {
		this.title = title;
		this.open = open;
	}

	private static Replies bean(Class<? extends Replies> type, Map<String, Object> properties, Class<?> configuration) {
		return new SpringApplicationBuilder(configuration, type).web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.logStartupInfo(false)
			.properties(properties)
			.run()
			.getBean(type);
	}

	/**
	 * Return the name in tables.
	 */
	public String title() {
		return this.title;
	}

	/**
	 * Create the object whose method is called.
	 */
	public Replies open() {
		return this.open.get();
	}

	/**
	 * Return the versions of the contenders.
	 */
	public static String versions() {
		return Machine.versions(RateLimiter.class, RateLimiting.class, CaffeineCachingProvider.class,
				ProxyFactory.class);
	}

	static class TokenBucket extends Replies {

		@Override
		@RateLimited(key = "#userId + ':reply'", period = 1, max = 1_000_000_000, algorithm = Algorithm.TOKEN_BUCKET)
		public int reply(String userId, String text) {
			return super.reply(userId, text);
		}

	}

	static class SlidingLog extends Replies {

		@Override
		@RateLimited(key = "#userId + ':reply'", period = 1, unit = TimeUnit.MILLISECONDS, max = 10_000)
		public int reply(String userId, String text) {
			return super.reply(userId, text);
		}

	}

	static class Resilience4j extends Replies {

		@Override
		@RateLimiter(name = "reply")
		public int reply(String userId, String text) {
			return super.reply(userId, text);
		}

	}

	static class Bucket4jStarter extends Replies {

		@Override
		@RateLimiting(name = "reply", cacheKey = "#userId + ':reply'")
		public int reply(String userId, String text) {
			return super.reply(userId, text);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ AopAutoConfiguration.class, RateLimitAutoConfiguration.class })
	static class Ours {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ AopAutoConfiguration.class, RateLimiterAutoConfiguration.class })
	static class Resilience4jApplication {

	}

	/**
	 * Beans of the starter's auto-configurations, which themselves refer to a class of
	 * Boot 4.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableConfigurationProperties(Bucket4JBootProperties.class)
	@Import(ServiceConfiguration.class)
	@ImportAutoConfiguration({ AopAutoConfiguration.class, JCacheBucket4jConfiguration.class })
	static class Bucket4jApplication {

		@Bean
		RateLimitAspect aspect(RateLimitService service, Bucket4JBootProperties properties, SyncCacheResolver caches) {
			return new RateLimitAspect(service, properties, caches, List.of());
		}

		@Bean
		CacheManager caches() {
			CacheManager caches = Caching.getCachingProvider(CaffeineCachingProvider.class.getName()).getCacheManager();
			caches.createCache("buckets", new MutableConfiguration<String, byte[]>());
			return caches;
		}

	}

}
