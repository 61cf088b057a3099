package io.github.ratelimit.interceptor;

import java.util.List;

import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;

/**
 * Post processor that moves the retries of Spring Framework 7 directly behind limiting,
 * on beans with limited methods. By default {@code @Retryable} precedes all other advice,
 * regardless of its order: each attempt would be counted, and a denial would be retried.
 *
 * <p>
 * Retries stay where they are if limiting is ordered behind them, or behind transactions,
 * which would otherwise span all attempts.
 *
 * @since 0.1.0
 */
public final class RetryPlacement implements BeanPostProcessor {

	/** Class name of the post processor that adds the retries, in Spring Framework 7. */
	public static final String RETRIES = "org.springframework.resilience.annotation.RetryAnnotationBeanPostProcessor";

	private static final String TRANSACTIONS = "org.springframework.transaction.interceptor.TransactionInterceptor";

	/** Default order of the retries, which applies only among post processors. */
	private static final int ORDER_OF_RETRIES = Ordered.LOWEST_PRECEDENCE - 1;

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof Advised proxy && !proxy.isFrozen()) {
			place(proxy);
		}
		return bean;
	}

	private static void place(Advised proxy) {
		List<Advisor> advisors = List.of(proxy.getAdvisors());
		int limiting = limiting(advisors);
		if (limiting < 0) {
			return;
		}
		List<Advisor> before = advisors.subList(0, limiting);
		if (before.stream().noneMatch((advisor) -> isAdvice(advisor, TRANSACTIONS))) {
			before.stream().filter((advisor) -> isAdvice(advisor, RETRIES)).forEach((retries) -> {
				proxy.removeAdvisor(retries);
				proxy.addAdvisor(limiting, retries);
			});
		}
	}

	private static int limiting(List<Advisor> advisors) {
		for (int i = 0; i < advisors.size(); i++) {
			if (advisors.get(i) instanceof PointcutAdvisor advisor
					&& advisor.getPointcut() instanceof RateLimitPointcut) {
				return (advisor instanceof Ordered ordered && ordered.getOrder() < ORDER_OF_RETRIES) ? i : -1;
			}
		}
		return -1;
	}

	private static boolean isAdvice(Advisor advisor, String type) {
		return advisor.getAdvice().getClass().getName().startsWith(type);
	}

}
