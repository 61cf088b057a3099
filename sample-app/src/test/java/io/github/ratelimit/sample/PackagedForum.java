package io.github.ratelimit.sample;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.awaitility.Awaitility.await;

/**
 * The forum as it is packaged, in a JVM of its own and on a free port.
 */
final class PackagedForum implements AutoCloseable {

	private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");

	private final Process process;

	private final File log;

	private PackagedForum(Process process, File log) {
		this.process = process;
		this.log = log;
	}

	/**
	 * Start the forum, and return when it answers.
	 * @param option an option of its JVM
	 */
	static PackagedForum start(String option) {
		File log = new File("target/packaged-forum.log");
		try {
			Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
					"-XX:TieredStopAtLevel=1", option, "-jar", System.getProperty("sample.jar"), "--server.port=0",
					"--ratelimit.redis.timeout=10s")
				.redirectErrorStream(true)
				.redirectOutput(log)
				.start();
			PackagedForum forum = new PackagedForum(process, log);
			forum.awaitStart();
			return forum;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void awaitStart() {
		await().atMost(Duration.ofMinutes(3))
			.until(() -> log().contains("Started ForumApplication") || !this.process.isAlive());
		if (!this.process.isAlive()) {
			throw new IllegalStateException("The forum did not start: " + log());
		}
	}

	/**
	 * Return what it has logged so far.
	 */
	String log() {
		try {
			return Files.readString(this.log.toPath());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	ForumClient client() {
		Matcher port = PORT.matcher(log());
		if (!port.find()) {
			throw new IllegalStateException("No port in the log: " + log());
		}
		return new ForumClient(Integer.parseInt(port.group(1)));
	}

	@Override
	public void close() {
		this.process.destroy();
		try {
			this.process.waitFor(20, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
