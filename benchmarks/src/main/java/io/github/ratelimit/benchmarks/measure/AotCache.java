package io.github.ratelimit.benchmarks.measure;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

import org.springframework.util.FileSystemUtils;

/**
 * JDK 25 or later that starts applications with an ahead-of-time cache. A training run
 * writes the cache of a class path. The cache accepts jars only, so directories are
 * packed.
 */
public final class AotCache implements AutoCloseable {

	private static final String JAVA = "LANE_JAVA_25";

	private static final Path INSTALLED = Path.of("/usr/lib/jvm");

	private final Path java;

	private final Path directory;

	private AotCache(Path java) {
		this.java = java;
		try {
			this.directory = Files.createTempDirectory("aot");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Find a JDK: the one of {@code LANE_JAVA_25}, the current one, or an installed one.
	 * @return empty if there is none
	 */
	public static Optional<AotCache> find() {
		if (System.getenv(JAVA) != null) {
			return Optional.of(new AotCache(Path.of(System.getenv(JAVA))));
		}
		if (Runtime.version().feature() >= 25) {
			return Optional.of(new AotCache(Child.JAVA));
		}
		return installed().map(AotCache::new);
	}

	private static Optional<Path> installed() {
		if (!Files.isDirectory(INSTALLED)) {
			return Optional.empty();
		}
		try (Stream<Path> installed = Files.list(INSTALLED)) {
			return installed.filter((home) -> home.getFileName().toString().matches(".*\\b(2[5-9]|[3-9]\\d)\\b.*"))
				.map((home) -> home.resolve("bin/java"))
				.filter(Files::isExecutable)
				.sorted()
				.findFirst();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Start an application on this JDK without a cache.
	 */
	public Child startWithout(Application application) {
		return start(application);
	}

	/**
	 * Start an application with the cache of its class path. The first call writes it.
	 */
	public Child startWith(Application application) {
		Path cache = this.directory.resolve(application.name() + ".aot");
		if (Files.notExists(cache)) {
			start(application, "-XX:AOTCacheOutput=" + cache).close();
		}
		return start(application, "-XX:AOTCache=" + cache);
	}

	private Child start(Application application, String... options) {
		List<String> command = new ArrayList<>(List.of(this.java.toString(), "-Xlog:disable"));
		command.addAll(List.of(options));
		return Child.start(command, jars(application.classPath()), application.main(), application.arguments());
	}

	private String jars(String classPath) {
		return Arrays.stream(classPath.split(File.pathSeparator))
			.map(Path::of)
			.map((entry) -> (Files.isDirectory(entry) ? pack(entry) : entry).toString())
			.collect(Collectors.joining(File.pathSeparator));
	}

	private Path pack(Path classes) {
		Path jar = this.directory.resolve(Integer.toHexString(classes.hashCode()) + ".jar");
		if (Files.notExists(jar)) {
			try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
					Stream<Path> all = Files.walk(classes)) {
				for (Path each : all.filter((path) -> !path.equals(classes)).toList()) {
					String name = classes.relativize(each).toString().replace(File.separatorChar, '/');
					out.putNextEntry(new ZipEntry(Files.isDirectory(each) ? name + '/' : name));
					if (Files.isRegularFile(each)) {
						Files.copy(each, out);
					}
				}
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
		return jar;
	}

	/**
	 * Delete the caches.
	 */
	@Override
	public void close() {
		try {
			FileSystemUtils.deleteRecursively(this.directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Application that is started.
	 *
	 * @param name the name of its cache
	 * @param classPath its class path
	 * @param main its main class
	 * @param arguments its arguments
	 */
	public record Application(String name, String classPath, Class<?> main, List<String> arguments) {
	}

}
