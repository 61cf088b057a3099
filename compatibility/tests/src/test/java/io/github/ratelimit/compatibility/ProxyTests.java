package io.github.ratelimit.compatibility;

import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Import;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A call takes one unit, regardless of the kind of proxy. Runs with and without the
 * AspectJ weaver on the class path.
 */
@OnOuterLines
class ProxyTests {

	@AutoClose
	private static final Servers servers = new Servers();

	@Test
	void runsWithTheWeaverOnlyWhenMeantTo() {
		boolean present = ClassUtils.isPresent("org.aspectj.weaver.Advice", getClass().getClassLoader());
		assertThat(present).isEqualTo(Boolean.getBoolean("compatibility.weaver"));
	}

	static Stream<List<String>> settings() {
		return Stream.of(List.of(), List.of("spring.aop.auto=false"), List.of("spring.aop.proxy-target-class=false"),
				List.of("spring.aop.auto=false", "spring.aop.proxy-target-class=false"));
	}

	@ParameterizedTest
	@MethodSource("settings")
	void aCallTakesOnePermit(List<String> settings) {
		Server application = server(settings);
		RateLimiterRegistry registry = application.bean(RateLimiterRegistry.class);
		application.bean(OnClass.class).call("a");
		application.bean(OnInterface.class).call("a");
		Generic<?> generic = application.bean(Generic.class);
		call(generic, "a");
		assertThat(registry.rules()).extracting("name").contains("on-class", "on-interface", "generic");
		for (String rule : List.of("on-class", "on-interface", "generic")) {
			assertThat(registry.limiter(rule).peek("a").remaining()).as(rule).isEqualTo(2);
		}
	}

	@ParameterizedTest
	@MethodSource("settings")
	void callOfAMethodThatASuperclassImplementsTakesOnePermit(List<String> settings) {
		Server application = server(settings);
		application.bean(Inherited.class).call("a");
		GenericInherited<?> generic = application.bean(GenericInherited.class);
		callInherited(generic, "a");
		for (String rule : List.of("inherited", "generic-inherited")) {
			assertThat(application.bean(RateLimiterRegistry.class).limiter(rule).peek("a").remaining()).as(rule)
				.isEqualTo(2);
		}
	}

	@SuppressWarnings("unchecked")
	private static <T> void callInherited(GenericInherited<T> generic, String argument) {
		generic.send((T) argument);
	}

	@ParameterizedTest
	@MethodSource("settings")
	void deniesWhenPermitsAreUsedUp(List<String> settings) {
		Server application = server(settings);
		for (int i = 0; i < 3; i++) {
			application.bean(OnInterface.class).call("b");
		}
		assertThatExceptionOfType(RateLimitExceededException.class)
			.isThrownBy(() -> application.bean(OnInterface.class).call("b"))
			.withMessageStartingWith("Rate limit \"on-interface\" exceeded; retry after ");
	}

	@SuppressWarnings("unchecked")
	private static <T> void call(Generic<T> generic, String argument) {
		generic.call((T) argument);
	}

	private static Server server(List<String> settings) {
		return servers.get(WebApplicationType.NONE, ProxyApplication.class,
				Stream.concat(settings.stream(), Stream.of("ratelimit.store=local")).toArray(String[]::new));
	}

	@Import({ OnClass.class, Implementation.class, GenericImplementation.class, Inheriting.class,
			GenericInheriting.class })
	static class ProxyApplication {

	}

	static class OnClass {

		@RateLimited(name = "on-class", key = "#user", max = 3, period = 60)
		public void call(String user) {
		}

	}

	interface OnInterface {

		@RateLimited(name = "on-interface", key = "#user", max = 3, period = 60)
		void call(String user);

	}

	static class Implementation implements OnInterface {

		@Override
		public void call(String user) {
		}

	}

	interface Generic<T> {

		void call(T argument);

	}

	static class GenericImplementation implements Generic<String> {

		@Override
		@RateLimited(name = "generic", key = "#argument", max = 3, period = 60)
		public void call(String argument) {
		}

	}

	interface Inherited {

		@RateLimited(name = "inherited", key = "#user", max = 3, period = 60)
		void call(String user);

	}

	interface GenericInherited<T> {

		@RateLimited(name = "generic-inherited", key = "#user", max = 3, period = 60)
		void send(T user);

	}

	static class Base {

		public void call(String user) {
		}

		public void send(String user) {
		}

	}

	static class Inheriting extends Base implements Inherited {

	}

	static class GenericInheriting extends Base implements GenericInherited<String> {

	}

}
