package io.github.ratelimit.interceptor;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.annotation.AliasFor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One call takes one unit, wherever the annotation is written and however the bean is
 * proxied.
 */
class AnnotatedElementTests {

	private final CountingStore store = new CountingStore();

	@ParameterizedTest
	@MethodSource
	void oneCallTakesOnePermit(Place place) {
		LimitedContext.with(this.store, place.bean)
			.withPropertyValues("spring.aop.proxy-target-class=" + !place.jdkProxy)
			.run((context) -> {
				place.call.accept(context);
				assertThat(this.store.rules()).containsExactly(place.rule);
				assertThat(context.getBean(RateLimiterRegistry.class).limiter(place.rule).rule().limits().get(0).max())
					.isEqualTo(5);
			});
	}

	static Stream<Place> oneCallTakesOnePermit() {
		return Stream.of(
				new Place("method of a class", OwnMethod.class, (beans) -> beans.getBean(OwnMethod.class).call(),
						"own-method-call"),
				new Place("method that is not public", Hidden.class, (beans) -> beans.getBean(Hidden.class).call(),
						"hidden-call"),
				new Place("method of a proxied interface's class", Greeter.class,
						(beans) -> jdkProxy(beans, Greeting.class).greet("x"), "greeter-greet")
					.withJdkProxy(),
				new Place("method of an interface", Implementation.class,
						(beans) -> beans.getBean(Implementation.class).call(), "contract-call"),
				new Place("method of a proxied interface", Implementation.class,
						(beans) -> jdkProxy(beans, Contract.class).call(), "contract-call")
					.withJdkProxy(),
				new Place("default method", Implementation.class,
						(beans) -> beans.getBean(Implementation.class).given(), "contract-given"),
				new Place("interface", OfLimitedInterface.class,
						(beans) -> beans.getBean(OfLimitedInterface.class).declared(), "limited-interface"),
				new Place("second of two interfaces", OfTwoInterfaces.class,
						(beans) -> beans.getBean(OfTwoInterfaces.class).second(), "second-interface"),
				new Place("generic interface", OfGenericInterface.class,
						(beans) -> beans.getBean(OfGenericInterface.class).take("x"), "generic-interface"),
				new Place("class", OfLimitedClass.class, (beans) -> beans.getBean(OfLimitedClass.class).call(),
						"of-limited-class"),
				new Place("class, method of the superclass", OfLimitedClass.class,
						(beans) -> beans.getBean(OfLimitedClass.class).inherited(), "of-limited-class"),
				new Place("class, method with its own annotation", OfLimitedClass.class,
						(beans) -> beans.getBean(OfLimitedClass.class).own(), "own"),
				new Place("superclass", Inheriting.class, (beans) -> beans.getBean(Inheriting.class).call(),
						"of-limited-class"),
				new Place("inherited method", Heir.class, (beans) -> beans.getBean(Heir.class).inherited(),
						"ancestor-inherited"),
				new Place("overridden method", Heir.class, (beans) -> beans.getBean(Heir.class).overridden(),
						"ancestor-overridden"),
				new Place("generic interface's method behind a bridge", TextHandler.class,
						(beans) -> handle(beans.getBean(TextHandler.class), "x"), "handler-handle"),
				new Place("generic interface's method behind a JDK proxy", TextHandler.class,
						(beans) -> handle(jdkProxy(beans, Handler.class), "x"), "handler-handle")
					.withJdkProxy(),
				new Place("method of an interface that narrows a generic one", OfNarrowing.class,
						(beans) -> beans.getBean(OfNarrowing.class).get(), "narrowing-get"),
				new Place("method of a proxied interface that narrows a generic one", OfNarrowing.class,
						(beans) -> jdkProxy(beans, Narrowing.class).get(), "narrowing-get")
					.withJdkProxy(),
				new Place("overridden method that narrows a generic one", HeirOfNarrowed.class,
						(beans) -> beans.getBean(HeirOfNarrowed.class).get(), "narrowed-get"),
				new Place("overridden method of a public class with a superclass that is not", HeirOfRevealing.class,
						(beans) -> beans.getBean(HeirOfRevealing.class).call(), "revealing-call"),
				new Place("scoped bean whose interface narrows a generic one", ScopedNarrowing.class,
						(beans) -> beans.getBean(Narrowing.class).get(), "narrowing-get"),
				new Place("meta-annotation", Composed.class, (beans) -> beans.getBean(Composed.class).call(), "named"),
				new Place("overload", Overloaded.class, (beans) -> beans.getBean(Overloaded.class).call(1),
						"with-number"),
				new Place("factory bean's product", ProductFactory.class,
						(beans) -> beans.getBean(OwnMethod.class).call(), "own-method-call"),
				new Place("scoped bean", Scoped.class, (beans) -> beans.getBean(Scoped.class).call(), "scoped-call"));
	}

	@ParameterizedTest
	@MethodSource
	void callThatNoAnnotationHoldsForTakesNone(Place place) {
		LimitedContext.with(this.store, place.bean).run((context) -> {
			place.call.accept(context);
			assertThat(this.store.rules()).isEmpty();
		});
	}

