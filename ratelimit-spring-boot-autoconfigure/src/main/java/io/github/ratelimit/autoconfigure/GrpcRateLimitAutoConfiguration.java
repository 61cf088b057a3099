package io.github.ratelimit.autoconfigure;

import java.util.List;

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
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.grpc.server.GlobalServerInterceptor;

/**
 * {@link AutoConfiguration Auto-configuration} for the limits of calls of gRPC servers
 * with Spring gRPC.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { RateLimitAutoConfiguration.class, ServletRateLimitAutoConfiguration.class,
		ReactiveRateLimitAutoConfiguration.class })
@ConditionalOnBean(RateLimitProperties.class)
@Conditional(OnEnabled.class)
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
		return new GrpcLimitInterceptor(() -> rules(properties, beans), () -> beans.getBean(CallLimiter.class),
				() -> AnnotationConfiguration.executor(beans), new GrpcFailures(headers),
				properties.web().ipv6Prefix());
	}

	/**
	 * Create the formats of the headers, for their rules that clients may not know, where
	 * there is no web server.
	 */
	@Bean
	@ConditionalOnMissingBean
	LimitHeaders rateLimitHeaders(RateLimitProperties properties) {
		return AdviceConfiguration.headers(properties);
	}

	@Bean
	SmartInitializingSingleton rateLimitGrpcRulesStart(GrpcLimitInterceptor interceptor) {
		return interceptor.rules()::get;
	}

	private static List<GrpcRule> rules(RateLimitProperties properties, ConfigurableListableBeanFactory beans) {
		List<RateLimitProperties.GrpcCalls> entries = properties.grpc().calls();
		RegisteredRules registered = new RegisteredRules(beans);
		ExpressionBeans ofExpressions = new ExpressionBeans(beans);
		List<MethodDescriptor<?, ?>> served = entries.isEmpty() ? List.of() : served(beans);
		return Mistakes.read(properties.verification(), "ratelimit.grpc.calls", entries, (location, entry) -> {
			GrpcRule rule = GrpcRule.of(entry.method(), RateLimitOperation.ofRemoteCalls(
					registered.limiter(location, entry.rule()), location, entry.key(), entry.unless(), ofExpressions));
			if (!served.isEmpty()) {
				rule.checkApplies(served);
			}
			registered.warnOfOneCounter(rule.operation(), "the key of a call, `key: peer`");
			return rule;
		});
	}

	/**
	 * Return the methods of all services, which are beans: Spring gRPC gives no others
	 * this interceptor.
	 */
	private static List<MethodDescriptor<?, ?>> served(ConfigurableListableBeanFactory beans) {
		return beans.getBeanProvider(BindableService.class)
			.stream()
			.flatMap((service) -> service.bindService().getMethods().stream())
			.<MethodDescriptor<?, ?>>map((method) -> method.getMethodDescriptor())
			.toList();
	}

}
