package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.interceptor.CallContextSource;
import io.github.ratelimit.interceptor.LimitedMethodSource;
import io.github.ratelimit.web.RequestRules;
import io.github.ratelimit.web.WebRequests;
import io.github.ratelimit.web.reactive.CallContextBinding;
import io.github.ratelimit.web.reactive.CallContextWebFilter;
import io.github.ratelimit.web.reactive.FailureDispatch;
import io.github.ratelimit.web.reactive.HandlerContextWebFilter;
import io.github.ratelimit.web.reactive.RequestLimitWebFilter;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.web.reactive.DispatchExceptionHandler;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.HandlerAdapter;
import org.springframework.web.reactive.HandlerResultHandler;

/**
 * {@link AutoConfiguration Auto-configuration} for rate limiting in Spring WebFlux.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ConditionalOnProperty(name = "ratelimit.enabled", matchIfMissing = true)
@ConditionalOnWebApplication(type = Type.REACTIVE)
@ConditionalOnClass(DispatcherHandler.class)
@Import({ AdviceConfiguration.class, RequestRulesConfiguration.class })
public final class ReactiveRateLimitAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(CallContextSource.class)
	CallContextBinding reactiveCallContextSource() {
		return new CallContextBinding();
	}

	@Bean
	@ConditionalOnMissingBean
	CallContextWebFilter rateLimitCallContextWebFilter(WebRequests settings) {
		return new CallContextWebFilter(settings);
	}

	@Bean
	@ConditionalOnMissingBean
	HandlerContextWebFilter rateLimitHandlerContextWebFilter(WebRequests settings, LimitedMethodSource methods) {
		return new HandlerContextWebFilter(settings, methods::isAskingForPrincipal);
	}

	@Bean
	@Conditional(OnRequestRules.class)
	@ConditionalOnMissingBean
	RequestLimitWebFilter rateLimitRequestWebFilter(RequestRules rules, WebRequests settings,
			RateLimitProperties properties, ApplicationContext context, ObjectProvider<HandlerAdapter> adapters,
			ObjectProvider<HandlerResultHandler> resultHandlers) {
		FailureDispatch failures = new FailureDispatch(() -> adapters.orderedStream()
			.filter(DispatchExceptionHandler.class::isInstance)
			.map(DispatchExceptionHandler.class::cast)
			.toList(), () -> resultHandlers.orderedStream().toList());
		return new RequestLimitWebFilter(rules, settings, failures, context, properties.web().order());
	}

}
