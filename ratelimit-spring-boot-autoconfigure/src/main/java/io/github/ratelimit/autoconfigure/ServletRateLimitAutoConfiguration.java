package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.interceptor.CallContextSource;
import io.github.ratelimit.web.Problems;
import io.github.ratelimit.web.RequestRules;
import io.github.ratelimit.web.WebRequests;
import io.github.ratelimit.web.servlet.CatchAllBypass;
import io.github.ratelimit.web.servlet.FailureResponse;
import io.github.ratelimit.web.servlet.LimitHeadersFilter;
import io.github.ratelimit.web.servlet.RequestLimitFilter;
import io.github.ratelimit.web.servlet.ServletCallContextSource;
import jakarta.servlet.DispatcherType;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerExceptionResolver;

import static org.springframework.web.servlet.DispatcherServlet.HANDLER_EXCEPTION_RESOLVER_BEAN_NAME;

/**
 * {@link AutoConfiguration Auto-configuration} for rate limiting in Spring MVC.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ConditionalOnProperty(name = "ratelimit.enabled", matchIfMissing = true)
@ConditionalOnWebApplication(type = Type.SERVLET)
@ConditionalOnClass(DispatcherServlet.class)
@Import({ AdviceConfiguration.class, RequestRulesConfiguration.class })
public final class ServletRateLimitAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(CallContextSource.class)
	ServletCallContextSource servletCallContextSource(WebRequests settings) {
		return new ServletCallContextSource(settings);
	}

	@Bean
	@ConditionalOnMissingBean
	LimitHeadersFilter rateLimitHeadersFilter(WebRequests settings) {
		return new LimitHeadersFilter(settings);
	}

	@Bean
	@ConditionalOnMissingBean
	CatchAllBypass rateLimitCatchAllBypass(BeanFactory beans) {
		return new CatchAllBypass(
				() -> beans.getBean(HANDLER_EXCEPTION_RESOLVER_BEAN_NAME, HandlerExceptionResolver.class));
	}

	@Bean
	@Conditional(OnRequestRules.class)
	@ConditionalOnMissingBean(name = "rateLimitRequestFilter")
	FilterRegistrationBean<RequestLimitFilter> rateLimitRequestFilter(RequestRules rules, WebRequests settings,
			RateLimitProperties properties, Problems problems, BeanFactory beans) {
		FailureResponse failures = new FailureResponse(
				() -> beans.containsBean(HANDLER_EXCEPTION_RESOLVER_BEAN_NAME)
						? beans.getBean(HANDLER_EXCEPTION_RESOLVER_BEAN_NAME, HandlerExceptionResolver.class) : null,
				problems);
		FilterRegistrationBean<RequestLimitFilter> registration = new FilterRegistrationBean<>(
				new RequestLimitFilter(rules, settings, failures));
		registration.setDispatcherTypes(DispatcherType.REQUEST);
		registration.setOrder(properties.web().order());
		return registration;
	}

}
