package io.github.ratelimit.autoconfigure;

import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.adaptive.LoadAdaptation;
import io.github.ratelimit.adaptive.LoadSignal;
import io.github.ratelimit.autoconfigure.RateLimitProperties.StoreType;
import io.github.ratelimit.autoconfigure.RateLimitProperties.Verification;
import io.github.ratelimit.engine.CallDelay;
import io.github.ratelimit.engine.DenyCache;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.engine.StoreFailurePolicy;
import io.github.ratelimit.interceptor.CallLimiter;
import io.github.ratelimit.interceptor.ExpressionBeans;
import io.github.ratelimit.interceptor.LimitedMethodSource;
import io.github.ratelimit.interceptor.RateLimitPointcut;
import io.github.ratelimit.override.KeyOverrideRegistry;
import io.github.ratelimit.override.LocalOverrideStore;
import io.github.ratelimit.override.OverrideStore;
import io.github.ratelimit.override.RuleOverrideRegistry;
import io.github.ratelimit.store.FallbackStore;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.local.LocalClock;
import io.github.ratelimit.store.local.LocalFallbackStore;
import io.github.ratelimit.store.local.LocalRateLimitStore;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;

/**
 * {@link AutoConfiguration Auto-configuration} for rate limiting: the store, the rules,
 * the {@link RateLimiterRegistry} and the limiting of annotated methods. The servlet and
 * reactive configurations add the web. Without this one, which an application may
 * exclude, all others back off.
 *
 * <p>
 * Conditions of this package depend on classes and properties, not on beans of other
 * auto-configurations, since these have other names in Spring Boot 3 and 4.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@EnableConfigurationProperties(RateLimitProperties.class)
@Import({ RedisStoreConfiguration.class, AnnotationConfiguration.class, RuleRefresh.class })
public final class RateLimitAutoConfiguration {

	@Bean
	@ConditionalOnMissingClass("org.springframework.data.redis.connection.RedisConnectionFactory")
	@ConditionalOnMissingBean
	RateLimitStore rateLimitStore(RateLimitProperties properties, LocalClock clock, ListableBeanFactory beans) {
		return storeWithoutRedis("Spring Data Redis is not on the class path", properties, clock, beans);
	}

	static RateLimitStore storeWithoutRedis(String reason, RateLimitProperties properties, LocalClock clock,
			ListableBeanFactory beans) {
		if (properties.store() == StoreType.REDIS) {
			throw new RateLimitConfigurationException("ratelimit.store = redis is invalid: " + reason + ".",
					"Add spring-boot-starter-data-redis and configure spring.data.redis, or set ratelimit.store to local.");
		}
		return (properties.store() == StoreType.JDBC) ? DatabaseStore.chosen(beans).create()
				: new LocalRateLimitStore(properties.local().maxKeys(), clock);
	}

	@Bean
	@ConditionalOnMissingBean
	RateLimitEngine rateLimitEngine(RateLimitStore store, StoreFailurePolicy failurePolicy,
			ObjectProvider<FallbackStore> fallback, ObjectProvider<DenyCache> denyCache,
			ObjectProvider<LoadAdaptation> loadAdaptation, CallDelay callDelay, RateLimitProperties properties) {
		boolean remembers = store.origin() != Decision.Origin.LOCAL && properties.redis().denyCache().enabled();
		return new RateLimitEngine(store, failurePolicy, fallback::getObject,
				SingletonSupplier.of(loadAdaptation::getObject), remembers ? denyCache.getIfAvailable() : null,
				callDelay);
	}

	@Bean
	@ConditionalOnMissingBean
	StoreFailurePolicy rateLimitStoreFailurePolicy(RateLimitProperties properties) {
		return properties.defaults()::onStoreFailure;
	}

	@Bean
	@Lazy
	@ConditionalOnMissingBean
	FallbackStore rateLimitFallbackStore(RateLimitProperties properties, LocalClock clock) {
		return new LocalFallbackStore(properties.local().maxKeys(), properties.redis().fallbackShare(), clock);
	}

	@Bean
	@Lazy
	@ConditionalOnMissingBean
	DenyCache rateLimitDenyCache(RateLimitProperties properties) {
		return new DenyCache(properties.redis().denyCache().maxSize(), properties.redis().denyCache().maxTtl());
	}

	@Bean
	@ConditionalOnMissingBean
	CallDelay rateLimitCallDelay() {
		return CallDelay.REAL_TIME;
	}

	@Bean
	@ConditionalOnMissingBean
	LocalClock rateLimitLocalClock() {
		return LocalClock.monotonic();
	}

	@Bean
	@ConditionalOnMissingBean
	RuleRegistry rateLimitRuleRegistry(RateLimitEngine engine, RateLimitProperties properties,
			ObjectProvider<KeyOverrideRegistry> keyOverrides) {
		engine.keys().writeOverridesBy(keyOverrides::getObject);
		return new RuleRegistry(engine, properties.defaults().algorithm(), properties.defaults().mode(),
				ConfiguredRules.of(properties.rules()));
	}

	@Bean
	@Lazy
	@ConditionalOnMissingBean
	LoadAdaptation rateLimitAdaptiveRules(RateLimitProperties properties, ListableBeanFactory beans) {
		Map<String, Supplier<LoadSignal>> signals = Stream
			.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, LoadSignal.class))
			.collect(Collectors.toMap((name) -> name, (name) -> () -> beans.getBean(name, LoadSignal.class)));
		return new LoadAdaptation(signals, properties.adaptive().interval());
	}

	/**
	 * Create the overrides of rules, which are needed at startup if others may have
	 * changed them.
	 */
	@Bean
	@Lazy
	@ConditionalOnMissingBean
	RuleOverrideRegistry rateLimitRuleOverrides(RuleRegistry registry, KeyOverrideRegistry keys, LocalClock clock) {
		return new RuleOverrideRegistry(registry, keys, clock.timeOfDay());
	}

	@Bean
	@Lazy
	@ConditionalOnMissingBean
	KeyOverrideRegistry rateLimitKeyOverrides(RuleRegistry registry, RateLimitEngine engine,
			ObjectProvider<OverrideStore> store, LocalClock clock) {
		return new KeyOverrideRegistry(registry, engine.keys(),
				store.getIfAvailable(() -> new LocalOverrideStore(clock)), clock);
	}

	@Bean
	@ConditionalOnMissingBean
	CallLimiter rateLimitCallLimiter(RateLimitEngine engine) {
		return new CallLimiter(engine);
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static ConfigurationPropertiesBindHandlerAdvisor rateLimitStrictBinding() {
		return StrictBinding::new;
	}

	/**
	 * Create the pointcut of the advisor and the verification, which inspects each class
	 * once. If mistakes are only warned about, beans without a proxy are created.
	 */
	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static RateLimitPointcut rateLimitPointcut(Environment environment) {
		return new RateLimitPointcut((type) -> Verification.onlyWarns(environment)
				&& UnproxyableClass.ofUnlimited(type, environment) != null);
	}

	/**
	 * Create the compiled methods. A child context has its own, although it uses the
	 * limiter of its parent: an expression sees the beans of the context of its own bean.
	 */
	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	LimitedMethodSource limitedMethodSource(RateLimitPointcut pointcut, RuleRegistry registry,
			ConfigurableListableBeanFactory beans) {
		return new LimitedMethodSource(pointcut, registry, new ExpressionBeans(beans));
	}

	@Bean
	@ConditionalOnMissingBean
	MisspelledRuleWarning rateLimitMisspelledRuleWarning(RuleRegistry registry) {
		return new MisspelledRuleWarning(registry);
	}

	@Bean
	MisspelledPrefixWarning rateLimitMisspelledPrefixWarning(Environment environment) {
		return new MisspelledPrefixWarning(environment);
	}

	@Bean
	LimiterStart rateLimitStart(LimitedMethodSource methods, RuleRegistry registry, RateLimitEngine engine,
			RateLimitStore store, RateLimitProperties properties, ConfigurableListableBeanFactory beans,
			ObjectProvider<RateLimitListener> listeners, Environment environment) {
		return new LimiterStart(methods, registry, engine, store, properties, beans, listeners, environment);
	}

}
