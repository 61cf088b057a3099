package io.github.ratelimit.autoconfigure;

import java.util.concurrent.atomic.AtomicBoolean;

import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.NativeDetector;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/**
 * Preload of the expression language in a second thread, while beans are created. Parsing
 * the first expression loads more than fifty classes. Nothing depends on it: compiling
 * the annotations loads the classes that are still missing.
 */
class ExpressionPreload implements ImportBeanDefinitionRegistrar {

	private static final AtomicBoolean STARTED = new AtomicBoolean();

	@Override
	public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
		boolean hasIdleProcessor = Runtime.getRuntime().availableProcessors() > 1;
		if (hasIdleProcessor && !NativeDetector.inNativeImage() && STARTED.compareAndSet(false, true)) {
			Thread thread = new Thread(ExpressionPreload::load, "ratelimit-preload");
			thread.setDaemon(true);
			thread.start();
		}
	}

	private static void load() {
		new SpelExpressionParser().parseExpression("#user + ':'");
	}

}
