package io.github.ratelimit.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.grpc.GrpcCall;
import io.github.ratelimit.grpc.GrpcFailures;
import io.github.ratelimit.grpc.GrpcLimitInterceptor;
import io.github.ratelimit.grpc.GrpcRule;
import io.github.ratelimit.interceptor.CallLimiter;
import io.github.ratelimit.interceptor.ExpressionBeans;
import io.github.ratelimit.interceptor.RateLimitOperation;
import io.github.ratelimit.web.LimitHeaders;
import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.ServerInterceptor;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.annotation.RegisterReflection;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.grpc.server.GlobalServerInterceptor;

/**
 * {@link AutoConfiguration Auto-configuration} for the limits of calls of gRPC servers
 * with Spring gRPC.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { RateLimitAutoConfiguration.class, ServletRateLimitAutoConfiguration.class,
		ReactiveRateLimitAutoConfiguration.class })
@ConditionalOnProperty(name = "ratelimit.enabled", matchIfMissing = true)
@ConditionalOnClass({ ServerInterceptor.class, GlobalServerInterceptor.class })
@RegisterReflection(classes = GrpcCall.class, memberCategories = MemberCategory.INVOKE_PUBLIC_METHODS)
public final class GrpcRateLimitAutoConfiguration {

	/**
	 * Create the interceptor. Beans are looked up late, because the server needs its
	 * interceptors before other beans.
	 */
	@Bean
	@ConditionalOnMissingBean
	@GlobalServerInterceptor
	GrpcLimitInterceptor rateLimitGrpcInterceptor(RateLimitProperties properties, ConfigurableListableBeanFactory beans,
			LimitHeaders headers) {
		return new GrpcLimitInterceptor(() -> rules(properties.grpc().calls(), beans),
				() -> beans.getBean(CallLimiter.class), () -> AnnotationConfiguration.executor(beans),
				new GrpcFailures(headers), properties.web().ipv6Prefix());
	}

	/**
	 * Create the formats of the headers, for their rules that clients may not know, where
	 * there is no web server.
	 */
	@Bean
	@ConditionalOnMissingBean
	LimitHeaders rateLimitHeaders(RateLimitProperties properties) {
		LimitHeaders headers = new LimitHeaders(properties.web().headers());
		headers.configure(RuleProperties.headers(properties.rules()));
		return headers;
	}

	/**
	 * Verify the rules after those of annotations, which they may name.
	 */
	@Bean
	SmartInitializingSingleton rateLimitGrpcRulesStart(GrpcLimitInterceptor interceptor) {
		return interceptor::verify;
	}

	private static List<GrpcRule> rules(List<RateLimitProperties.GrpcCalls> entries,
			ConfigurableListableBeanFactory beans) {
		RegisteredRules registered = new RegisteredRules(beans.getBean(RuleRegistry.class));
		ExpressionBeans ofExpressions = new ExpressionBeans(beans);
		List<MethodDescriptor<?, ?>> served = entries.isEmpty() ? List.of() : served(beans);
		return Mistakes.read("ratelimit.grpc.calls", entries,
				(location, entry) -> rule(location, entry, registered, ofExpressions, served));
	}

	/**
	 * Return the methods of all services, which are beans: Spring gRPC gives no others
	 * this interceptor.
	 */
	private static List<MethodDescriptor<?, ?>> served(ConfigurableListableBeanFactory beans) {
		List<MethodDescriptor<?, ?>> served = new ArrayList<>();
		beans.getBeanProvider(BindableService.class)
			.forEach((service) -> service.bindService()
				.getMethods()
				.forEach((method) -> served.add(method.getMethodDescriptor())));
		return served;
	}

	private static GrpcRule rule(String location, RateLimitProperties.GrpcCalls entry, RegisteredRules registered,
			ExpressionBeans beans, List<MethodDescriptor<?, ?>> served) {
		RateLimitOperation operation = RateLimitOperation.ofRemoteCalls(registered.limiter(location, entry.rule()),
				location, entry.key(), entry.unless(), beans);
		try {
			GrpcRule rule = GrpcRule.of(entry.method(), operation);
			if (!served.isEmpty()) {
				rule.checkApplies(served);
			}
			return rule;
		}
		catch (InvalidAttributeException ex) {
			throw ex.at(location + ".method");
		}
	}

}
