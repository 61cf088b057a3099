package io.github.ratelimit.example;

import java.util.List;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.interceptor.CallLimiter;
import io.github.ratelimit.interceptor.ContinuationPool;
import io.github.ratelimit.interceptor.ExpressionBeans;
import io.github.ratelimit.interceptor.LimitedMethodSource;
import io.github.ratelimit.interceptor.RateLimitInterceptor;
import io.github.ratelimit.interceptor.RateLimitPointcut;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.local.LocalFallbackStore;
import io.github.ratelimit.store.local.LocalRateLimitStore;
import org.aopalliance.intercept.MethodInterceptor;

import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class RateLimiting {

	@Bean
	static DefaultAdvisorAutoProxyCreator proxyCreator() {
		DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
		creator.setProxyTargetClass(true);
		return creator;
	}

	@Bean
	RateLimitStore store() {
		return new LocalRateLimitStore(100_000);
	}

	@Bean
	RateLimitEngine engine(RateLimitStore store) {
		return new RateLimitEngine(store, () -> OnStoreFailure.LOCAL, new LocalFallbackStore(100_000, 1));
	}

	@Bean
	RuleRegistry rateLimiterRegistry(RateLimitEngine engine) {
		return new RuleRegistry(engine, Algorithm.SLIDING_LOG, List.of());
	}

	@Bean
	static ContinuationPool continuationPool() {
		return new ContinuationPool();
	}

	@Bean
	LimitedMethodSource limitedMethods(RuleRegistry registry, ConfigurableListableBeanFactory beans) {
		return new LimitedMethodSource(new RateLimitPointcut(), registry, new ExpressionBeans(beans));
	}

	@Bean
	static DefaultPointcutAdvisor rateLimitAdvisor(ObjectProvider<LimitedMethodSource> methods,
			ObjectProvider<RateLimitEngine> engine, ObjectProvider<ContinuationPool> pool) {
		MethodInterceptor interceptor = new RateLimitInterceptor(methods::getObject,
				() -> new CallLimiter(engine.getObject()), () -> () -> null, () -> pool.getObject()::execute);
		return new DefaultPointcutAdvisor(new RateLimitPointcut(), interceptor);
	}

}
