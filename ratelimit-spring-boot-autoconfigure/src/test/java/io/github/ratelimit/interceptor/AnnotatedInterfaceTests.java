package io.github.ratelimit.interceptor;

import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.factory.FactoryBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.annotation.Id;
import org.springframework.data.keyvalue.core.KeyValueTemplate;
import org.springframework.data.keyvalue.repository.query.KeyValuePartTreeQuery;
import org.springframework.data.keyvalue.repository.query.SpelQueryCreator;
import org.springframework.data.keyvalue.repository.support.KeyValueRepositoryFactoryBean;
import org.springframework.data.map.MapKeyValueAdapter;
import org.springframework.data.repository.Repository;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Annotated interfaces with classes, lambdas, proxies and repositories that implement
 * them. Names in expressions are those of the interface's method.
 */
class AnnotatedInterfaceTests {

	private final CountingStore store = new CountingStore();

	@ParameterizedTest
	@MethodSource
	void callIsCountedByTheParameterOfTheInterface(Place place) {
		place.assertCounted();
	}

	static Stream<Place> callIsCountedByTheParameterOfTheInterface() {
		return Stream.of(
				new Place("repository", Repositories.class, (beans) -> beans.getBean(Users.class).findById("laoqian"),
						"users-find-by-id", "Users.findById(String)"),
				new Place("lambda", Lambdas.class, (beans) -> beans.getBean(Greeting.class).greet("laoqian"),
						"greeting-greet", "Greeting.greet(String)"),
				new Place("lambda, default method", Lambdas.class,
						(beans) -> beans.getBean(Greeting.class).politely("laoqian"), "greeting-politely",
						"Greeting.politely(String)"),
				new Place("lambda of a generic interface", Lambdas.class,
						(beans) -> handle(beans.getBean(TextHandler.class), "laoqian"), "handler-handle",
						"TextHandler.handle(String)"),
				new Place("method reference of an interface that only binds a generic one", Lambdas.class,
						(beans) -> beans.getBean(NumberedHandler.class).handle("laoqian"), "handler-handle",
						"Handler.handle(Object)"),
				new Place("JDK proxy", Proxies.class, (beans) -> beans.getBean(Greeting.class).greet("laoqian"),
						"greeting-greet", "Greeting.greet(String)"),
				new Place("JDK proxy of a generic interface, called by the generic one", Proxies.class,
						(beans) -> handle(beans.getBean(TextHandler.class), "laoqian"), "handler-handle",
						"TextHandler.handle(String)"),
				new Place("JDK proxy of a generic interface, called by its own", Proxies.class,
						(beans) -> beans.getBean(TextHandler.class).handle("laoqian"), "handler-handle",
						"TextHandler.handle(String)"),
				new Place("JDK proxy of an interface that narrows a generic one, called by the generic one",
						Proxies.class, (beans) -> apply(beans.getBean(Narrowing.class), "laoqian"), "narrowing-apply",
						"Narrowing.apply(String)"),
				new Place("JDK proxy, method that another interface declares first", Proxies.class,
						(beans) -> beans.getBean(Second.class).call("laoqian"), "second-call", "First.call(String)"),
				new Place("class whose parameter has another name", OtherName.class,
						(beans) -> beans.getBean(OtherName.class).greet("laoqian"), "greeting-greet",
						"OtherName.greet(String)"),
				new Place("class of an interface annotated as a whole", OtherUser.class,
						(beans) -> beans.getBean(OtherUser.class).user("laoqian"), "wholly", "OtherUser.user(String)"),
				new Place("method of a superclass that does not know the interface", Inheriting.class,
						(beans) -> beans.getBean(Second.class).call("laoqian"), "second-call", "Caller.call(String)"),
				new Place("method of a superclass that does not know the interface, called by the class",
						Inheriting.class, (beans) -> beans.getBean(Inheriting.class).call("laoqian"), "second-call",
						"Caller.call(String)"),
				new Place("method of a superclass that does not know the generic interface", InheritingHandler.class,
						(beans) -> handle(beans.getBean(InheritingHandler.class), "laoqian"), "handler-handle",
						"Caller.handle(String)"),
				new Place("method of a generic superclass that does not know the interface", InheritingGeneric.class,
						(beans) -> beans.getBean(Second.class).call("laoqian"), "second-call",
						"GenericCaller.call(Object)"));
	}

