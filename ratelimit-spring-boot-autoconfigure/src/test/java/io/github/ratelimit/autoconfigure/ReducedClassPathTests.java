package io.github.ratelimit.autoconfigure;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Predicate;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Optional libraries may be absent: the same application runs on class paths that lack
 * the jars of one of them, those of Lettuce, so that Redis is not used, and that of
 * Spring Cloud Gateway. Most tests of {@code compatibility} run without context
 * propagation.
 */
@Tag("in-ci")
class ReducedClassPathTests {

	private static final String REACTOR = "reactor-.*|reactive-streams-.*|spring-webflux-.*";

	private static final String NETTY = "netty-.*";

	private static final String CONTEXT = "context-propagation-.*";

	private static final String METERS = "micrometer-core-.*";

	private static final String ACTUATOR = "spring-boot-actuator-.*";

	private static final String WEB = "spring-web-.*|spring-webmvc-.*|spring-webflux-.*|jakarta.servlet-.*";

	@ParameterizedTest
	@ValueSource(strings = { "none", "spring-data-.*", REACTOR, NETTY, WEB, METERS, ACTUATOR, METERS + "|" + ACTUATOR,
			REACTOR + "|" + NETTY + "|" + CONTEXT + "|" + WEB + "|" + METERS + "|" + ACTUATOR
					+ "|spring-data-.*|spring-tx-.*" + "|jspecify-.*" })
	void applicationStartsAndLimits(String absent) throws Exception {
		assertThat(run((entry) -> fileName(entry).matches(absent), "--ratelimit.enabled=true"))
			.isEqualTo("denied, denied");
	}

	@Test
	void propertiesOfAnExcludedModuleMayStay() throws Exception {
		assertThat(run((entry) -> entry.contains("ratelimit-jdbc"), "--ratelimit.jdbc.timeout=1s"))
			.isEqualTo("denied, denied");
	}

	private static String fileName(String entry) {
		return Path.of(entry).getFileName().toString();
	}

	private static Object run(Predicate<String> absent, String argument) throws Exception {
		URL[] present = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> !fileName(entry).matches("lettuce-.*|spring-cloud-.*") && !absent.test(entry))
			.map(ReducedClassPathTests::url)
			.toArray(URL[]::new);
		Thread thread = Thread.currentThread();
		ClassLoader before = thread.getContextClassLoader();
		try (URLClassLoader loader = new URLClassLoader(present, ClassLoader.getPlatformClassLoader())) {
			thread.setContextClassLoader(loader);
			Class<?> application = loader.loadClass(ReducedApplication.class.getName());
			return application.getMethod("run", String.class).invoke(null, argument);
		}
		finally {
			thread.setContextClassLoader(before);
		}
	}

	private static URL url(String entry) {
		try {
			return new File(entry).toURI().toURL();
		}
		catch (MalformedURLException ex) {
			throw new IllegalArgumentException(ex);
		}
	}

}
