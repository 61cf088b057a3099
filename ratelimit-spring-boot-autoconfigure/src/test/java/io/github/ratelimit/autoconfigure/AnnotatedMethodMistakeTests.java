package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/**
 * Annotated methods and classes that cannot be limited, or whose rules cannot be
 * distinguished, stop startup with a message that names the place, the mistake and the
 * correction.
 */
@ExtendWith(OutputCaptureExtension.class)
class AnnotatedMethodMistakeTests {

	@ParameterizedTest
	@MethodSource
	void stopsStartup(AnnotationMistake mistake, CapturedOutput output) {
		mistake.assertStopsStartup(output);
	}

	static Stream<AnnotationMistake> stopsStartup() {
		return AnnotationMistake.table("LimitedMethods",
				"""
						static class PrivateMethod { @RateLimited(max = 5, period = 60) private void call() {} }
						Invalid @RateLimited on PrivateMethod.call(): the method is private, so no proxy sees its calls and it would not be limited.
						Make it public and not private, or annotate the public method that calls it from another bean.

						static class StaticMethod { @RateLimited(max = 5, period = 60) public static void call() {} }
						Invalid @RateLimited on StaticMethod.call(): the method is static, so no proxy sees its calls and it would not be limited.
						Make it public and not static, or annotate the public method that calls it from another bean.

						static class FinalMethod { @RateLimited(max = 5, period = 60) public final void call() {} }
						Invalid @RateLimited on FinalMethod.call(): the method is final, so no proxy sees its calls and it would not be limited.
						Make it public and not final, or annotate the public method that calls it from another bean.

						@RateLimited(max = 5, period = 60) static class FinalOfLimitedClass { public final void call() {} }
						Invalid @RateLimited on FinalOfLimitedClass.call(): the method is final, so no proxy sees its calls and it would not be limited.
						Make it public and not final, or annotate the public method that calls it from another bean.

						@RateLimited(max = 5, period = 60) static abstract class Parent { public final void call() {} }
						static class Inheriting extends Parent { }
						Invalid @RateLimited on Parent.call(): the method is final, so no proxy sees its calls and it would not be limited.
						Make it public and not final, or annotate the public method that calls it from another bean.

						static class ModelMethod { @ModelAttribute @RateLimited(max = 5, period = 60) public void call() {} }
						Invalid @RateLimited on ModelMethod.call(): the method is an @ModelAttribute method, which Spring calls as a part of other requests, so a denial would fail them.
						Remove it, and annotate the handler methods whose requests you want to limit.

						@Configuration static class FullConfiguration { @Bean @RateLimited(max = 5, period = 60) String text() { return ""; } }
						Invalid @RateLimited on FullConfiguration.text(): the method is a @Bean method, which Spring calls to create the bean, so no call of the bean would be limited.
						Remove it, and annotate the methods of the bean's class or interface.

						@Configuration(proxyBeanMethods = false) static class LiteConfiguration { @Bean @RateLimited(max = 5, period = 60) public String text() { return ""; } }
						Invalid @RateLimited on LiteConfiguration.text(): the method is a @Bean method, which Spring calls to create the bean, so no call of the bean would be limited.
						Remove it, and annotate the methods of the bean's class or interface.

						static class StaticBeanMethod { @Bean @RateLimited(max = 5, period = 60) static String text() { return ""; } }
						Invalid @RateLimited on StaticBeanMethod.text(): the method is a @Bean method, which Spring calls to create the bean, so no call of the bean would be limited.
						Remove it, and annotate the methods of the bean's class or interface.

						static class 回复控制器 { @RateLimited(max = 5, period = 60) public void reply() {} }
						@RateLimited on 回复控制器.reply(): no rule name can be derived, since names of rules have only letters from a to z, digits and hyphens.
						Give the rule a name, @RateLimited(name = "reply", ...) for example.

						@Configuration static class Nameless { @Bean Supplier<String> anonymous() { return new Supplier<>() { @RateLimited(max = 5, period = 60) public String get() { return ""; } }; } }
						@RateLimited on LimitedMethods$Nameless$1.get(): no rule name can be derived, since its class is anonymous.
						Give the rule a name, @RateLimited(name = "reply", ...) for example.

						@RateLimited(max = 5, period = 60) static class Callbacks implements Ordered { public int getOrder() { return 1; } void hidden() {} }
						Invalid @RateLimited on Callbacks: it limits no method. On a class it limits public methods, except those that Spring calls: @Bean methods and methods of Spring's interfaces, for example.
						Annotate the methods that you want to limit, or make them public.

						@RateLimited(max = 5, period = 60) interface Marker { }
						static class Marked implements Marker { public void call() {} }
						Invalid @RateLimited on Marker: it limits no method. On an interface it limits the methods that the interface declares, except those that Spring calls: @Bean methods and methods of Spring's interfaces, for example.
						Annotate the methods that you want to limit, or the classes that implement the interface.

						static class Text { @RateLimited(max = 5, period = 60) public String toString() { return ""; } }
						Invalid @RateLimited on Text.toString(): methods of Object are never limited, since logs, collections and debuggers call them.
						Remove it, and annotate the methods that you want to limit.

						static class Hashed { @RateLimited(max = 5, period = 60) public int hashCode() { return 1; } public boolean equals(Object other) { return this == other; } }
						Invalid @RateLimited on Hashed.hashCode(): methods of Object are never limited, since logs, collections and debuggers call them.
						Remove it, and annotate the methods that you want to limit.

						static class Equal { public int hashCode() { return 1; } @RateLimited(max = 5, period = 60) public boolean equals(Object other) { return this == other; } }
						Invalid @RateLimited on Equal.equals(Object): methods of Object are never limited, since logs, collections and debuggers call them.
						Remove it, and annotate the methods that you want to limit.

						interface Description { @RateLimited(max = 5, period = 60) String toString(); }
						static class Described implements Description { }
						Invalid @RateLimited on Description.toString(): methods of Object are never limited, since logs, collections and debuggers call them.
						Remove it, and annotate the methods that you want to limit.

						static class Constructed { @PostConstruct @RateLimited(max = 5, period = 60) public void init() {} }
						Invalid @RateLimited on Constructed.init(): the method is an @PostConstruct method, which Spring calls on the bean itself, without its proxy, so the call would not be limited.
						Remove it, and annotate the methods that other beans call.

						static class Destroyed { @PreDestroy @RateLimited(max = 5, period = 60) public void end() {} }
						Invalid @RateLimited on Destroyed.end(): the method is an @PreDestroy method, which Spring calls on the bean itself, without its proxy, so the call would not be limited.
						Remove it, and annotate the methods that other beans call.

						static class Initializing implements InitializingBean { @RateLimited(max = 5, period = 60) public void afterPropertiesSet() {} }
						Invalid @RateLimited on Initializing.afterPropertiesSet(): the method is a method of InitializingBean, which Spring calls on the bean itself, without its proxy, so the call would not be limited.
						Remove it, and annotate the methods that other beans call.

						static class Disposable implements DisposableBean { @RateLimited(max = 5, period = 60) public void destroy() {} }
						Invalid @RateLimited on Disposable.destroy(): the method is a method of DisposableBean, which Spring calls on the bean itself, without its proxy, so the call would not be limited.
						Remove it, and annotate the methods that other beans call.

						static class Named implements BeanNameAware { @RateLimited(max = 5, period = 60) public void setBeanName(String name) {} }
						Invalid @RateLimited on Named.setBeanName(String): the method is a method of BeanNameAware, which Spring calls on the bean itself, without its proxy, so the call would not be limited.
						Remove it, and annotate the methods that other beans call.

						interface LimitedName extends BeanNameAware { @RateLimited(max = 5, period = 60) void setBeanName(String name); }
						static class OwnNamed implements LimitedName { public void setBeanName(String name) {} }
						Invalid @RateLimited on OwnNamed.setBeanName(String): the method is a method of BeanNameAware, which Spring calls on the bean itself, without its proxy, so the call would not be limited.
						Remove it, and annotate the methods that other beans call.

						static class Connectable { @RateLimited(max = 5, period = 60) public ConnectableFlux<String> call() { return null; } }
						Invalid @RateLimited on Connectable.call(): a denial cannot be returned as ConnectableFlux.
						Return Flux.

						static class OwnFallback { @RateLimited(max = 5, period = 60, fallback = "call") public String call(String text) { return text; } }
						Invalid @RateLimited on OwnFallback.call(String): the fallback "call" is the limited method itself, so denied calls would run unlimited.
						Name another method of the class, or remove fallback: a denied call then throws RateLimitExceededException.

						@RateLimited(max = 5, period = 60, fallback = "instead") static class OwnFallbackOfAClass {
							public String call(String text) { return text; }
							public String instead(String text) { return text; } }
						Invalid @RateLimited on OwnFallbackOfAClass.instead(String): the fallback "instead" is the limited method itself, so denied calls would run unlimited.
						Make it private, since class-level @RateLimited limits public methods only, or annotate the other methods instead of the class.

						static class LimitedFallback {
							@RateLimited(max = 5, period = 60, fallback = "second") public String call(String text) { return text; }
							@RateLimited(max = 5, period = 60) public String second(String text) { return text; } }
						Invalid @RateLimited on LimitedFallback.call(String): the fallback "second" is limited as well, but a fallback is called without a proxy, so it would run unlimited.
						Name a method without @RateLimited. To limit what it does, let it call a limited method of another bean.

						static class Overloads { @RateLimited(max = 5, period = 60) public void call() {} @RateLimited(max = 5, period = 60) public void call(String text) {} }
						@RateLimited on Overloads.call(String) and @RateLimited on Overloads.call() both derive the rule name "overloads-call".
						Give at least one of them a name of its own, @RateLimited(name = "overloads-call-2", ...) for example.

						static class Unlike { @RateLimited(name = "shared", max = 5, period = 60) public void one() {} @RateLimited(name = "shared", max = 6, period = 60) public void two() {} }
						@RateLimited on Unlike.two() and @RateLimited on Unlike.one() both define the rule "shared", but not alike.
						Give them different names, or write the limit once, as ratelimit.rules.shared, and only the name in the annotations.

						static class Twice { @RateLimited(name = "twice", key = "'a'", max = 5, period = 60) @RateLimited(name = "twice", key = "'b'", max = 5, period = 60) public void call() {} }
						Invalid @RateLimited on Twice.call(): two annotations have the same rule name "twice".
						Give each a name of its own, @RateLimited(name = "twice-2", ...) for example, or remove one.

						static class UnnamedTwice { @RateLimited(max = 5, period = 60) @RateLimited(max = 50, period = 3600) public void call() {} }
						Invalid @RateLimited on UnnamedTwice.call(): two annotations derive the same rule name "unnamed-twice-call".
						Give each a name of its own, @RateLimited(name = "unnamed-twice-call-2", ...) for example, or remove one.
						""");
	}

	@Test
	void namesakesOfDifferentPackagesStopStartup(CapturedOutput output) {
		String outer = AnnotatedMethodMistakeTests.class.getName() + '$';
		new AnnotationMistake(List.of(One.Service.class, Two.Service.class), List.of(),
				"@RateLimited on " + outer + "Two$Service.call() and @RateLimited on " + outer
						+ "One$Service.call() both derive the rule name \"service-call\".",
				"Give at least one of them a name of its own, @RateLimited(name = \"service-call-2\", ...) for example.")
			.assertStopsStartup(output);
	}

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
