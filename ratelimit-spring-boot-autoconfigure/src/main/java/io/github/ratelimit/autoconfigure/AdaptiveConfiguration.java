package io.github.ratelimit.autoconfigure;

import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.adaptive.AdaptiveRules;
import io.github.ratelimit.adaptive.LoadSignal;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Configuration of limits that follow the load. A {@link LoadSignal} bean is created when
 * a rule follows it.
 */
@Configuration(proxyBeanMethods = false)
class AdaptiveConfiguration {

	@Bean
	@ConditionalOnMissingBean
	AdaptiveRules rateLimitAdaptiveRules(RateLimitProperties properties, ListableBeanFactory beans) {
		return new AdaptiveRules(signals(beans), properties.adaptive().interval());
	}

	private static Map<String, Supplier<LoadSignal>> signals(ListableBeanFactory beans) {
		return Stream.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, LoadSignal.class))
			.collect(Collectors.toMap((name) -> name, (name) -> () -> beans.getBean(name, LoadSignal.class)));
	}

}
