package io.github.ratelimit.autoconfigure;

import java.util.concurrent.Executor;

import io.github.ratelimit.interceptor.CallContextSource;
import io.github.ratelimit.interceptor.CallLimiter;
import io.github.ratelimit.interceptor.ContinuationPool;
import io.github.ratelimit.interceptor.LimitedMethodSource;
import io.github.ratelimit.interceptor.RateLimitInterceptor;
import io.github.ratelimit.interceptor.RateLimitPointcut;
import io.github.ratelimit.interceptor.RetryPlacement;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Configuration of the interception of annotated methods. The advisor is an
 * infrastructure bean, because only those are applied without AspectJ. It is created
 * before all other beans, so it looks them up later. An aspect would have no effect, and
 * cause no message, without the weaver of AspectJ.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(OnEnabled.class)
@Import(AnnotationConfiguration.ProxyCreatorRegistrar.class)
class AnnotationConfiguration {

	private static final String EXECUTOR = "rateLimitExecutor";

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static DefaultPointcutAdvisor rateLimitAdvisor(RateLimitPointcut pointcut, BeanFactory beans,
			Environment environment) {
		DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(pointcut,
				new RateLimitInterceptor(() -> beans.getBean(LimitedMethodSource.class),
						() -> beans.getBean(CallLimiter.class),
						() -> beans.getBeanProvider(CallContextSource.class).getIfAvailable(() -> () -> null),
						() -> executor(beans)));
		advisor.setOrder(RateLimitProperties.beforeBinding(environment, "ratelimit.aop.order", Integer.class,
				RateLimitProperties.Aop.DEFAULT_ORDER));
		return advisor;
	}

	@Bean
	static ForgottenBeanWarning rateLimitForgottenBeanWarning(ConfigurableListableBeanFactory beans) {
		return new ForgottenBeanWarning(beans);
	}

	/**
	 * Not an {@link Executor}, beside which Spring Boot would configure none for the
	 * application.
	 */
	@Bean
	@Lazy
	static ContinuationPool rateLimitContinuationPool() {
		return new ContinuationPool();
	}

	static Executor executor(BeanFactory beans) {
		return beans.containsBean(EXECUTOR) ? beans.getBean(EXECUTOR, Executor.class)
				: beans.getBean(ContinuationPool.class)::execute;
	}

	/** Separate class, which is loaded only if there are retries. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = RetryPlacement.RETRIES)
	static class RetryConfiguration {

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static RetryPlacement rateLimitRetryPlacement() {
			return new RetryPlacement();
		}

	}

	/**
	 * Registers the creator of proxies unless there is one. Spring Boot registers none
	 * with {@code spring.aop.auto=false}, nor for interfaces without AspectJ, and then
	 * nothing would be limited. Classes are proxied as Spring Boot does.
	 */
	static class ProxyCreatorRegistrar implements ImportBeanDefinitionRegistrar {

		static final String PROXY_TARGET_CLASS = "spring.aop.proxy-target-class";

		private final Environment environment;

		ProxyCreatorRegistrar(Environment environment) {
			this.environment = environment;
		}

		@Override
		public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
			AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
			if (this.environment.getProperty(PROXY_TARGET_CLASS, Boolean.class, true)) {
				AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
			}
		}

	}

}