	@Test
	void methodOfASuperclassIsLimitedByTheInterfaceBehindAJdkProxyToo() {
		LimitedContext.with(this.store, Inheriting.class)
			.withPropertyValues("spring.aop.proxy-target-class=false")
			.run((context) -> {
				context.getBean(Second.class).call("laoqian");
				assertThat(Proxy.isProxyClass(context.getBean(Second.class).getClass())).isTrue();
				assertThat(this.store.rules()).containsExactly("second-call");
			});
	}

	@Test
	void interfacesThatASuperclassDoesNotKnowLimitItsMethodTogetherWithThoseItKnows() {
		LimitedContext.with(this.store, InheritingBoth.class).run((context) -> {
			context.getBean(InheritingBoth.class).call("laoqian");
			assertThat(this.store.rules()).containsExactlyInAnyOrder("second-call", "third-call");
		});
	}

	@Test
	void annotationOfASuperclassReplacesThatOfAnInterfaceItDoesNotKnow() {
		LimitedContext.with(this.store, InheritingLimited.class).run((context) -> {
			context.getBean(InheritingLimited.class).call("laoqian");
			assertThat(this.store.rules()).containsExactly("limited-caller-call");
		});
	}

	@Test
	void annotationOfASubtypeReplacesThatOfItsSupertypeForAMethodOfASuperclass() {
		LimitedContext.with(this.store, InheritingNarrower.class).run((context) -> {
			context.getBean(InheritingNarrower.class).call("laoqian");
			assertThat(this.store.rules()).containsExactly("narrower-call");
		});
	}

	@Test
	void interfacesThatBothLimitAMethodLimitItTogether() {
		LimitedContext.with(this.store, Both.class).run((context) -> {
			context.getBean(Both.class).call("laoqian");
			assertThat(this.store.rules()).containsExactlyInAnyOrder("second-call", "third-call");
			context.getBean(Both.class).all("laoqian");
			assertThat(this.store.rules()).containsExactlyInAnyOrder("second-call", "third-call", "all", "all-too");
		});
	}

	@Test
	void annotationOfASubtypeReplacesThoseOfItsSupertypesHoweverItIsReached() {
		LimitedContext.with(this.store, Narrowed.class).run((context) -> {
			context.getBean(Narrowed.class).call("laoqian");
			context.getBean(Narrowed.class).all("laoqian");
			assertThat(this.store.rules()).containsExactly("narrower-call", "own");
		});
	}

	@Test
	void nameMeansTheParameterOfTheMethodItIsWrittenOn() {
		LimitedContext.with(this.store, Swapping.class).run((context) -> {
			context.getBean(Swapping.class).transfer("giver", "taker");
			assertThat(this.store.keys()).containsExactly("giver");
		});
	}

	@Test
	void fallbackIsADefaultMethod() {
		this.store.deny("greeting-or-else");
		LimitedContext.with(this.store, Lambdas.class).run((context) -> {
			assertThat(context.getBean(Greeting.class).orElse("laoqian")).isEqualTo("not now, laoqian");
		});
	}

	@SuppressWarnings("unchecked")
	private static void handle(Handler<?> handler, String value) {
		((Handler<String>) handler).handle(value);
	}

	private static void apply(Function<String, String> function, String value) {
		function.apply(value);
	}

	interface Narrowing extends Function<String, String> {

		@Override
		@RateLimited(key = "#login", max = 5, period = 60)
		String apply(String login);

	}

	interface Greeting {

		@RateLimited(key = "#login", max = 5, period = 60)
		String greet(String login);

		@RateLimited(key = "#login", max = 5, period = 60)
		default String politely(String login) {
			return "dear " + login;
		}

		@RateLimited(key = "#login", max = 5, period = 60, fallback = "notNow")
		default String orElse(String login) {
			return login;
		}

		default String notNow(String login) {
			return "not now, " + login;
		}

	}

	interface Handler<T> {

		@RateLimited(key = "#value", max = 5, period = 60)
		String handle(T value);

	}

	interface TextHandler extends Handler<String> {

		@Override
		String handle(String value);

	}

	interface NumberedHandler extends Handler<String> {

	}

	interface First {

		String call(String user);

	}

