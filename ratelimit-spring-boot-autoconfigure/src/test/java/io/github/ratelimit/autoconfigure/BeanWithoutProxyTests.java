package io.github.ratelimit.autoconfigure;

import java.util.function.Supplier;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.engine.RecordedLog;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.Ordered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.mock;

/**
 * Beans with limited methods that are aspects, or that Spring creates before its proxies,
 * because a processor of beans needs them, would not be limited, and stop startup.
 */
class BeanWithoutProxyTests {

	private static final String PROBLEM = "Invalid @RateLimited in " + Audit.class.getName()
			+ ": Spring creates the bean 'audit' before it creates proxies, because 'processor', which processes beans, "
			+ "needs it, so no proxy sees its calls and it would not be limited.";

	private final ApplicationContextRunner runner = LimitedApplication.runner();

	@AutoClose
	private final RecordedLog log = new RecordedLog(Mistakes.class);

	@ParameterizedTest
	@ValueSource(classes = { Needed.class, NeededByAnother.class, NeededForDefinitions.class })
	void beanThatAProcessorNeedsStopsStartup(Class<?> configuration) {
		this.runner.withUserConfiguration(configuration)
			.run((context) -> assertThat(context.getStartupFailure())
				.isInstanceOfSatisfying(RateLimitConfigurationException.class, (mistake) -> {
					assertThat(mistake.description()).isEqualTo(PROBLEM);
					assertThat(mistake.action()).isEqualTo(
							"Inject it with @Lazy, or as an ObjectProvider that is asked later, into 'processor' or the "
									+ "bean between them.");
				}));
	}

	@Test
	void beanThatAProcessorNeedsIsAWarningAndRunsUnlimited() {
		this.runner.withPropertyValues("ratelimit.verification=warn")
			.withUserConfiguration(Needed.class)
			.run((context) -> {
				context.getBean(Audit.class).write();
				context.getBean(Audit.class).write();
			});
		assertThat(this.log.lines()).singleElement().asString().startsWith("WARNING " + PROBLEM);
	}

	@Test
	void scopedProxyOfAnInterfaceIsLimited() {
		this.runner.withUserConfiguration(ScopedInterface.class).run((context) -> {
			Reply limited = context.getBean("limited", Reply.class);
			limited.send();
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(limited::send);
		});
	}

	@Test
	void interceptorStopsStartup() {
		this.runner.withUserConfiguration(Interceptor.class)
			.run((context) -> assertThat(context.getStartupFailure()).isInstanceOfSatisfying(
					RateLimitConfigurationException.class,
					(mistake) -> assertThat(mistake.description())
						.isEqualTo("Invalid @RateLimited in " + Interceptor.class.getName()
								+ ": Spring creates no proxy for an aspect, so it would not be " + "limited.")));
	}

	@ParameterizedTest
	@ValueSource(
			classes = { NeededLater.class, NeededLazily.class, NeededWhenUsed.class, Scoped.class, LazyProduct.class })
	void beanThatHasAProxyIsLimited(Class<?> configuration) {
		this.runner.withUserConfiguration(configuration).run((context) -> {
			Audit audit = context.getBean(Audit.class);
			audit.write();
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(audit::write);
		});
	}

	@Test
	void beanThatAProcessorWrapsAfterItsProxyIsFine() {
		this.runner.withUserConfiguration(Wrapped.class)
			.withPropertyValues("spring.aop.proxy-target-class=false")
			.run((context) -> {
				Supplier<?> limited = context.getBean(Supplier.class);
				limited.get();
				assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(limited::get);
			});
	}

