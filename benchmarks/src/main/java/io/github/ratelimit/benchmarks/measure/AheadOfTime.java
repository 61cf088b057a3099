package io.github.ratelimit.benchmarks.measure;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import io.github.ratelimit.benchmarks.measure.AotCache.Application;

import org.springframework.boot.SpringApplicationAotProcessor;
import org.springframework.util.FileSystemUtils;

/**
 * Processing of applications ahead of time, as the goal {@code process-aot} of Spring
 * Boot's Maven plugin does it. The generated classes are an entry of the class path, in
 * front of the application.
 */
public final class AheadOfTime implements AutoCloseable {

	private final Path directory;

	private AheadOfTime(Path directory) {
		this.directory = directory;
	}

	/**
	 * Create a directory for what is generated.
	 */
	public static AheadOfTime create() {
		try {
			return new AheadOfTime(Files.createTempDirectory("ahead-of-time"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Process an application.
	 * @return the application with what was generated, which it uses by a file
	 * {@code spring.properties}
	 */
	public Application process(Application application) {
		Path sources = this.directory.resolve(application.name() + "-sources");
		Path classes = this.directory.resolve(application.name());
		try {
			generate(application, sources, classes);
			compile(application, sources, classes);
			Files.writeString(classes.resolve("spring.properties"), "spring.aot.enabled=true");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return new Application(application.name() + "-processed",
				classes + File.pathSeparator + application.classPath(), application.main(), application.arguments());
	}

	private static void generate(Application application, Path sources, Path classes) throws IOException {
		List<String> command = new ArrayList<>(List.of(Child.JAVA.toString(), "-cp", application.classPath(),
				SpringApplicationAotProcessor.class.getName(), application.main().getName(), sources.toString(),
				classes.toString(), classes.toString(), "benchmark", "forum"));
		command.addAll(application.arguments());
		Process process = new ProcessBuilder(command).inheritIO().start();
		try {
			if (process.waitFor() != 0) {
				throw new IllegalStateException("Processing " + application.name() + " ahead of time failed.");
			}
		}
		catch (InterruptedException ex) {
			process.destroy();
			Thread.currentThread().interrupt();
		}
	}

	private static void compile(Application application, Path sources, Path classes) throws IOException {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		try (Stream<Path> all = Files.walk(sources);
				StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
			List<Path> written = all.filter(Files::isRegularFile).toList();
			List<String> options = List.of("-nowarn", "-proc:none", "--release", "17", "-d", classes.toString(), "-cp",
					classes + File.pathSeparator + application.classPath());
			if (!compiler.getTask(null, files, null, options, null, files.getJavaFileObjectsFromPaths(written))
				.call()) {
				throw new IllegalStateException("The code generated for " + application.name() + " does not compile.");
			}
		}
	}

	/**
	 * Delete what was generated.
	 */
	@Override
	public void close() {
		try {
			FileSystemUtils.deleteRecursively(this.directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
