package io.github.ratelimit.benchmarks.measure;

import java.security.CodeSource;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.ratelimit.redis.process.RedisProcess;

/**
 * Description of machine and versions: the caption of a table.
 */
public final class Machine {

	private static final Pattern JAR = Pattern.compile("([^/]+?)-(\\d[^/]*)\\.jar");

	private Machine() {
	}

	/**
	 * Describe cores, system and JDK.
	 */
	public static String description() {
		return "%d cores, %s %s, JDK %s (%s)".formatted(Runtime.getRuntime().availableProcessors(),
				System.getProperty("os.name"), System.getProperty("os.arch"), System.getProperty("java.version"),
				System.getProperty("java.vendor"));
	}

	/**
	 * Describe the version of a Redis server.
	 */
	public static String description(RedisProcess redis) {
		return String.valueOf(redis.command("INFO", "server"))
			.lines()
			.filter((line) -> line.startsWith("redis_version:"))
			.map((line) -> "Redis " + line.substring(line.indexOf(':') + 1).trim() + " on loopback, no persistence")
			.findFirst()
			.orElse("Redis");
	}

	/**
	 * Describe the versions of some libraries, read from the names of their jars.
	 * @param types one type of each
	 */
	public static String versions(Class<?>... types) {
		return Arrays.stream(types).map(Machine::version).collect(Collectors.joining(", "));
	}

	private static String version(Class<?> type) {
		CodeSource source = type.getProtectionDomain().getCodeSource();
		Matcher jar = JAR.matcher((source != null) ? source.getLocation().getPath() : "");
		return jar.find() ? jar.group(1) + " " + jar.group(2) : type.getSimpleName();
	}

}
