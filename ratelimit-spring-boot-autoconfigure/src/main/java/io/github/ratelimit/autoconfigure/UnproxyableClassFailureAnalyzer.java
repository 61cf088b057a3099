package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.interceptor.RateLimitPointcut;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopConfigException;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Description and action for a bean with limited methods whose class cannot be extended,
 * so that Spring cannot create a proxy for it.
 */
class UnproxyableClassFailureAnalyzer extends AbstractFailureAnalyzer<AopConfigException> {

	private final @Nullable BeanFactory beans;

	UnproxyableClassFailureAnalyzer(@Nullable BeanFactory beans) {
		this.beans = beans;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, AopConfigException cause) {
		Class<?> type = type(rootFailure);
		if (type == null || !new RateLimitPointcut().getClassFilter().matches(type)) {
			return null;
		}
		RateLimitConfigurationException mistake = UnproxyableClass.mistake(type);
		return (mistake != null) ? new FailureAnalysis(mistake.description(), mistake.action(), cause) : null;
	}

	/**
	 * The class of the bean whose creation failed, the innermost one.
	 */
	private @Nullable Class<?> type(Throwable failure) {
		String bean = null;
		for (Throwable each = failure; each != null; each = each.getCause()) {
			if (each instanceof BeanCreationException creation && creation.getBeanName() != null) {
				bean = creation.getBeanName();
			}
		}
		return (bean != null && this.beans instanceof ConfigurableListableBeanFactory all
				&& all.containsBeanDefinition(bean)) ? AutoProxyUtils.determineTargetClass(all, bean) : null;
	}

}
