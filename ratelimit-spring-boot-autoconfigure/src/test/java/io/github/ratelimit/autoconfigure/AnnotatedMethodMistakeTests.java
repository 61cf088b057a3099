package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.ratelimit.annotation.RateLimited;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.ConnectableFlux;

import org.springframework.beans.factory.BeanNameAware;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.web.bind.annotation.ModelAttribute;

/**
 * Annotated methods and classes that cannot be limited, or whose rules cannot be
 * distinguished, stop startup with a message that names the place, the mistake and the
 * correction.
 */
@ExtendWith(OutputCaptureExtension.class)
class AnnotatedMethodMistakeTests {

	private static final String NAMESAKES = AnnotatedMethodMistakeTests.class.getName() + "$Namesakes$";

	/**
	 * Class whose name not every file system can hold.
	 */
	private static final Class<?> CHINESE = NamelessParameters.compile("回复控制器", """
			package io.github.ratelimit.autoconfigure;

			class 回复控制器 {

				@io.github.ratelimit.annotation.RateLimited(max = 5, period = 60)
				public void reply() {
				}

			}
			""");

	@ParameterizedTest
	@MethodSource
	void stopsStartup(AnnotationMistake mistake, CapturedOutput output) {
		mistake.assertStopsStartup(output);
	}

	static Stream<AnnotationMistake> stopsStartup() {
		return Stream.of(unreachable(PrivateMethod.class, "PrivateMethod.call()", "private"),
				unreachable(StaticMethod.class, "StaticMethod.call()", "static"),
				unreachable(FinalMethod.class, "FinalMethod.call()", "final"),
				unreachable(FinalOfLimitedClass.class, "FinalOfLimitedClass.call()", "final"),
				unreachable(Inheriting.class, "FinalOfLimitedClass.call()", "final"),
				new AnnotationMistake(
						"Invalid @RateLimited on ModelMethod.call(): the method is an @ModelAttribute method, which Spring "
								+ "calls as a part of other requests, so a denial would fail them.",
						"Remove it, and annotate the handler methods whose requests you want to limit.",
						ModelMethod.class),
				beanMethod(FullConfiguration.class), beanMethod(LiteConfiguration.class),
				beanMethod(StaticBeanMethod.class),
				new AnnotationMistake(
						"@RateLimited on 回复控制器.reply(): no rule name can be derived, since names of rules have only "
								+ "letters from a to z, digits and hyphens.",
						"Give the rule a name, @RateLimited(name = \"reply\", ...) for example.", CHINESE),
				new AnnotationMistake(
						"@RateLimited on AnnotatedMethodMistakeTests$Nameless$1.get(): no rule name can be "
								+ "derived, since its class is anonymous.",
						"Give the rule a name, @RateLimited(name = \"reply\", ...) for example.", Nameless.class),
				new AnnotationMistake(
						"Invalid @RateLimited on Callbacks: it limits no method. On a class it limits public methods, "
								+ "except those that Spring calls: @Bean methods and methods of Spring's interfaces, "
								+ "for example.",
						"Annotate the methods that you want to limit, or make them public.", Callbacks.class),
				new AnnotationMistake(
						"Invalid @RateLimited on Marker: it limits no method. On an interface it limits the methods "
								+ "that the interface declares, except those that Spring calls: @Bean methods and "
								+ "methods of Spring's interfaces, for example.",
						"Annotate the methods that you want to limit, or the classes that implement the interface.",
						Marked.class),
				ofObject(Text.class, "toString()"), ofObject(Hashed.class, "hashCode()"),
				ofObject(Equal.class, "equals(Object)"), ofObject(Described.class, "toString()"),
				onBeanItself(Constructed.class, "init()", "an @PostConstruct method"),
				onBeanItself(Destroyed.class, "end()", "an @PreDestroy method"),
				onBeanItself(Initializing.class, "afterPropertiesSet()", "a method of InitializingBean"),
				onBeanItself(Disposable.class, "destroy()", "a method of DisposableBean"),
				onBeanItself(Named.class, "setBeanName(String)", "a method of BeanNameAware"),
				onBeanItself(OwnNamed.class, "setBeanName(String)", "a method of BeanNameAware"),
				new AnnotationMistake(
						"Invalid @RateLimited on Connectable.call(): a denial cannot be returned as ConnectableFlux.",
						"Return Flux.", Connectable.class),
				new AnnotationMistake(
						"Invalid @RateLimited on OwnFallback.call(String): the fallback \"call\" is the limited method "
								+ "itself, so denied calls would run unlimited.",
						"Name another method of the class, or remove fallback: a denied call then throws "
								+ "RateLimitExceededException.",
						OwnFallback.class),
				new AnnotationMistake(
						"Invalid @RateLimited on OwnFallbackOfAClass.instead(String): the fallback \"instead\" is the "
								+ "limited method itself, so denied calls would run unlimited.",
						"Make it private, since class-level @RateLimited limits public methods only, or annotate the "
								+ "other methods instead of the class.",
						OwnFallbackOfAClass.class),
				new AnnotationMistake(
						"Invalid @RateLimited on LimitedFallback.call(String): the fallback \"second\" is limited as "
								+ "well, but a fallback is called without a proxy, so it would run unlimited.",
						"Name a method without @RateLimited. To limit what it does, let it call a limited method of "
								+ "another bean.",
						LimitedFallback.class),
				new AnnotationMistake(
						"@RateLimited on Overloads.call(String) and @RateLimited on Overloads.call() both derive the "
								+ "rule name \"overloads-call\".",
						"Give at least one of them a name of its own, "
								+ "@RateLimited(name = \"overloads-call-2\", ...) for example.",
						Overloads.class),
				new AnnotationMistake(
						"@RateLimited on Unlike.two() and @RateLimited on Unlike.one() both define the rule \"shared\", "
								+ "but not alike.",
						"Give them different names, or write the limit once, as "
								+ "ratelimit.rules.shared, and only the name in the annotations.",
						Unlike.class),
				new AnnotationMistake(
						"Invalid @RateLimited on Twice.call(): two annotations have the same rule name \"twice\".",
						"Give each a name of its own, @RateLimited(name = \"twice-2\", ...) for example, or remove one.",
						Twice.class),
				new AnnotationMistake(
						"Invalid @RateLimited on UnnamedTwice.call(): two annotations derive the same rule name "
								+ "\"unnamed-twice-call\".",
						"Give each a name of its own, @RateLimited(name = \"unnamed-twice-call-2\", ...) for example, "
								+ "or remove one.",
						UnnamedTwice.class),
				new AnnotationMistake(List.of(Namesakes.One.Service.class, Namesakes.Two.Service.class), List.of(),
						"@RateLimited on " + NAMESAKES + "Two$Service.call() and @RateLimited on " + NAMESAKES
								+ "One$Service.call() both derive the rule name \"service-call\".",
						"Give at least one of them a name of its own, "
								+ "@RateLimited(name = \"service-call-2\", ...) for example."));
	}

