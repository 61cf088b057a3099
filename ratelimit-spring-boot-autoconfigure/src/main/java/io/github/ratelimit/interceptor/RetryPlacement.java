package io.github.ratelimit.interceptor;

import java.util.List;

import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;

/**
 * Puts the retries of Spring Framework 7 directly behind limiting, on beans with limited
 * methods. By itself {@code @Retryable} comes ahead of all other advice, whatever its
 * order: each attempt would take a permit, and a denial would be tried again.
 *
 * <p>
 * Retries stay where they are if limiting is ordered behind them, or behind transactions,
 * which would otherwise span all attempts.
 *
 * @since 0.1.0
 */
public final class RetryPlacement implements BeanPostProcessor {

	/**
	 * What adds the retries, if this version of Spring has them.
	 */
	public static final String RETRIES = "org.springframework.resilience.annotation.RetryAnnotationBeanPostProcessor";

	private static final String TRANSACTIONS = "org.springframework.transaction.interceptor.TransactionInterceptor";

	/**
	 * The order that retries are given by default, though only among post processors.
	 */
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

	/**
	 * Whether it is of that class or of one inside it.
	 */
	private static boolean isAdvice(Advisor advisor, String type) {
		return advisor.getAdvice().getClass().getName().startsWith(type);
	}

}