	static Stream<Place> callThatNoAnnotationHoldsForTakesNone() {
		return Stream.of(
				new Place("self-invocation", OwnMethod.class, (beans) -> beans.getBean(OwnMethod.class).callSelf(), ""),
				new Place("overload", Overloaded.class, (beans) -> beans.getBean(Overloaded.class).call(), ""),
				new Place("method an annotated interface does not declare", OfLimitedInterface.class,
						(beans) -> beans.getBean(OfLimitedInterface.class).other(), ""),
				new Place("method of an annotated class that is not public", OfLimitedClass.class,
						(beans) -> beans.getBean(OfLimitedClass.class).hidden(), ""),
				new Place("toString", OfLimitedClass.class, (beans) -> beans.getBean(OfLimitedClass.class).toString(),
						""));
	}

	private static <T> T jdkProxy(ApplicationContext beans, Class<T> type) {
		T bean = beans.getBean(type);
		assertThat(AopUtils.isJdkDynamicProxy(bean)).isTrue();
		return bean;
	}

	@SuppressWarnings("unchecked")
	private static void handle(Handler<?> handler, String value) {
		((Handler<String>) handler).handle(value);
	}

	private record Place(String name, Class<?> bean, Consumer<ApplicationContext> call, String rule, boolean jdkProxy) {

		Place(String name, Class<?> bean, Consumer<ApplicationContext> call, String rule) {
			this(name, bean, call, rule, false);
		}

		Place withJdkProxy() {
			return new Place(this.name, this.bean, this.call, this.rule, true);
		}

		@Override
		public String toString() {
			return this.name;
		}

	}

	static class OwnMethod {

		@RateLimited(max = 5, period = 60)
		public void call() {
		}

		public void callSelf() {
			call();
		}

	}

	static class Hidden {

		@RateLimited(max = 5, period = 60)
		void call() {
		}

	}

	interface Greeting {

		void greet(String name);

	}

	static class Greeter implements Greeting {

		@Override
		@RateLimited(key = "#name", max = 5, period = 60)
		public void greet(String name) {
		}

	}

	interface Contract {

		@RateLimited(max = 5, period = 60)
		void call();

		@RateLimited(max = 5, period = 60)
		default void given() {
		}

	}

	static class Implementation implements Contract {

		@Override
		public void call() {
		}

	}

	@RateLimited(max = 5, period = 60)
	interface LimitedInterface {

		void declared();

	}

	static class OfLimitedInterface implements LimitedInterface {

		@Override
		public void declared() {
		}

		public void other() {
		}

	}

	@RateLimited(max = 5, period = 60)
	interface SecondInterface {

		void second();

	}

	static class OfTwoInterfaces implements LimitedInterface, SecondInterface {

		@Override
		public void declared() {
		}

		@Override
		public void second() {
		}

	}

	@RateLimited(max = 5, period = 60)
	interface GenericInterface<T> {

		void take(T value);

	}

	static class OfGenericInterface implements GenericInterface<String> {

		@Override
		public void take(String value) {
		}

	}

	static class Base {

		public void inherited() {
		}

	}

	@RateLimited(max = 5, period = 60)
	static class OfLimitedClass extends Base {

		public void call() {
		}

		@RateLimited(name = "own", max = 5, period = 60)
		public void own() {
		}

		void hidden() {
		}

	}

	static class Inheriting extends OfLimitedClass {

	}

	static class Ancestor {

		@RateLimited(max = 5, period = 60)
		public void inherited() {
		}

		@RateLimited(max = 5, period = 60)
		public void overridden() {
		}

	}

	static class Heir extends Ancestor {

		@Override
		public void overridden() {
		}

	}

	interface Handler<T> {

		@RateLimited(key = "#value", max = 5, period = 60)
		void handle(T value);

	}

	static class TextHandler implements Handler<String> {

		@Override
		public void handle(String value) {
		}

	}

	interface Narrowing extends Supplier<String> {

		@Override
		@RateLimited(max = 5, period = 60)
		String get();

	}

	static class OfNarrowing implements Narrowing {

		@Override
		public String get() {
			return "x";
		}

	}

	@Scope(value = "prototype", proxyMode = ScopedProxyMode.INTERFACES)
	static class ScopedNarrowing extends OfNarrowing {

	}

	static class Narrowed implements Supplier<String> {

		@Override
		@RateLimited(max = 5, period = 60)
		public String get() {
			return "x";
		}

	}

	static class HeirOfNarrowed extends Narrowed {

		@Override
		public String get() {
			return "y";
		}

	}

	static class Concealed {

		@RateLimited(max = 5, period = 60)
		public void call() {
		}

	}

	public static class Revealing extends Concealed {

	}

	static class HeirOfRevealing extends Revealing {

		@Override
		public void call() {
		}

	}

	@Retention(RetentionPolicy.RUNTIME)
	@Target(ElementType.METHOD)
	@RateLimited(period = 60)
	@interface PerMinute {

		@AliasFor(annotation = RateLimited.class, attribute = "name")
		String rule();

		@AliasFor(annotation = RateLimited.class, attribute = "max")
		long calls();

	}

	static class Composed {

		@PerMinute(rule = "named", calls = 5)
		public void call() {
		}

	}

	static class Overloaded {

		public void call() {
		}

		@RateLimited(name = "with-number", max = 5, period = 60)
		public void call(int number) {
		}

	}

	static class ProductFactory implements FactoryBean<OwnMethod> {

		@Override
		public OwnMethod getObject() {
			return new OwnMethod();
		}

		@Override
		public Class<?> getObjectType() {
			return OwnMethod.class;
		}

	}

	@Scope(value = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
	static class Scoped {

		@RateLimited(max = 5, period = 60)
		public void call() {
		}

	}

}
