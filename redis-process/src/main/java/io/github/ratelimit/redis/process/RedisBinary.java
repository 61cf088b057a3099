package io.github.ratelimit.redis.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import redis.embedded.core.ExecutableProvider;

/**
 * Program redis-server that {@link RedisProcess} runs: the one on the {@code PATH}, or
 * else the one of embedded-redis for this platform. It must run on this machine and be
 * Redis 6.2 or later. The server of Valkey can replace it.
 *
 * @param file the program
 * @param origin where it comes from: its path, or {@code embedded-redis}
 * @param version the version that the program prints, for example {@code 6.2.11}
 */
public record RedisBinary(Path file, String origin, String version) {

	private static final Pattern VERSION = Pattern.compile("\\bv=((\\d+)\\.(\\d+)[.\\d]*)");

	private static final String REMEDY = """
			Install Redis 6.2 or later so that redis-server is on the PATH, for example with \
			"apt-get install redis-server" (Debian, Ubuntu), "apk add redis" (Alpine) or "brew install redis" (macOS).""";

	private static final String CHOICE = "ratelimit.test.redis";

	private static final Map<String, Optional<RedisBinary>> TRIED = new ConcurrentHashMap<>();

	private static @Nullable RedisBinary found;

	/**
	 * Find the program, once per JVM. The system property {@code ratelimit.test.redis}
	 * may select the {@code installed} or the {@code embedded} one, or {@code valkey}.
	 * @return a program that has been seen to run
	 * @throws IllegalStateException if there is none; the message lists the attempts and
	 * how to get one
	 */
	public static synchronized RedisBinary find() {
		if (found == null) {
			found = find(System.getProperty(CHOICE, ""));
		}
		return found;
	}

	static RedisBinary find(String choice) {
		return switch (choice) {
			case "" -> find(SearchPath.ofEnvironment(), RedisBinary::extractEmbedded);
			case "installed" -> installed().orElseThrow(() -> missing(choice));
			case "embedded" -> embedded().orElseThrow(() -> missing(choice));
			case "valkey" -> valkey().orElseThrow(() -> missing(choice));
			default -> throw new IllegalArgumentException(
					"%s is %s, but has to be installed, embedded or valkey".formatted(CHOICE, choice));
		};
	}

	private static IllegalStateException missing(String choice) {
		return new IllegalStateException(
				"%s is %s, but there is no such redis-server.%n%s".formatted(CHOICE, choice, REMEDY));
	}

	/**
	 * Find the program on the {@code PATH}, once per JVM.
	 * @return a program that has been seen to run; empty if there is none, or one too old
	 */
	public static Optional<RedisBinary> installed() {
		return TRIED.computeIfAbsent("installed", (choice) -> onThePath("redis-server"));
	}

	/**
	 * Find the program of embedded-redis, once per JVM.
	 * @return a program that has been seen to run; empty if there is none for this
	 * platform
	 */
	public static Optional<RedisBinary> embedded() {
		return TRIED.computeIfAbsent("embedded", (choice) -> usable(() -> verify(extractEmbedded(), "embedded-redis")));
	}

	/**
	 * Find the program valkey-server on the {@code PATH}, once per JVM.
	 * @return a program that has been seen to run; empty if there is none
	 */
	public static Optional<RedisBinary> valkey() {
		return TRIED.computeIfAbsent("valkey", (choice) -> onThePath("valkey-server"));
	}

	/**
	 * Return all programs, for tests that must pass with each of them.
	 * @return those of {@link #installed()}, {@link #embedded()} and {@link #valkey()}
	 * that exist
	 */
	public static List<RedisBinary> all() {
		return Stream.of(installed(), embedded(), valkey()).flatMap(Optional::stream).toList();
	}

	/**
	 * Return whether the program was built with TLS. This runs it.
	 * @return whether it has the argument {@code --tls-port}
	 */
	public boolean supportsTls() {
		try {
			// no server starts, since this is not a number
			return !EndedProgram.run(this.file.toString(), "--tls-port", "none").output().contains("Bad directive");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static RedisBinary find(SearchPath path, Callable<Path> embedded) {
		List<String> failures = new ArrayList<>();
		try {
			Optional<Path> installed = path.find("redis-server");
			if (installed.isPresent()) {
				return verify(installed.get(), installed.get().toString());
			}
			failures.add("on the PATH: not found");
		}
		catch (IOException ex) {
			failures.add("on the PATH: " + ex.getMessage());
		}
		try {
			return verify(embedded.call(), "embedded-redis");
		}
		catch (Exception ex) {
			failures.add("from embedded-redis: " + ex.getMessage());
		}
		throw new IllegalStateException("No usable redis-server.\n  " + String.join("\n  ", failures) + "\n" + REMEDY);
	}

	private static RedisBinary verify(Path file, String origin) throws IOException {
		String answer = EndedProgram.outputOf(file.toString(), "--version");
		Matcher version = VERSION.matcher(answer);
		if (!version.find()) {
			throw new IOException(file + " does not print its version but: " + answer);
		}
		int major = Integer.parseInt(version.group(2));
		int minor = Integer.parseInt(version.group(3));
		if (major < 6 || (major == 6 && minor < 2)) {
			throw new IOException(file + " is too old: " + version.group(1));
		}
		return new RedisBinary(file, origin, version.group(1));
	}

	private static Path extractEmbedded() throws IOException {
		Path directory = Files.createTempDirectory("redis-binary-");
		directory.toFile().deleteOnExit(); // its provider deletes the file in it
		return ExecutableProvider.newJarResourceProvider(directory.toFile()).get().toPath();
	}

	/**
	 * Describe the program.
	 * @return for example {@code redis-server 6.2.11 (embedded-redis)}
	 */
	@Override
	public String toString() {
		return "redis-server %s (%s)".formatted(this.version, this.origin);
	}

	private static Optional<RedisBinary> onThePath(String program) {
		return usable(() -> {
			Path file = SearchPath.ofEnvironment().find(program).orElseThrow();
			return verify(file, file.toString());
		});
	}

	private static Optional<RedisBinary> usable(Callable<RedisBinary> search) {
		try {
			return Optional.of(search.call());
		}
		catch (Exception ex) {
			return Optional.empty();
		}
	}

}
