package io.github.ratelimit.redis.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * Program that has run to its end.
 *
 * @param status its exit status
 * @param output its standard output and standard error
 */
record EndedProgram(int status, String output) {

	private static final int PATIENCE_SECONDS = 90;

	/**
	 * Run a program and wait for its end.
	 * @param command the program and its arguments
	 * @throws IOException if it cannot run, or does not end within 90 seconds
	 */
	static EndedProgram run(String... command) throws IOException {
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		try {
			if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
				throw new IOException(
						"%s did not end within %d s".formatted(String.join(" ", command), PATIENCE_SECONDS));
			}
			String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
			return new EndedProgram(process.exitValue(), output);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while running " + command[0], ex);
		}
		finally {
			process.destroyForcibly();
		}
	}

	/**
	 * Run a program that has to succeed.
	 * @param command the program and its arguments
	 * @return its output
	 * @throws IOException if it cannot run, does not end within 90 seconds, or fails
	 */
	static String outputOf(String... command) throws IOException {
		EndedProgram ended = run(command);
		if (ended.status() != 0) {
			throw new IOException("%s ended with %d and printed: %s".formatted(String.join(" ", command),
					ended.status(), ended.output()));
		}
		return ended.output();
	}

}
