package io.github.ratelimit.autoconfigure;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.redis.process.RedisProcess;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each file of scripts is read once, however many scripts consist of it.
 */
class ScriptFilesTests {

	@Test
	void eachFileIsReadAtMostOnce() throws Exception {
		Map<String, Integer> opened = new ConcurrentSkipListMap<>();
		Thread thread = Thread.currentThread();
		ClassLoader before = thread.getContextClassLoader();
		try (RedisProcess redis = RedisProcess.start(); URLClassLoader loader = countingLoader(opened)) {
			thread.setContextClassLoader(loader);
			loader.loadClass(Application.class.getName()).getMethod("run", int.class).invoke(null, redis.port());
		}
		finally {
			thread.setContextClassLoader(before);
		}
		assertThat(opened).containsKeys("decide", "token-bucket")
			.allSatisfy((file, times) -> assertThat(times).isOne());
	}

	private static URLClassLoader countingLoader(Map<String, Integer> opened) {
		URL[] classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> !entry.contains("spring-cloud-"))
			.map(ScriptFilesTests::url)
			.toArray(URL[]::new);
		return new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader()) {

			@Override
			public URL getResource(String name) {
				if (name.startsWith("META-INF/ratelimit/") && name.endsWith(".lua")) {
					opened.merge(name.replaceAll(".*/|[.]lua", ""), 1, Integer::sum);
				}
				return super.getResource(name);
			}

		};
	}

	private static URL url(String entry) {
		try {
			return new File(entry).toURI().toURL();
		}
		catch (MalformedURLException ex) {
			throw new IllegalArgumentException(ex);
		}
	}

	/**
	 * Application whose methods are called once.
	 */
	@EnableAutoConfiguration
	public static class Application {

		/**
		 * Run the application.
		 * @param port the port of Redis
		 */
		public static void run(int port) {
			try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
				.web(WebApplicationType.NONE)
				.run("--spring.main.banner-mode=off", "--spring.data.redis.port=" + port)) {
				Application application = context.getBean(Application.class);
				application.reply();
				application.export();
			}
		}

		/**
		 * Reply.
		 */
		@RateLimited(max = 5, period = 60)
		public void reply() {
		}

		/**
		 * Export.
		 */
		@RateLimited(max = 1, algorithm = Algorithm.CONCURRENCY)
		public void export() {
		}

	}

}
