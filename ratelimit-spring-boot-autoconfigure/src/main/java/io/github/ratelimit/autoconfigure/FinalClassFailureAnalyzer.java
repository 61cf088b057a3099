package io.github.ratelimit.autoconfigure;

import java.lang.reflect.Modifier;

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
 * Description and action for a bean with limited methods whose class is final, so that
 * Spring cannot create a proxy for it.
 */
class FinalClassFailureAnalyzer extends AbstractFailureAnalyzer<AopConfigException> {

	private final @Nullable BeanFactory beans;

	FinalClassFailureAnalyzer(@Nullable BeanFactory beans) {
		this.beans = beans;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, AopConfigException cause) {
		Class<?> type = type(rootFailure);
		if (type == null || !Modifier.isFinal(type.getModifiers())
				|| !new RateLimitPointcut().getClassFilter().matches(type)) {
			return null;
		}
		return new FailureAnalysis(
				"Invalid @RateLimited in " + type.getName() + ": the class is "
						+ (type.isRecord() ? "a record, and so " : "")
						+ "final, and Spring limits methods by a proxy that extends it.",
				(type.isRecord() ? "Write an ordinary class instead of a record"
						: "Make the class non-final (open in Kotlin)")
						+ ". Or let it implement an interface that has the methods, and set "
						+ "spring.aop.proxy-target-class to false: other beans then have to ask for the interface.",
				cause);
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