	@ParameterizedTest
	@ValueSource(classes = { Plain.class, NeededLater.class })
	void mockInPlaceOfALimitedBeanIsFine(Class<?> configuration) {
		this.runner.withUserConfiguration(configuration)
			.withInitializer((context) -> context
				.addBeanFactoryPostProcessor((beans) -> beans.registerSingleton("audit", mock(Audit.class))))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				context.getBean(Audit.class).write();
				context.getBean(Audit.class).write();
			});
	}

	@Test
	void nothingIsRefusedIfLimitsAreOff() {
		this.runner.withPropertyValues("ratelimit.enabled=off")
			.withUserConfiguration(Needed.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	interface Reply {

		@RateLimited(max = 1, period = 60)
		void send();

	}

	@Configuration(proxyBeanMethods = false)
	static class ScopedInterface {

		@Bean
		@Scope(scopeName = "singleton", proxyMode = ScopedProxyMode.INTERFACES)
		Reply limited() {
			return () -> {
			};
		}

	}

	static class Interceptor implements MethodInterceptor {

		@Override
		@RateLimited(max = 1, period = 60)
		public Object invoke(MethodInvocation invocation) throws Throwable {
			return invocation.proceed();
		}

	}

	static class Audit {

		@RateLimited(name = "audit", max = 1, period = 60)
		public void write() {
		}

	}

	record Processor(Object needed) implements BeanPostProcessor {

	}

	record EarlyProcessor(Object needed) implements BeanPostProcessor, Ordered {

		@Override
		public int getOrder() {
			return HIGHEST_PRECEDENCE;
		}

	}

	record DefinitionProcessor(Object needed) implements BeanFactoryPostProcessor {

		@Override
		public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
		}

	}

	record Other(Audit audit) {

	}

	@Configuration(proxyBeanMethods = false)
	static class Plain {

		@Bean
		Audit audit() {
			return new Audit();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Needed extends Plain {

		@Bean
		static EarlyProcessor processor(Audit audit) {
			return new EarlyProcessor(audit);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NeededByAnother extends Plain {

		@Bean
		Other other(Audit audit) {
			return new Other(audit);
		}

		@Bean
		static EarlyProcessor processor(Other other) {
			return new EarlyProcessor(other);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NeededForDefinitions extends Plain {

		@Bean
		static DefinitionProcessor processor(Audit audit) {
			return new DefinitionProcessor(audit);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NeededLater extends Plain {

		@Bean
		static Processor processor(Audit audit) {
			return new Processor(audit);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NeededLazily extends Plain {

		@Bean
		static EarlyProcessor processor(@Lazy Audit audit) {
			return new EarlyProcessor(audit);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NeededWhenUsed extends Plain {

		@Bean
		static EarlyProcessor processor(ObjectProvider<Audit> audit) {
			return new EarlyProcessor(audit);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Scoped {

		@Bean
		@Scope(scopeName = "singleton", proxyMode = ScopedProxyMode.TARGET_CLASS)
		Audit audit() {
			return new Audit();
		}

		@Bean
		static EarlyProcessor processor(Audit audit) {
			return new EarlyProcessor(audit);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LazyProduct {

		@Bean
		FactoryBean<Audit> audit() {
			return new AuditFactory();
		}

		@Bean
		static EarlyProcessor processor(ObjectProvider<Audit> audit) {
			return new EarlyProcessor(audit);
		}

	}

	static class AuditFactory implements FactoryBean<Audit> {

		@Override
		public Audit getObject() {
			return new Audit();
		}

		@Override
		public Class<?> getObjectType() {
			return Audit.class;
		}

	}

	static class Limited implements Supplier<String> {

		@Override
		@RateLimited(name = "limited", max = 1, period = 60)
		public String get() {
			return "called";
		}

	}

	record Wrapper(Supplier<?> wrapped) implements Supplier<Object> {

		@Override
		public Object get() {
			return this.wrapped.get();
		}

	}

	record WrappingProcessor(Object needed) implements BeanPostProcessor {

		@Override
		public Object postProcessAfterInitialization(Object bean, String name) {
			return name.equals("limited") ? new Wrapper((Supplier<?>) bean) : bean;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Wrapped {

		@Bean
		Limited limited() {
			return new Limited();
		}

		@Bean
		static WrappingProcessor wrapping() {
			return new WrappingProcessor("nothing");
		}

		@Bean
		static Processor processor(Supplier<?> limited) {
			return new Processor(limited);
		}

	}

}
