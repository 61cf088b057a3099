package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.autoconfigure.OnOutgoingRules.OnRequestRules;
import io.github.ratelimit.interceptor.CallContextSource;
import io.github.ratelimit.interceptor.LimitedMethodSource;
import io.github.ratelimit.interceptor.PathPrefixes;
import io.github.ratelimit.web.ExceptionHandlers;
import io.github.ratelimit.web.RequestRuleMatcher;
import io.github.ratelimit.web.WebRequests;
import io.github.ratelimit.web.reactive.CallContextBinding;
import io.github.ratelimit.web.reactive.CorsAnswer;
import io.github.ratelimit.web.reactive.FailureDispatch;
import io.github.ratelimit.web.reactive.FailureHandlerAdapter;
import io.github.ratelimit.web.reactive.RequestLimitWebFilter;
import io.github.ratelimit.web.reactive.ResponseEndDecorator;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.web.cors.reactive.CorsWebFilter;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.HandlerResultHandler;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;

/**
 * {@link AutoConfiguration Auto-configuration} for rate limiting in Spring WebFlux.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ConditionalOnBean(RateLimitProperties.class)
@Conditional(OnEnabled.class)
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
	CallContextBinding.OfFilters rateLimitCallContextWebFilter(WebRequests settings) {
		return new CallContextBinding.OfFilters(settings);
	}

	@Bean
	@ConditionalOnMissingBean
	CallContextBinding.OfHandlers rateLimitHandlerContextWebFilter(WebRequests settings, LimitedMethodSource methods) {
		return new CallContextBinding.OfHandlers(settings, methods::mayUsePrincipal);
	}

	@Bean
	@ConditionalOnMissingBean
	CallContextBinding.OfExecutor rateLimitBlockingExecution() {
		return new CallContextBinding.OfExecutor();
	}

	@Bean
	@ConditionalOnMissingBean
	FailureDispatch rateLimitFailureDispatch(ExceptionHandlers exceptionHandlers,
			ObjectProvider<CorsWebFilter> corsFilters, ObjectProvider<HandlerMapping> mappings,
			ObjectProvider<RequestMappingHandlerAdapter> methods, ObjectProvider<HandlerResultHandler> resultHandlers) {
		CorsAnswer cors = new CorsAnswer(() -> corsFilters.orderedStream().toList(),
				() -> mappings.orderedStream().toList());
		return new FailureDispatch(exceptionHandlers, cors, () -> methods.orderedStream().findFirst().orElseThrow(),
				() -> resultHandlers.orderedStream().toList());
	}

	@Bean
	@ConditionalOnMissingBean
	FailureDispatch.Advice rateLimitFailureAdvice(FailureDispatch failures) {
		return new FailureDispatch.Advice(failures);
	}

	@Bean
	@ConditionalOnMissingBean
	FailureHandlerAdapter rateLimitFailureHandlerAdapter(FailureDispatch failures,
			ObjectProvider<RequestMappingHandlerAdapter> methods) {
		return new FailureHandlerAdapter(failures, () -> methods.orderedStream().findFirst().orElseThrow());
	}

	@Bean
	@ConditionalOnMissingBean
	FailureDispatch.OfFilters rateLimitFailureExceptionHandler(FailureDispatch failures) {
		return new FailureDispatch.OfFilters(failures);
	}

	@Bean
	@Conditional(OnRequestRules.class)
	@ConditionalOnMissingBean
	ResponseEndDecorator rateLimitResponseEndDecorator(RequestRuleMatcher rules) {
		return new ResponseEndDecorator(rules::haveEnds);
	}

	@Bean
	@Conditional(OnRequestRules.class)
	@ConditionalOnMissingBean
	RequestLimitWebFilter rateLimitRequestWebFilter(RequestRuleMatcher rules, WebRequests settings,
			FailureDispatch failures, RateLimitProperties properties, ApplicationContext context) {
		return new RequestLimitWebFilter(rules, settings, failures, context, properties.web().order());
	}

	@Bean
	@ConditionalOnMissingBean
	PathPrefixes rateLimitPathPrefixes(ObjectProvider<RequestMappingHandlerMapping> mappings) {
		return PathPrefixes.of(() -> mappings.stream().map(RequestMappingHandlerMapping::getPathPrefixes));
	}

}