	private static AnnotationMistake unreachable(Class<?> bean, String method, String modifier) {
		return new AnnotationMistake(
				"Invalid @RateLimited on " + method + ": the method is " + modifier
						+ ", so no proxy sees its calls and it would not be limited.",
				"Make it public and not " + modifier
						+ ", or annotate the public method that calls it from another bean.",
				bean);
	}

	private static AnnotationMistake ofObject(Class<?> bean, String method) {
		String type = (bean == Described.class) ? "Description" : bean.getSimpleName();
		return new AnnotationMistake(
				"Invalid @RateLimited on " + type + '.' + method + ": methods of Object are never limited, since logs, "
						+ "collections and debuggers call them.",
				"Remove it, and annotate the methods that you want to limit.", bean);
	}

	private static AnnotationMistake onBeanItself(Class<?> bean, String method, String kind) {
		return new AnnotationMistake("Invalid @RateLimited on " + bean.getSimpleName() + '.' + method
				+ ": the method is " + kind
				+ ", which Spring calls on the bean itself, without its proxy, so the call would not be limited.",
				"Remove it, and annotate the methods that other beans call.", bean);
	}

	private static AnnotationMistake beanMethod(Class<?> configuration) {
		return new AnnotationMistake(
				"Invalid @RateLimited on " + configuration.getSimpleName() + ".text(): the method is a @Bean method, "
						+ "which Spring calls to create the bean, so no call of the bean would be limited.",
				"Remove it, and annotate the methods of the bean's class or interface.", configuration);
	}

	@Configuration
	static class FullConfiguration {

