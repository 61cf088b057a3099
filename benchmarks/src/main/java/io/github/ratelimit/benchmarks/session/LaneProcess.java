package io.github.ratelimit.benchmarks.session;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import io.github.ratelimit.benchmarks.measure.Report;

/**
 * Lane in a JVM of its own, as if it ran alone.
 */
final class LaneProcess {

	private LaneProcess() {
	}

	/**
	 * Run a lane.
	 * @param java the command that starts the JVM
	 * @param settings environment variables
	 * @return its report
	 * @throws IllegalStateException if it fails
	 */
	static String run(String java, Class<?> lane, Map<String, String> settings) {
		try {
			Path report = Files.createTempFile("lane", ".md");
			try {
				ProcessBuilder process = new ProcessBuilder(java, "-D" + Report.FILE + "=" + report, "-cp",
						System.getProperty("java.class.path"), lane.getName())
					.inheritIO();
				process.environment().putAll(settings);
				int status = process.start().waitFor();
				String text = Files.readString(report);
				if (status != 0 || text.isEmpty()) {
					throw new IllegalStateException(lane.getSimpleName() + " ended with status " + status);
				}
				return text;
			}
			finally {
				Files.delete(report);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

}
