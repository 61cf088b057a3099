package io.github.ratelimit.redis.process;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * Directories in which a shell finds programs.
 *
 * @param directories the directories, in the form of the variable {@code PATH}
 */
record SearchPath(String directories) {

	static SearchPath ofEnvironment() {
		String directories = System.getenv("PATH");
		return new SearchPath((directories != null) ? directories : "");
	}

	Optional<Path> find(String program) {
		return Arrays.stream(this.directories.split(File.pathSeparator))
			.filter((directory) -> !directory.isEmpty())
			.map((directory) -> Path.of(directory, program))
			.filter((file) -> Files.isRegularFile(file) && Files.isExecutable(file))
			.findFirst();
	}

}
