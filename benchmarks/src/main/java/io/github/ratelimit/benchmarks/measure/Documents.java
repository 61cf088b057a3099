package io.github.ratelimit.benchmarks.measure;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Documents of the project.
 */
public final class Documents {

	private Documents() {
	}

	/**
	 * Return the path of a file in {@code docs}, from the root of the project or from
	 * this module.
	 */
	public static Path path(String name) {
		Path documents = Path.of("docs");
		return (Files.isDirectory(documents) ? documents : Path.of("..").resolve(documents)).resolve(name);
	}

}
