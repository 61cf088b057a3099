package io.github.ratelimit.autoconfigure;

import java.util.List;

import io.github.ratelimit.autoconfigure.RateLimitProperties.Verification;
import io.github.ratelimit.client.HostPattern;
import io.github.ratelimit.client.KeyBlocks;
import io.github.ratelimit.client.OutgoingRuleMatcher;
import io.github.ratelimit.client.boot3.Boot3ClientConfiguration;
import io.github.ratelimit.client.boot4.Boot4ClientConfiguration;
import io.github.ratelimit.engine.CallDelay;
import io.github.ratelimit.engine.RuleLimiter;
import io.github.ratelimit.interceptor.CallLimiter;
import io.github.ratelimit.interceptor.ExpressionBeans;
import io.github.ratelimit.interceptor.RateLimitOperation;
import io.github.ratelimit.override.KeyOverrideRegistry;
import io.github.ratelimit.store.local.LocalClock;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;

/**
 * {@link AutoConfiguration Auto-configuration} for limits of outgoing requests. Spring
 * Boot 3 and 4 have their own customizers of clients; those of the other one are never
 * loaded.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ConditionalOnBean(RateLimitProperties.class)
@Conditional({ OnEnabled.class, OnOutgoingRules.class })
@Import({ Boot3ClientConfiguration.class, Boot4ClientConfiguration.class })
public final class OutgoingRateLimitAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	OutgoingRuleMatcher rateLimitOutgoingRules(RateLimitProperties properties, ConfigurableListableBeanFactory beans,
			LocalClock localClock, Entries entries) {
		return new OutgoingRuleMatcher(entries::rules, () -> beans.getBean(CallLimiter.class),
				() -> beans.getBean(CallDelay.class), new KeyBlocks(() -> beans.getBean(KeyOverrideRegistry.class),
						properties.client().maxBlock(), localClock.timeOfDay()));
	}

	@Bean
	Entries rateLimitOutgoingRulesStart(RateLimitProperties properties, ConfigurableListableBeanFactory beans) {
		return new Entries(properties, beans);
	}

	/**
	 * Look for a client that the rules apply to. Spring Boot 4 has its clients in modules
	 * of their own.
	 */
	@Bean
	SmartInitializingSingleton rateLimitMissingClientWarning(BeanFactory beans) {
		return () -> {
			if (!beans.containsBean("rateLimitRestClientCustomizer")
					&& !beans.containsBean("rateLimitWebClientCustomizer")) {
				StartReport
					.warn("ratelimit.client.requests has no effect, because Spring Boot configures no RestClient, "
							+ "RestTemplate or WebClient. Add spring-boot-starter-restclient or "
							+ "spring-boot-starter-webclient (Spring Boot 3: spring-boot-starter-web or "
							+ "spring-boot-starter-webflux), or remove the property.");
			}
		};
	}

	/**
	 * Entries of the properties. A request before the end of startup reads them anew, and
	 * leaves out those whose rules annotations have not registered yet; mistakes are
	 * reported at the end.
	 */
	static final class Entries implements SmartInitializingSingleton {

		private final RateLimitProperties properties;

		private final ConfigurableListableBeanFactory beans;

		private volatile @Nullable List<OutgoingRuleMatcher.OutgoingRule> known;

		Entries(RateLimitProperties properties, ConfigurableListableBeanFactory beans) {
			this.properties = properties;
			this.beans = beans;
		}

		@Override
		public void afterSingletonsInstantiated() {
			this.known = read(this.properties.verification());
		}

		List<OutgoingRuleMatcher.OutgoingRule> rules() {
			List<OutgoingRuleMatcher.OutgoingRule> rules = this.known;
			return (rules != null) ? rules : read(null);
		}

		private List<OutgoingRuleMatcher.OutgoingRule> read(@Nullable Verification verification) {
			RegisteredRules registered = new RegisteredRules(this.beans);
			ExpressionBeans expressionBeans = new ExpressionBeans(this.beans);
			return Mistakes.read(verification, "ratelimit.client.requests", this.properties.client().requests(),
					(location, request) -> {
						RuleLimiter limiter = registered.limiter(location, request.rule());
						return new OutgoingRuleMatcher.OutgoingRule(HostPattern.of(request.host()), RateLimitOperation
							.ofOutgoingRequests(limiter, location, request.key(), expressionBeans), request.obey());
					});
		}

	}

}
