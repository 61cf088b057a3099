package io.github.ratelimit.version;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Instance of one version of this library, in a process of its own.
 */
final class VersionUnderTest implements AutoCloseable {

	private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

	private static final List<String> MODULES = List.of("ratelimit-core", "ratelimit-redis", "ratelimit-jdbc",
			"ratelimit-spring", "ratelimit-spring-boot-autoconfigure");

	private final String name;

	private final Process process;

	private final BufferedReader output;

	private final List<String> log = new ArrayList<>();

	private VersionUnderTest(String name, Path root, List<String> arguments) throws IOException {
		this.name = name;
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC",
						"-XX:TieredStopAtLevel=1", "-cp", classPath(root), VersionedApplication.class.getName()));
		command.addAll(arguments);
		this.process = new ProcessBuilder(command).redirectErrorStream(true).start();
		this.output = this.process.inputReader(StandardCharsets.UTF_8);
		answer();
	}

	/**
	 * Start an instance of the present version.
	 */
	static VersionUnderTest present(List<String> arguments) throws IOException {
		return new VersionUnderTest("present", ROOT, arguments);
	}

	/**
	 * Build the version of a commit, and start an instance of it.
	 */
	static VersionUnderTest of(String commit, List<String> arguments) throws IOException, InterruptedException {
		Path root = Path.of("target", "version", commit.replace('/', '-')).toAbsolutePath();
		Path archive = root.resolve("sources.tar");
		Files.createDirectories(root);
		run(ROOT, "git", "archive", "--output=" + archive, commit);
		run(root, "tar", "-xf", archive.toString());
		run(root, "mvn", "-B", "-q", "compile", "-am", "-pl", String.join(",", MODULES),
				"-Dspring-javaformat.validate.skip=true");
		return new VersionUnderTest(commit, root, arguments);
	}

	private static void run(Path directory, String... command) throws IOException, InterruptedException {
		if (new ProcessBuilder(command).directory(directory.toFile()).inheritIO().start().waitFor() != 0) {
			throw new IllegalStateException(String.join(" ", command) + " failed in " + directory);
		}
	}

	/**
	 * Return the class path of a version, which has the libraries of the present one.
	 */
	private static String classPath(Path root) {
		Stream<String> libraries = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> !entry.startsWith(ROOT.toString()) && !entry.contains("/io/github/ratelimit/"));
		Stream<String> modules = MODULES.stream()
			.map((module) -> root.resolve(module).resolve("target").resolve("classes").toString());
		Stream<String> own = Stream
			.of(ROOT.resolve("verification").resolve("target").resolve("test-classes").toString());
		return Stream.of(modules, own, libraries).flatMap((all) -> all).collect(Collectors.joining(File.pathSeparator));
	}

	/**
	 * Let the instance carry out a command, and return its answer.
	 */
	long ask(Object... words) {
		try {
			this.process.outputWriter(StandardCharsets.UTF_8).append(line(words)).append('\n').flush();
			return answer();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(this + " has ended", ex);
		}
	}

	private static String line(Object... words) {
		return Arrays.stream(words).map(String::valueOf).collect(Collectors.joining(" "));
	}

	private long answer() throws IOException {
		for (String line = this.output.readLine(); line != null; line = this.output.readLine()) {
			if (line.startsWith(VersionedApplication.ANSWER)) {
				return Long.parseLong(line.substring(VersionedApplication.ANSWER.length()));
			}
			this.log.add(line);
		}
		throw new IOException(this + " has ended:\n" + String.join("\n", this.log));
	}

	/**
	 * Return the warnings and errors that were logged up to the last answer.
	 */
	List<String> complaints() {
		return this.log.stream().filter((line) -> line.matches(".* (WARN|ERROR) .*|.*Exception.*")).toList();
	}

	@Override
	public String toString() {
		return this.name;
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

}
