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

import io.github.ratelimit.RateLimiter;

/**
 * Jar under test, as built by Maven.
 */
final class BuiltJar {

	private BuiltJar() {
	}

	static Path path() {
		return path(RateLimiter.class);
	}

	private static Path path(Class<?> contained) {
		try {
			return Path.of(contained.getProtectionDomain().getCodeSource().getLocation().toURI());
		}
		catch (URISyntaxException ex) {
			throw new IllegalStateException(ex);
		}
	}

	static String sha256() {
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-256");
			return HexFormat.of().formatHex(digest.digest(Files.readAllBytes(path())));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Return the names of its classes, as {@code io/github/ratelimit/Decision}.
	 */
	static List<String> classes() {
		return classes(RateLimiter.class);
	}

	/**
	 * Return the names of the classes of the jar that contains a class.
	 */
	static List<String> classes(Class<?> contained) {
		try (JarFile jar = new JarFile(path(contained).toFile())) {
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
