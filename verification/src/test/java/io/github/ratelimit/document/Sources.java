package io.github.ratelimit.document;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Sources of the published modules. Tests run in the folder of a module.
 */
final class Sources {

	private static final Path ROOT = Path.of("..");

	private Sources() {
	}

	/**
	 * Read the source of a type.
	 * @param type a type of a published module, nested or not
	 * @return the content of its file
	 */
	static String of(Class<?> type) {
		String file = type.getName().replaceFirst("\\$.*", "").replace('.', '/') + ".java";
		return folders().stream()
			.map((folder) -> folder.resolve(file))
			.filter(Files::exists)
			.map(Sources::read)
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("No published module has " + file));
	}

	/**
	 * Read the sources of all published modules.
	 * @return the content of each file
	 */
	static List<String> all() {
		return folders().stream().flatMap(Sources::files).map(Sources::read).toList();
	}

	/**
	 * Return the folders of the sources.
	 * @return one per published module that has some
	 */
	static List<Path> folders() {
		try (Stream<Path> modules = Files.list(ROOT)) {
			return modules.filter((module) -> module.getFileName().toString().startsWith("ratelimit-"))
				.map((module) -> module.resolve(Path.of("src", "main", "java")))
				.filter(Files::isDirectory)
				.sorted()
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return the Java files in a folder and below.
	 */
	static Stream<Path> files(Path folder) {
		try (Stream<Path> files = Files.walk(folder)) {
			return files.filter((file) -> file.toString().endsWith(".java")).toList().stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
