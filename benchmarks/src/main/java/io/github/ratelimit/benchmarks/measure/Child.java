package io.github.ratelimit.benchmarks.measure;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Application in a process of its own, with a part of the class path only, so that Spring
 * Boot configures nothing that only other measurements need.
 */
public final class Child implements AutoCloseable {

	/**
	 * Current {@code java} command.
	 */
	static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

	private final Process process;

	private final long[] numbers;

	private Child(Process process, long[] numbers) {
		this.process = process;
		this.numbers = numbers;
	}

	/**
	 * Start the application, and wait until it is ready.
	 * @param classPath its class path
	 * @param main its main class
	 * @param arguments its arguments
	 */
	public static Child start(String classPath, Class<?> main, List<String> arguments) {
		return start(List.of(JAVA.toString()), classPath, main, arguments);
	}

	/**
	 * Start the application on another JVM.
	 * @param java the command and options of the JVM
	 */
	static Child start(List<String> java, String classPath, Class<?> main, List<String> arguments) {
		List<String> command = new ArrayList<>(java);
		command.addAll(List.of("-cp", classPath, main.getName()));
		command.addAll(arguments);
		try {
			Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
			return new Child(process, awaitReady(process));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return a part of the class path of this JVM.
	 * @param without the pattern of the names of jars to leave out
	 */
	public static String classPath(Pattern without) {
		return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> !without.matcher(new File(entry).getName()).find())
			.collect(Collectors.joining(File.pathSeparator));
	}

	private static long[] awaitReady(Process process) throws IOException {
		BufferedReader lines = new BufferedReader(
				new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
		StringBuilder output = new StringBuilder();
		for (String line = lines.readLine(); line != null; line = lines.readLine()) {
			if (line.startsWith(Parent.READY)) {
				return Arrays.stream(line.substring(Parent.READY.length()).split(" "))
					.mapToLong(Long::parseLong)
					.toArray();
			}
			output.append(line).append('\n');
		}
		throw new IllegalStateException("The application did not start. Its output:\n" + output);
	}

	/**
	 * Return the port that it serves.
	 */
	public long port() {
		return this.numbers[0];
	}

	/**
	 * Return the time from the start of its JVM until it was ready, in milliseconds.
	 */
	public long startMillis() {
		return this.numbers[1];
	}

	/**
	 * Return the bytes of its heap that survived garbage collection.
	 */
	public long retainedBytes() {
		return this.numbers[2];
	}

	/**
	 * Return the processor time that it has used since its start, in microseconds.
	 * @throws IllegalStateException if the system does not show it
	 */
	public long processorMicros() {
		return this.process.info()
			.totalCpuDuration()
			.map((time) -> TimeUnit.NANOSECONDS.toMicros(time.toNanos()))
			.orElseThrow(() -> new IllegalStateException("The system does not show the processor time of a process"));
	}

	/**
	 * Stop the application.
	 */
	@Override
	public void close() {
		try {
			this.process.getOutputStream().close();
			this.process.waitFor();
		}
		catch (IOException ex) {
			this.process.destroy();
		}
		catch (InterruptedException ex) {
			this.process.destroy();
			Thread.currentThread().interrupt();
		}
	}

}
