package io.github.ratelimit.redis.process;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Process and files that a server leaves behind if it is not stopped properly.
 *
 * @param pid id of its process
 * @param directory its working directory
 */
record Traces(long pid, Path directory) {

	static Traces of(RedisProcess process) {
		return new Traces(process.pid(), process.directory());
	}

	boolean exist() {
		return ProcessHandle.of(this.pid).isPresent() || Files.exists(this.directory);
	}

}
