package io.github.ratelimit.redis.process;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Server process that ends when this JVM ends, however that happens.
 * <p>
 * The server is a child of a shell. A second child of the shell waits for the end of its
 * standard input, a pipe whose other end only this JVM holds. The operating system closes
 * the pipe even when the JVM is killed. Then the second child suspends the server, so
 * that it writes no more, removes its directory and kills it. This JVM stops the server
 * the same way: it closes the pipe. There is deliberately no shutdown hook: it would run
 * concurrently with hooks that still use the server.
 * <p>
 * The shell lives exactly as long as the server. It runs in a session of its own where
 * the system has {@code setsid}, so that Ctrl-C in a terminal stops the JVM first and the
 * server after it.
 */
final class WatchedServer {

	private static final String SHELL = """
			directory=$1
			shift
			trap '' HUP INT TERM
			"$@" </dev/null >"$directory/output" 2>&1 &
			server=$!
			exec 3<&0
			{ read -r end_of_jvm <&3; kill -STOP $server; rm -rf "$directory"; kill -9 $server; } &
			watchdog=$!
			echo $server
			wait $server
			kill -9 $watchdog
			""";

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private final Path directory;

	private final Process shell;

	private final long pid;

	private WatchedServer(Path directory, Process shell, long pid) {
		this.directory = directory;
		this.shell = shell;
		this.pid = pid;
	}

	/**
	 * Run a server in a new working directory.
	 * @param files the initial files of the directory: contents by name
	 * @param command program and arguments
	 * @return a running server, or one that could not run: then it has already ended
	 */
	static WatchedServer launch(Map<String, String> files, List<String> command) {
		try {
			Path directory = Files.createTempDirectory("redis-server-");
			for (Map.Entry<String, String> file : files.entrySet()) {
				Files.writeString(directory.resolve(file.getKey()), file.getValue());
			}
			Process shell = new ProcessBuilder(shellCommand(directory, command)).directory(directory.toFile())
				.redirectError(Redirect.DISCARD)
				.start();
			return new WatchedServer(directory, shell, readPid(shell));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot run a server under a Unix shell", ex);
		}
	}

	private static List<String> shellCommand(Path directory, List<String> serverCommand) {
		List<String> command = new ArrayList<>();
		SearchPath.ofEnvironment().find("setsid").ifPresent((setsid) -> command.add(setsid.toString()));
		command.addAll(List.of("sh", "-c", SHELL, "redis-watchdog", directory.toString()));
		command.addAll(serverCommand);
		return command;
	}

	private static long readPid(Process shell) throws IOException {
		BufferedReader reader = shell.inputReader(StandardCharsets.UTF_8);
		String line = reader.readLine();
		if (line == null) {
			throw new IOException("The shell ended without starting the server");
		}
		return Long.parseLong(line);
	}

	long pid() {
		return this.pid;
	}

	Path directory() {
		return this.directory;
	}

	boolean isAlive() {
		return this.shell.isAlive();
	}

	/**
	 * Wait for the end of the server.
	 * @return whether it has ended
	 */
	boolean endsWithin(Duration time) {
		try {
			return this.shell.waitFor(time.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while waiting for the server", ex);
		}
	}

	/**
	 * Return the standard output and standard error of the server, until it is stopped.
	 */
	String output() {
		try {
			return Files.readString(this.directory.resolve("output"));
		}
		catch (IOException ex) {
			return "(no output: " + ex + ")";
		}
	}

	/**
	 * Suspend the server; its connections stay open.
	 */
	void freeze() {
		signal("STOP");
		while (!isFrozen() && !endsWithin(Duration.ofMillis(1))) {
			Thread.onSpinWait();
		}
	}

	private boolean isFrozen() {
		try {
			String status = Files.readString(Path.of("/proc", Long.toString(this.pid), "stat"));
			return status.charAt(status.lastIndexOf(')') + 2) == 'T';
		}
		catch (IOException ex) {
			return true; // no such file outside Linux: rely on the signal
		}
	}

	void resume() {
		signal("CONT");
	}

	void kill() {
		signal("KILL");
		stop();
	}

	private void signal(String name) {
		try {
			// kill is a builtin of every shell, but may be missing as a program
			EndedProgram.outputOf("sh", "-c", "kill -" + name + " " + this.pid);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot send SIG%s to process %d".formatted(name, this.pid), ex);
		}
	}

	/**
	 * Kill the server, even a stopped one, and remove its directory.
	 */
	void stop() {
		try {
			this.shell.getOutputStream().close();
		}
		catch (IOException ex) {
			// the server has already ended
		}
		if (!endsWithin(PATIENCE)) {
			throw new IllegalStateException(
					"Process %d is still there %s after it was killed".formatted(this.pid, PATIENCE));
		}
		delete(this.directory.toFile());
	}

	/**
	 * Delete a directory that the shell may be deleting as well.
	 */
	private static void delete(File file) {
		File[] children = file.listFiles();
		if (children != null) {
			for (File child : children) {
				delete(child);
			}
		}
		file.delete();
	}

}
