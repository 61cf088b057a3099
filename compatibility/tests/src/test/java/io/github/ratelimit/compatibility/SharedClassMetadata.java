package io.github.ratelimit.compatibility;

import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.core.type.classreading.CachingMetadataReaderFactory;

/**
 * Lets all applications of a JVM read a class file once. Each would read hundreds of
 * them, which a long class path makes slow.
 */
final class SharedClassMetadata extends CachingMetadataReaderFactory {

	// under this name, Spring Boot registers one for each application that has none
	private static final String BEAN_NAME = "org.springframework.boot.autoconfigure.internalCachingMetadataReaderFactory";

	private static final SharedClassMetadata SHARED = new SharedClassMetadata();

	private SharedClassMetadata() {
		super(new DefaultResourceLoader());
	}

	static void registerIn(ConfigurableApplicationContext context) {
		((BeanDefinitionRegistry) context.getBeanFactory()).registerBeanDefinition(BEAN_NAME,
				new RootBeanDefinition(SharedClassMetadata.class, () -> SHARED));
	}

	@Override
	public void clearCache() {
		// the next application uses it as well
	}

}
