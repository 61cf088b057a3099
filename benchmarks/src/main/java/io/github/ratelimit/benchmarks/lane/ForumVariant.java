package io.github.ratelimit.benchmarks.lane;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import io.github.ratelimit.benchmarks.child.Forum;
import io.github.ratelimit.benchmarks.measure.Child;
import io.github.ratelimit.redis.process.RedisProcess;

/**
 * What an application has on its class path: Spring MVC, and perhaps Redis and this
 * library, but none of the peers.
 */
enum ForumVariant {

	WEB("Spring MVC", false, false),

	WEB_LIMITED("Spring MVC and this library, local store", false, true),

	REDIS("Spring MVC and Redis", true, false),

	REDIS_LIMITED("Spring MVC, Redis and this library", true, true);

	private static final String PEERS = "bucket4j|resilience4j|redisson|gateway|guava|jcache|cache-api|jmh|aspectj"
			+ "|starter-aop|rxjava|reactor-extra|kryo|validat|HdrHistogram|micrometer-core|caffeine";

	private static final String OURS = "|ratelimit-";

	private static final String REDIS_CLIENT = "|lettuce|spring-data|reactor-core|netty|starter-data-redis|spring-tx"
			+ "|spring-oxm";

	private final String title;

	private final boolean redis;

	private final boolean limited;

	ForumVariant(String title, boolean redis, boolean limited) {
		this.title = title;
		this.redis = redis;
		this.limited = limited;
	}

	String title() {
		return this.title;
	}

	/**
	 * Start it.
	 * @param properties more of them
	 */
	Child start(RedisProcess server, String... properties) {
		List<String> arguments = new ArrayList<>(
				List.of("--server.port=0", "--spring.main.banner-mode=off", "--spring.jmx.enabled=false",
						"--spring.data.redis.host=" + server.host(), "--spring.data.redis.port=" + server.port()));
		arguments.addAll(List.of(properties));
		Pattern without = Pattern.compile(PEERS + (this.limited ? "" : OURS) + (this.redis ? "" : REDIS_CLIENT));
		return Child.start(Forum.class, without, arguments);
	}

}
