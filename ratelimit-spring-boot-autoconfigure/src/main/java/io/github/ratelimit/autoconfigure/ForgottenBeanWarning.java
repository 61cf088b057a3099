package io.github.ratelimit.autoconfigure;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.stream.Collectors;

import io.github.ratelimit.interceptor.ForgottenBeans;

import org.springframework.aot.AotDetector;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.core.type.classreading.CachingMetadataReaderFactory;
import org.springframework.core.type.classreading.MetadataReaderFactory;

/**
 * Warning about annotated classes of the application that are not beans. It never stops
 * startup: a class may be a bean in another profile, or be created on demand by a factory
 * that applies proxies. An application that was processed ahead of time does not search:
 * its native image has no class files.
 */
record ForgottenBeanWarning(ConfigurableListableBeanFactory beans) implements SmartInitializingSingleton {

	private static final Logger logger = System.getLogger(ForgottenBeanWarning.class.getName());

	/**
	 * Name of the reader that the component scan has used for the application's classes.
	 */
	private static final String READER = "org.springframework.boot.autoconfigure.internalCachingMetadataReaderFactory";

	private static final int MOST_NAMES = 5;

	@Override
	public void afterSingletonsInstantiated() {
		if (AotDetector.useGeneratedArtifacts() || !AutoConfigurationPackages.has(this.beans)) {
			return;
		}
		MetadataReaderFactory reader = this.beans.containsBean(READER)
				? this.beans.getBean(READER, MetadataReaderFactory.class)
				: new CachingMetadataReaderFactory(this.beans.getBeanClassLoader());
		Set<String> forgotten = new ForgottenBeans(reader).find(AutoConfigurationPackages.get(this.beans), this.beans);
		if (!forgotten.isEmpty()) {
			logger.log(Level.WARNING,
					"No bean of the application is a " + names(forgotten)
							+ ", so no proxy sees the calls of its methods, and @RateLimited does not limit them. "
							+ "Make it a bean, with @Component for example, and call that.");
		}
	}

	private static String names(Set<String> forgotten) {
		int others = forgotten.size() - MOST_NAMES;
		if (others <= 0) {
			return String.join(", or a ", forgotten);
		}
		forgotten.forEach((name) -> logger.log(Level.DEBUG, "Not a bean: " + name));
		return forgotten.stream().limit(MOST_NAMES).collect(Collectors.joining(", or a ")) + ", or one of " + others
				+ " more that are logged at DEBUG";
	}

}
