package io.github.ratelimit.autoconfigure;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers the creator of proxies unless there is one. Spring Boot registers none with
 * {@code spring.aop.auto=false}, nor for interfaces without AspectJ, and then nothing
 * would be limited. Classes are proxied as Spring Boot does.
 */
class ProxyCreatorRegistrar implements ImportBeanDefinitionRegistrar {

	static final String PROXY_TARGET_CLASS = "spring.aop.proxy-target-class";

	private final Environment environment;

	ProxyCreatorRegistrar(Environment environment) {
		this.environment = environment;
	}

	@Override
	public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
		AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
		if (this.environment.getProperty(PROXY_TARGET_CLASS, Boolean.class, true)) {
			AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
		}
	}

}
