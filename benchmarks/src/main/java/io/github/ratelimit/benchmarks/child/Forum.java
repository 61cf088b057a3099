package io.github.ratelimit.benchmarks.child;

import java.lang.management.ManagementFactory;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.benchmarks.measure.Parent;
import io.github.resilience4j.ratelimiter.annotation.RateLimiter;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;

import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.web.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Web application with one limited endpoint. It also starts without this library, a peer
 * or Redis on the class path.
 */
@SpringBootApplication
public class Forum {

	/**
	 * Run the application.
	 * @param arguments properties, as for any application
	 */
	public static void main(String[] arguments) throws Exception {
		try (ServletWebServerApplicationContext context = (ServletWebServerApplicationContext) SpringApplication
			.run(Forum.class, arguments)) {
			if (context.containsBean("redisConnectionFactory")) {
				Redis.call(context.getBean("redisConnectionFactory"));
			}
			long millis = ManagementFactory.getRuntimeMXBean().getUptime();
			Parent.serve(context.getWebServer().getPort(), millis, retained());
		}
	}

	private static long retained() throws InterruptedException {
		for (int i = 0; i < 3; i++) {
			System.gc();
			Thread.sleep(50);
		}
		return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
	}

	/**
	 * Access to Redis, in a separate class that is loaded only where Redis is on the
	 * class path.
	 */
	private static final class Redis {

		private static void call(Object factory) {
			((RedisConnectionFactory) factory).getConnection().ping();
		}

	}

	@RestController
	static class Replies {

		@GetMapping("/replies")
		@RateLimiter(name = "replies")
		@RateLimited(key = "#userId + ':reply'", period = 1, max = 1_000_000_000, algorithm = Algorithm.TOKEN_BUCKET)
		public String reply(@RequestParam String userId) {
			return "Dear " + userId;
		}

	}

	/**
	 * Minimal work of any annotation with a proxy. Spring Boot applies infrastructure
	 * advisors by itself.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty(name = "forum.interceptor", havingValue = "empty")
	static class Intercepted {

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static DefaultPointcutAdvisor aroundReplies() {
			MethodInterceptor empty = MethodInvocation::proceed;
			return new DefaultPointcutAdvisor(AnnotationMatchingPointcut.forMethodAnnotation(GetMapping.class), empty);
		}

	}

}
