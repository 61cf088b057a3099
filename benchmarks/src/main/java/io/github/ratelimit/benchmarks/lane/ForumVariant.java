package io.github.ratelimit.benchmarks.lane;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.ratelimit.benchmarks.child.Forum;
import io.github.ratelimit.benchmarks.measure.AotCache.Application;
import io.github.ratelimit.benchmarks.measure.Child;
import io.github.ratelimit.redis.process.RedisProcess;

/**
 * Class path of an application: Spring MVC, and optionally Redis, this library or a peer,
 * without the others.
 */
enum ForumVariant {

	WEB("Spring MVC", Set.of()),

	WEB_INTERCEPTED("Spring MVC, an empty interceptor around the endpoint", Set.of(), "--forum.interceptor=empty"),

	WEB_LIMITED("Spring MVC and this library, local store", Set.of(Part.THIS_LIBRARY)),

	WEB_RESILIENCE4J("Spring MVC and resilience4j", Set.of(Part.RESILIENCE4J)),

	REDIS("Spring MVC and Redis", Set.of(Part.REDIS)),

	REDIS_INTERCEPTED("Spring MVC and Redis, an empty interceptor around the endpoint", Set.of(Part.REDIS),
			"--forum.interceptor=empty"),

	REDIS_LIMITED("Spring MVC, Redis and this library", Set.of(Part.REDIS, Part.THIS_LIBRARY));

	private static final String OTHERS = "bucket4j|redisson|gateway|guava|jcache|cache-api|jmh|rxjava|reactor-extra|kryo"
			+ "|validat|caffeine";

	private final String title;

	private final Set<Part> parts;

	private final List<String> properties;

	ForumVariant(String title, Set<Part> parts, String... properties) {
		this.title = title;
		this.parts = parts;
		this.properties = List.of(properties);
	}

	String title() {
		return this.title;
	}

	/**
	 * Start the application.
	 * @param more properties
	 */
	Child start(RedisProcess server, String... more) {
		return start(Forum.class, server, more);
	}

	/**
	 * Start another application on this class path.
	 * @param more properties
	 */
	Child start(Class<?> main, RedisProcess server, String... more) {
		return Child.start(classPath(), main, arguments(server, more));
	}

	/**
	 * Return the application, to be started on another JVM.
	 */
	Application application(RedisProcess server) {
		return new Application(name(), classPath(), Forum.class, arguments(server));
	}

	private List<String> arguments(RedisProcess server, String... more) {
		List<String> arguments = new ArrayList<>(
				List.of("--server.port=0", "--spring.main.banner-mode=off", "--spring.jmx.enabled=false",
						"--spring.data.redis.host=" + server.host(), "--spring.data.redis.port=" + server.port()));
		arguments.addAll(this.properties);
		arguments.addAll(List.of(more));
		return arguments;
	}

	private String classPath() {
		String missing = Arrays.stream(Part.values())
			.filter((part) -> !this.parts.contains(part))
			.map((part) -> '|' + part.jars)
			.collect(Collectors.joining());
		return Child.classPath(Pattern.compile(OTHERS + missing));
	}

	private enum Part {

		THIS_LIBRARY("ratelimit-"),

		REDIS("lettuce|spring-data|reactor-core|netty|starter-data-redis|spring-tx|spring-oxm"),

		RESILIENCE4J("resilience4j|aspectj|starter-aop|micrometer-core|HdrHistogram");

		private final String jars;

		Part(String jars) {
			this.jars = jars;
		}

	}

}
