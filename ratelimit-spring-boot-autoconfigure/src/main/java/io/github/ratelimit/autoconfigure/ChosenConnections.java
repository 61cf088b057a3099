package io.github.ratelimit.autoconfigure;

import java.util.List;

import io.github.ratelimit.RateLimitConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Connection factory of the store: the one that is named by a property, else the only or
 * primary one.
 */
final class ChosenConnections {

	private static final String PROPERTY = "ratelimit.redis.connection-factory";

	private ChosenConnections() {
	}

	/**
	 * Find the factory.
	 * @return {@code null} if there is none
	 * @throws RateLimitConfigurationException if several could be meant, or none has the
	 * name
	 */
	static @Nullable RedisConnectionFactory find(RateLimitProperties properties, ListableBeanFactory beans) {
		String name = properties.redis().connectionFactory();
		if (name != null) {
			return named(name, beans);
		}
		try {
			return beans.getBeanProvider(RedisConnectionFactory.class).getIfAvailable();
		}
		catch (NoUniqueBeanDefinitionException ex) {
			List<String> names = names(beans);
			throw new RateLimitConfigurationException(
					"Rate limits are counted in one Redis, but there are several RedisConnectionFactory beans: "
							+ String.join(", ", names) + ".",
					"Write " + PROPERTY + ": " + names.get(0)
							+ ", for example, or mark the bean for rate limits with @Primary.");
		}
	}

	private static RedisConnectionFactory named(String name, ListableBeanFactory beans) {
		if (!beans.containsBean(name) || !beans.isTypeMatch(name, RedisConnectionFactory.class)) {
			List<String> names = names(beans);
			throw new RateLimitConfigurationException(
					PROPERTY + " = " + name + " is invalid: there is no RedisConnectionFactory bean of this name.",
					names.isEmpty() ? "Configure spring.data.redis, or define the bean."
							: "Write one of these names: " + String.join(", ", names) + ".");
		}
		return beans.getBean(name, RedisConnectionFactory.class);
	}

	private static List<String> names(ListableBeanFactory beans) {
		return List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, RedisConnectionFactory.class));
	}

}
