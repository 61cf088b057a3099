package io.github.ratelimit.autoconfigure;

import java.util.List;

import io.github.ratelimit.RateLimitConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;

/**
 * Bean by which the store reaches its server: the one that is named by a property, else
 * the only or primary one.
 *
 * @param <T> its type
 * @param several the sentence that precedes the names of several beans
 * @param property the property that names the bean
 * @param configuration the properties by which Spring Boot creates one
 * @param annotation the annotation that chooses one
 */
record ChosenBean<T>(Class<T> type, String several, String property, String configuration, String annotation) {

	/**
	 * @return {@code null} if there is none
	 * @throws RateLimitConfigurationException if several could be meant, or none has the
	 * name
	 */
	@Nullable T find(@Nullable String name, ListableBeanFactory beans) {
		if (name != null) {
			return named(name, beans);
		}
		try {
			return beans.getBeanProvider(this.type).getIfAvailable();
		}
		catch (NoUniqueBeanDefinitionException ex) {
			List<String> names = names(beans);
			throw new RateLimitConfigurationException(this.several + String.join(", ", names) + ".",
					"Write " + this.property + ": " + names.get(0)
							+ ", for example, or mark the bean for rate limits with " + this.annotation + ".");
		}
	}

	private T named(String name, ListableBeanFactory beans) {
		if (!beans.containsBean(name) || !beans.isTypeMatch(name, this.type)) {
			List<String> names = names(beans);
			throw new RateLimitConfigurationException(
					this.property + " = " + name + " is invalid: there is no " + this.type.getSimpleName()
							+ " bean of this name.",
					names.isEmpty() ? "Configure " + this.configuration + ", or define the bean."
							: "Write one of these names: " + String.join(", ", names) + ".");
		}
		return beans.getBean(name, this.type);
	}

	private List<String> names(ListableBeanFactory beans) {
		return List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, this.type));
	}

}
