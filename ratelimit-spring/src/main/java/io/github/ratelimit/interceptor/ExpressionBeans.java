package io.github.ratelimit.interceptor;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import io.github.ratelimit.engine.NearestName;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;

/**
 * Beans of the application in expressions, as {@code @bean}. Their names and, if they
 * have been created, their methods are checked when an expression is compiled.
 *
 * @since 0.1.0
 */
public final class ExpressionBeans extends BeanFactoryResolver {

	private final ConfigurableListableBeanFactory beans;

	public ExpressionBeans(ConfigurableListableBeanFactory beans) {
		super(beans);
		this.beans = beans;
	}

	@Nullable ClassLoader classLoader() {
		return this.beans.getBeanClassLoader();
	}

	/**
	 * Return whether there is a bean. Bean factories fail where the name of a factory
	 * bean lacks.
	 */
	boolean contain(String name) {
		return !name.replace("&", "").isEmpty() && this.beans.containsBean(name);
	}

	Optional<String> nearest(String name) {
		return NearestName.of(name, List.of(this.beans.getBeanDefinitionNames()));
	}

	Set<String> prefixVariables(Class<?> handler) {
		return this.beans.getBeanProvider(PathPrefixes.class)
			.stream()
			.flatMap((prefixes) -> prefixes.variables(handler).stream())
			.collect(Collectors.toSet());
	}

	/**
	 * Return the class of a bean.
	 * @return {@code null} if it is not known, because the bean has not been created
	 */
	@Nullable Class<?> type(String name) {
		Object bean = this.beans.containsSingleton(name) ? this.beans.getSingleton(name) : null;
		return (bean == null || bean instanceof FactoryBean) ? null : bean.getClass();
	}

}
