package io.github.ratelimit.compatibility;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import javax.tools.ToolProvider;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.SpringApplicationAotProcessor;
import org.springframework.context.aot.AbstractAotProcessor.Settings;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Choice of the store by an application that was processed ahead of time, in a JVM of its
 * own.
 */
@OnOuterLines
class AheadOfTimeStoreTests {

	@TempDir
	static Path directory;

	@BeforeAll
	static void processAheadOfTime() throws IOException {
		for (String store : List.of("jdbc", "local")) {
			Path sources = directory.resolve("sources");
			Path classes = Files.createDirectories(directory.resolve(store));
			Settings settings = Settings.builder()
				.sourceOutput(sources)
				.resourceOutput(classes)
				.classOutput(classes)
				.groupId("forum")
				.artifactId("forum")
				.build();
			new SpringApplicationAotProcessor(ProcessedForum.class, settings,
					new String[] { "--ratelimit.store=" + store })
				.process();
			compile(sources, classes);
		}
	}

	private static void compile(Path sources, Path classes) throws IOException {
		List<String> arguments = new ArrayList<>(
				List.of("-proc:none", "-nowarn", "-d", classes.toString(), "-cp", classPath(classes)));
		try (Stream<Path> files = Files.walk(sources)) {
			files.map(Path::toString).filter((file) -> file.endsWith(".java")).forEach(arguments::add);
		}
		assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
			.isZero();
	}

	private static String classPath(Path classes) {
		return classes + System.getProperty("path.separator") + System.getProperty("java.class.path");
	}

	@ParameterizedTest(name = "built with {0}, started with {1}")
	@CsvSource({ "jdbc, jdbc, Jdbc, true", "jdbc, local, Local, false", "jdbc, redis, Redis, true",
			"local, jdbc, Jdbc, true", "local, local, Local, false" })
	void isMadeAtStartup(String built, String started, String store, boolean areOverridesShared) {
		assertThat(start(built, "--ratelimit.store=" + started)).contains("Starting AOT-processed ProcessedForum")
			.contains("Counted in " + store + "RateLimitStore, overrides shared: " + areOverridesShared);
	}

	private static String start(String built, String... arguments) {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
						"-Dspring.aot.enabled=true", "-cp", classPath(directory.resolve(built)),
						ProcessedForum.class.getName()));
		command.addAll(List.of(arguments));
		try {
			Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
			try (InputStream output = process.getInputStream()) {
				return new String(output.readAllBytes(), StandardCharsets.UTF_8);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