	interface Second {

		@RateLimited(key = "#login", max = 5, period = 60)
		String call(String login);

	}

	interface Third {

		@RateLimited(key = "#user", max = 5, period = 60)
		String call(String user);

	}

	interface SecondToo extends Second {

	}

	@RateLimited(name = "all", key = "#user", max = 5, period = 60)
	interface All {

		void all(String user);

	}

	@RateLimited(name = "all-too", key = "#user", max = 5, period = 60)
	interface AllToo {

		void all(String user);

	}

	static class Both implements SecondToo, Second, Third, All, AllToo {

		@Override
		public String call(String user) {
			return user;
		}

		@Override
		public void all(String user) {
		}

	}

	interface Narrower extends Second {

		@Override
		@RateLimited(key = "#user", max = 5, period = 60)
		String call(String user);

	}

	@RateLimited(name = "own", key = "#user", max = 5, period = 60)
	static class Own {

	}

	static class Narrowed extends Own implements Second, Narrower, All {

		@Override
		public String call(String user) {
			return user;
		}

		@Override
		public void all(String user) {
		}

	}

	public interface Users extends Repository<User, String> {

		@RateLimited(key = "#login", max = 5, period = 60)
		Optional<User> findById(String login);

	}

	record User(@Id String login) {

	}

	interface Transfer {

		@RateLimited(key = "#from", max = 5, period = 60)
		void transfer(String from, String to);

	}

	static class Swapping implements Transfer {

		@Override
		public void transfer(String to, String from) {
		}

	}

	static class OtherName implements Greeting {

		@Override
		public String greet(String name) {
			return name;
		}

	}

	@RateLimited(key = "#login", max = 5, period = 60)
	interface Wholly {

		String user(String login);

	}

	static class OtherUser implements Wholly {

		@Override
		public String user(String name) {
			return name;
		}

	}

	static class Caller {

		public String call(String user) {
			return user;
		}

		public String handle(String user) {
			return user;
		}

	}

	static class Inheriting extends Caller implements Second {

	}

	static class InheritingHandler extends Caller implements Handler<String> {

	}

	static class InheritingNarrower extends Caller implements Second, SecondToo, Narrower {

	}

	static class GenericCaller<T> {

		public String call(T user) {
			return user.toString();
		}

	}

	static class InheritingGeneric extends GenericCaller<String> implements Second {

	}

	static class ThirdCaller implements Third {

		@Override
		public String call(String user) {
			return user;
		}

	}

	static class InheritingBoth extends ThirdCaller implements SecondToo, Second {

	}

	static class LimitedCaller {

		@RateLimited(key = "#user", max = 5, period = 60)
		public String call(String user) {
			return user;
		}

	}

	static class InheritingLimited extends LimitedCaller implements Second {

	}

	@Configuration(proxyBeanMethods = false)
	static class Repositories {

		@Bean
		FactoryBean<Users> users() {
			KeyValueRepositoryFactoryBean<Users, User, String> users = new KeyValueRepositoryFactoryBean<>(Users.class);
			users.setKeyValueOperations(new KeyValueTemplate(new MapKeyValueAdapter()));
			users.setQueryCreator(SpelQueryCreator.class);
			users.setQueryType(KeyValuePartTreeQuery.class);
			return users;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Lambdas {

		@Bean
		Greeting greeting() {
			return (login) -> "hello " + login;
		}

		@Bean
		TextHandler textHandler() {
			return (value) -> value;
		}

		@Bean
		NumberedHandler numberedHandler() {
			return String::valueOf;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Proxies {

		@Bean
		Greeting greeting() {
			return (Greeting) proxy(Greeting.class);
		}

		@Bean
		TextHandler textHandler() {
			return (TextHandler) proxy(TextHandler.class);
		}

		@Bean
		Narrowing narrowing() {
			return (Narrowing) proxy(Narrowing.class);
		}

		@Bean
		Second second() {
			return (Second) proxy(First.class, Second.class);
		}

	}

	private static Object proxy(Class<?>... interfaces) {
		return Proxy.newProxyInstance(AnnotatedInterfaceTests.class.getClassLoader(), interfaces,
				(proxy, method, arguments) -> method.getName().equals("hashCode") ? (Object) 1 : "answer");
	}

}
