package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.ai.ChatLimits;
import io.github.ratelimit.ai.ModelPrices;
import io.github.ratelimit.ai.RateLimitAdvisor;
import io.github.ratelimit.ai.ToolDenials;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.interceptor.CallLimiter;

import org.springframework.ai.chat.client.advisor.api.CallAdvisor;
import org.springframework.ai.tool.execution.ToolExecutionExceptionProcessor;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Scope;

/**
 * {@link AutoConfiguration Auto-configuration} for limits of chat clients and tools of
 * Spring AI. If rate limiting is disabled, advisors exist and limit nothing.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ConditionalOnBean(RateLimitProperties.class)
@EnableConfigurationProperties(AiProperties.class)
@ConditionalOnClass({ CallAdvisor.class, ToolExecutionExceptionProcessor.class })
public final class AiRateLimitAutoConfiguration {

	/**
	 * Create the source of advisors. Beans are looked up late, because chat clients are
	 * created before the rules of annotations.
	 */
	@Bean
	@ConditionalOnMissingBean
	ChatLimits rateLimitChatLimits(ConfigurableListableBeanFactory beans, RateLimitProperties properties,
			AiProperties ai) {
		ModelPrices prices = new ModelPrices();
		ai.prices().forEach((model, price) -> prices.add(model, price.input(), price.output(), price.per()));
		return new ChatLimits(properties.enabled(),
				(rule) -> new RegisteredRules(beans).limiter("RateLimitAdvisor", rule),
				(rule) -> beans.getBean(RuleRegistry.class).settle(rule, true, null),
				() -> beans.getBean(CallLimiter.class), prices);
	}

	@Bean
	@Scope("prototype")
	@ConditionalOnMissingBean
	RateLimitAdvisor.Builder rateLimitAdvisorBuilder(ChatLimits limits) {
		return limits.advisor();
	}

	@Bean
	SmartInitializingSingleton rateLimitChatLimitsStart(RateLimitProperties settings, ChatLimits limits) {
		return () -> {
			Mistakes mistakes = new Mistakes(settings.verification());
			limits.start(mistakes::attempt);
			mistakes.refuse();
		};
	}

	/** Let denied tools answer the model, whoever processes other failures of tools. */
	@Bean
	@Conditional(OnEnabled.class)
	static BeanPostProcessor rateLimitToolDenials() {
		return new BeanPostProcessor() {

			@Override
			public Object postProcessAfterInitialization(Object bean, String name) {
				return (bean instanceof ToolExecutionExceptionProcessor others) ? ToolDenials.before(others) : bean;
			}

		};
	}

}
