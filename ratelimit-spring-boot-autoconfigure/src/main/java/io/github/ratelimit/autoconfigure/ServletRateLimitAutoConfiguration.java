package io.github.ratelimit.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.autoconfigure.OnOutgoingRules.OnRequestRules;
import io.github.ratelimit.interceptor.CallContextSource;
import io.github.ratelimit.interceptor.LimitedMethodSource;
import io.github.ratelimit.interceptor.PathPrefixes;
import io.github.ratelimit.web.ExceptionHandlers;
import io.github.ratelimit.web.ProblemFactory;
import io.github.ratelimit.web.RequestRuleMatcher;
import io.github.ratelimit.web.WebRequests;
import io.github.ratelimit.web.servlet.CorsAnswer;
import io.github.ratelimit.web.servlet.FailureFilter;
import io.github.ratelimit.web.servlet.FailureResponse;
import io.github.ratelimit.web.servlet.LimitHeadersFilter;
import io.github.ratelimit.web.servlet.RateLimitExceptionResolver;
import io.github.ratelimit.web.servlet.RequestLimitFilter;
import io.github.ratelimit.web.servlet.ServletCallContextSource;
import jakarta.servlet.DispatcherType;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.RegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.web.accept.ContentNegotiationManager;
import org.springframework.web.cors.CorsConfigurationSource;
import org.springframework.web.filter.CorsFilter;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

import static org.springframework.web.servlet.DispatcherServlet.HANDLER_EXCEPTION_RESOLVER_BEAN_NAME;

/**
 * {@link AutoConfiguration Auto-configuration} for rate limiting in Spring MVC.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ConditionalOnBean(RateLimitProperties.class)
@Conditional(OnEnabled.class)
@ConditionalOnWebApplication(type = Type.SERVLET)
@ConditionalOnClass(DispatcherServlet.class)
@Import({ AdviceConfiguration.class, RequestRulesConfiguration.class })
public final class ServletRateLimitAutoConfiguration {

	/**
	 * Bean of Spring MVC for its handlers of exceptions. Views may have another manager.
	 */
	private static final String MEDIA_TYPES = "mvcContentNegotiationManager";

	@Bean
	@ConditionalOnMissingBean(CallContextSource.class)
	ServletCallContextSource servletCallContextSource(WebRequests settings) {
		return new ServletCallContextSource(settings);
	}

	@Bean
	@ConditionalOnClass(name = "org.springframework.security.core.context.SecurityContextHolder")
	@ConditionalOnMissingClass("io.micrometer.context.ContextSnapshotFactory")
	SecurityContextWarning rateLimitSecurityContextWarning(LimitedMethodSource methods) {
		return new SecurityContextWarning(methods);
	}

	@Bean
	@ConditionalOnMissingBean
	LimitHeadersFilter rateLimitHeadersFilter(WebRequests settings) {
		return new LimitHeadersFilter(settings);
	}

	@Bean
	@ConditionalOnMissingBean
	RateLimitExceptionResolver rateLimitExceptionResolver(ExceptionHandlers exceptionHandlers, BeanFactory beans) {
		return new RateLimitExceptionResolver(exceptionHandlers,
				() -> beans.getBean(HANDLER_EXCEPTION_RESOLVER_BEAN_NAME, HandlerExceptionResolver.class),
				() -> beans.containsBean(MEDIA_TYPES) ? beans.getBean(MEDIA_TYPES, ContentNegotiationManager.class)
						: new ContentNegotiationManager());
	}

	@Bean
	@ConditionalOnMissingBean
	FailureResponse rateLimitFailureResponse(RateLimitExceptionResolver resolver, ProblemFactory problems,
			ListableBeanFactory beans) {
		return new FailureResponse(
				() -> beans.containsBean(HANDLER_EXCEPTION_RESOLVER_BEAN_NAME)
						? List.of(resolver,
								beans.getBean(HANDLER_EXCEPTION_RESOLVER_BEAN_NAME, HandlerExceptionResolver.class))
						: List.of(),
				new CorsAnswer(() -> corsFilters(beans),
						() -> beans.getBeanProvider(HandlerMapping.class).orderedStream().toList()),
				problems);
	}

	/**
	 * Return the CORS filters of the application: those that are beans, those that are
	 * registered, and the one that Spring Security makes of a bean, which has not run yet
	 * if requests are limited ahead of it.
	 */
	private static List<CorsFilter> corsFilters(ListableBeanFactory beans) {
		List<CorsFilter> filters = new ArrayList<>(beans.getBeanProvider(CorsFilter.class).orderedStream().toList());
		beans.getBeanProvider(RegistrationBean.class)
			.orderedStream()
			.filter(FilterRegistrationBean.class::isInstance)
			.map((registration) -> ((FilterRegistrationBean<?>) registration).getFilter())
			.filter(CorsFilter.class::isInstance)
			.map(CorsFilter.class::cast)
			.forEach(filters::add);
		if (beans.containsBean("springSecurityFilterChain") && beans.containsBean("corsConfigurationSource")) {
			filters.add(new CorsFilter(beans.getBean("corsConfigurationSource", CorsConfigurationSource.class)));
		}
		return filters;
	}

	/**
	 * Create the filter that answers failures, inside of filters that measure and restore
	 * requests, and outside of all others. Their answers are looked up late, because the
	 * web server needs its filters before other beans.
	 */
	@Bean
	@ConditionalOnMissingBean(name = "rateLimitFailureFilter")
	FilterRegistrationBean<FailureFilter> rateLimitFailureFilter(ObjectProvider<FailureResponse> failures) {
		FilterRegistrationBean<FailureFilter> registration = new FilterRegistrationBean<>(
				new FailureFilter(failures::getObject));
		registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC);
		registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 10);
		return registration;
	}

	@Bean
	@Conditional(OnRequestRules.class)
	@ConditionalOnMissingBean(name = "rateLimitRequestFilter")
	FilterRegistrationBean<RequestLimitFilter> rateLimitRequestFilter(RequestRuleMatcher rules, WebRequests settings,
			RateLimitProperties properties, FailureResponse failures) {
		FilterRegistrationBean<RequestLimitFilter> registration = new FilterRegistrationBean<>(
				new RequestLimitFilter(rules, settings, failures));
		registration.setDispatcherTypes(DispatcherType.REQUEST);
		registration.setOrder(properties.web().order());
		return registration;
	}

	@Bean
	@ConditionalOnMissingBean
	PathPrefixes rateLimitPathPrefixes(ObjectProvider<RequestMappingHandlerMapping> mappings) {
		return PathPrefixes.of(() -> mappings.stream().map(RequestMappingHandlerMapping::getPathPrefixes));
	}

}
