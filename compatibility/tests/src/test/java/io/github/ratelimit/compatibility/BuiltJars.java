package io.github.ratelimit.compatibility;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.store.jdbc.JdbcRateLimitStore;
import io.github.ratelimit.store.redis.RedisRateLimitStore;

/**
 * Jars under test, as built by Maven.
 */
final class BuiltJars {

	private BuiltJars() {
	}

	/**
	 * Return the jars that an application gets with the starter.
	 */
	static List<Path> paths() {
		return Stream
			.of(RateLimiter.class, RedisRateLimitStore.class, JdbcRateLimitStore.class, RateLimited.class,
					RateLimitAutoConfiguration.class)
			.map(BuiltJars::path)
			.toList();
	}

	private static Path path(Class<?> contained) {
		try {
			return Path.of(contained.getProtectionDomain().getCodeSource().getLocation().toURI());
		}
		catch (URISyntaxException ex) {
			throw new IllegalStateException(ex);
		}
	}

	static String sha256(Path jar) {
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-256");
			return HexFormat.of().formatHex(digest.digest(Files.readAllBytes(jar)));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Return the names of their classes, as {@code io/github/ratelimit/Decision}.
	 */
	static List<String> classes() {
		return paths().stream().flatMap((jar) -> classes(jar).stream()).toList();
	}

	/**
	 * Return the names of the classes of the jar that contains a class.
	 */
	static List<String> classes(Class<?> contained) {
		return classes(path(contained));
	}

	private static List<String> classes(Path path) {
		try (JarFile jar = new JarFile(path.toFile())) {
			return jar.stream()
				.map((entry) -> entry.getName())
				.filter((name) -> name.endsWith(".class"))
				.map((name) -> name.substring(0, name.length() - ".class".length()))
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