		@Bean
		@RateLimited(max = 5, period = 60)
		String text() {
			return "";
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LiteConfiguration {

		@Bean
		@RateLimited(max = 5, period = 60)
		public String text() {
			return "";
		}

	}

	static class StaticBeanMethod {

		@Bean
		@RateLimited(max = 5, period = 60)
		static String text() {
			return "";
		}

	}

	@RateLimited(max = 5, period = 60)
	static class Callbacks implements Ordered {

		@Override
		public int getOrder() {
			return 1;
		}

		void hidden() {
		}

	}

	@RateLimited(max = 5, period = 60)
	interface Marker {

	}

	static class Marked implements Marker {

		public void call() {
		}

	}

	static class Text {

		@Override
		@RateLimited(max = 5, period = 60)
		public String toString() {
			return "";
		}

	}

	static class Hashed {

		@Override
		@RateLimited(max = 5, period = 60)
		public int hashCode() {
			return 1;
		}

		@Override
		public boolean equals(Object other) {
			return this == other;
		}

	}

	static class Equal {

		@Override
		public int hashCode() {
			return 1;
		}

		@Override
		@RateLimited(max = 5, period = 60)
		public boolean equals(Object other) {
			return this == other;
		}

	}

	interface Description {

		@Override
		@RateLimited(max = 5, period = 60)
		String toString();

	}

	static class Described implements Description {

	}

	static class Constructed {

		@PostConstruct
		@RateLimited(max = 5, period = 60)
		public void init() {
		}

	}

	static class Destroyed {

		@PreDestroy
		@RateLimited(max = 5, period = 60)
		public void end() {
		}

	}

	static class Initializing implements InitializingBean {

		@Override
		@RateLimited(max = 5, period = 60)
		public void afterPropertiesSet() {
		}

	}

	static class Disposable implements DisposableBean {

		@Override
		@RateLimited(max = 5, period = 60)
		public void destroy() {
		}

	}

	static class Named implements BeanNameAware {

		@Override
		@RateLimited(max = 5, period = 60)
		public void setBeanName(String name) {
		}

	}

	interface LimitedName extends BeanNameAware {

		@Override
		@RateLimited(max = 5, period = 60)
		void setBeanName(String name);

	}

	static class OwnNamed implements LimitedName {

		@Override
		public void setBeanName(String name) {
		}

	}

	@Configuration
	static class Nameless {

		@Bean
		Supplier<String> anonymous() {
			return new Supplier<>() {

				@Override
				@RateLimited(max = 5, period = 60)
				public String get() {
					return "";
				}

			};
		}

	}

	static class PrivateMethod {

		@RateLimited(max = 5, period = 60)
		private void call() {
		}

	}

	static class StaticMethod {

		@RateLimited(max = 5, period = 60)
		public static void call() {
		}

	}

	static class FinalMethod {

		@RateLimited(max = 5, period = 60)
		public final void call() {
		}

	}

	@RateLimited(max = 5, period = 60)
	static class FinalOfLimitedClass {

		public final void call() {
		}

	}

	static class Inheriting extends FinalOfLimitedClass {

	}

	static class ModelMethod {

		@ModelAttribute
		@RateLimited(max = 1, period = 60)
		public void call() {
		}

	}

	static class Connectable {

		@RateLimited(max = 5, period = 60)
		public ConnectableFlux<String> call() {
			return null;
		}

	}

	static class OwnFallback {

		@RateLimited(max = 5, period = 60, fallback = "call")
		public String call(String text) {
			return text;
		}

	}

	@RateLimited(max = 5, period = 60, fallback = "instead")
	static class OwnFallbackOfAClass {

		public String call(String text) {
			return text;
		}

		public String instead(String text) {
			return text;
		}

	}

	static class LimitedFallback {

		@RateLimited(max = 5, period = 60, fallback = "second")
		public String call(String text) {
			return text;
		}

		@RateLimited(max = 5, period = 60)
		public String second(String text) {
			return text;
		}

	}

	static class Overloads {

		@RateLimited(max = 5, period = 60)
		public void call() {
		}

		@RateLimited(max = 5, period = 60)
		public void call(String text) {
		}

	}

	static class Unlike {

		@RateLimited(name = "shared", max = 5, period = 60)
		public void one() {
		}

		@RateLimited(name = "shared", max = 6, period = 60)
		public void two() {
		}

	}

	static class Twice {

		@RateLimited(name = "twice", key = "'a'", max = 5, period = 60)
		@RateLimited(name = "twice", key = "'b'", max = 5, period = 60)
		public void call() {
		}

	}

	static class UnnamedTwice {

		@RateLimited(max = 5, period = 60)
		@RateLimited(max = 50, period = 3600)
		public void call() {
		}

	}

	static class Namesakes {

		static class One {

			static class Service {

				@RateLimited(max = 5, period = 60)
				public void call() {
				}

			}

		}

		static class Two {

			static class Service {

				@RateLimited(max = 5, period = 60)
				public void call() {
				}

			}

		}

	}

}
