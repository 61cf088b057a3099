package io.github.ratelimit.autoconfigure;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;

import io.github.ratelimit.interceptor.ForgottenBeans;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.core.type.classreading.CachingMetadataReaderFactory;
import org.springframework.core.type.classreading.MetadataReaderFactory;

/**
 * Tells which annotated classes of the application are no beans. It never ends the start:
 * a class may become a bean under another profile, or be made on demand by a factory that
 * applies proxies.
 */
final class ForgottenBeanWarning implements SmartInitializingSingleton {

	private static final Logger logger = System.getLogger(ForgottenBeanWarning.class.getName());

	/**
	 * What has read the application's classes already when it looked for components.
	 */
	private static final String READER = "org.springframework.boot.autoconfigure.internalCachingMetadataReaderFactory";

	private final ConfigurableListableBeanFactory beans;

	ForgottenBeanWarning(ConfigurableListableBeanFactory beans) {
		this.beans = beans;
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (!AutoConfigurationPackages.has(this.beans)) {
			return;
		}
		Set<String> forgotten = new ForgottenBeans(reader()).find(AutoConfigurationPackages.get(this.beans),
				this.beans);
		if (!forgotten.isEmpty()) {
			logger.log(Level.WARNING,
					"No bean of the application is a " + String.join(", or a ", forgotten)
							+ ", so no proxy sees the calls of its methods, and @RateLimited does not limit them. "
							+ "Make it a bean, with @Component for example, and call that.");
		}
	}

	private MetadataReaderFactory reader() {
		return this.beans.containsBean(READER) ? this.beans.getBean(READER, MetadataReaderFactory.class)
				: new CachingMetadataReaderFactory(this.beans.getBeanClassLoader());
	}

}
