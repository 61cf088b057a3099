package io.github.ratelimit.autoconfigure;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.github.ratelimit.RateLimitConfigurationException;
import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.Advisor;
import org.springframework.aop.Pointcut;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * Mistake of a bean with limited methods for which Spring creates no proxy: it is an
 * aspect, or a processor of beans needs it, so that it was created earlier. Other beans
 * without a proxy are no mistake: mocks of tests, for example.
 */
final class BeanWithoutProxy {

	private static final List<Class<?>> OF_PROXIES = List.of(Advice.class, Pointcut.class, Advisor.class);

	private BeanWithoutProxy() {
	}

	/**
	 * Return the mistake of a bean for which Spring created no proxy.
	 * @return {@code null} if it is none: if the bean was not created at all, for example
	 */
	static @Nullable RateLimitConfigurationException ofUnlimited(String name, Class<?> type,
			ConfigurableListableBeanFactory beans) {
		if (isAspect(type)) {
			return new RateLimitConfigurationException(
					"Invalid @RateLimited in " + type.getName()
							+ ": Spring creates no proxy for an aspect, so it would not be limited.",
					"Annotate a method of another bean, which the aspect calls.");
		}
		Object bean = beans.getSingleton(name);
		String processor = (bean != null && !(bean instanceof FactoryBean))
				? processorThatNeeds(name, beans, new HashSet<>()) : null;
		return (processor == null) ? null
				: new RateLimitConfigurationException("Invalid @RateLimited in " + type.getName()
						+ ": Spring creates the bean '" + name + "' before it creates proxies, because '" + processor
						+ "', which processes beans, needs it, so no proxy sees its calls and it would not be limited.",
						"Inject it with @Lazy, or as an ObjectProvider that is asked later, into '" + processor
								+ "' or the bean between them.");
	}

	private static boolean isAspect(Class<?> type) {
		return OF_PROXIES.stream().anyMatch((each) -> each.isAssignableFrom(type))
				|| MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY)
					.isPresent("org.aspectj.lang.annotation.Aspect");
	}

	private static @Nullable String processorThatNeeds(String name, ConfigurableListableBeanFactory beans,
			Set<String> visited) {
		for (String dependent : beans.getDependentBeans(name)) {
			if (visited.add(dependent)) {
				String processor = isProcessor(dependent, beans) ? dependent
						: processorThatNeeds(dependent, beans, visited);
				if (processor != null) {
					return processor;
				}
			}
		}
		return null;
	}

	/** Processors of beans without an order are created when there are proxies. */
	private static boolean isProcessor(String name, ConfigurableListableBeanFactory beans) {
		return beans.containsBean(name) && (beans.isTypeMatch(name, BeanFactoryPostProcessor.class)
				|| beans.isTypeMatch(name, BeanPostProcessor.class) && beans.isTypeMatch(name, Ordered.class));
	}

}
