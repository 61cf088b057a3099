package io.github.ratelimit.store.redis;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Script that a class reads when it is loaded, and its tests. So each text is tested in a
 * JVM of its own.
 *
 * @param file the name of the file, without the extension
 * @param classes the tests
 */
record TestedScript(String file, List<Class<?>> classes) {

	/**
	 * Seconds after which a script is taken for one that never ends.
	 */
	private static final int LONGEST = 300;

	/**
	 * Run the tests of this JVM, until one fails: then end with 1.
	 * @param classes the names of their classes
	 */
	public static void main(String[] classes) {
		LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
			.selectors(Stream.of(classes).map(DiscoverySelectors::selectClass).toList())
			.build();
		LauncherFactory.create().execute(request, new TestExecutionListener() {

			@Override
			public void executionFinished(TestIdentifier test, TestExecutionResult result) {
				if (result.getStatus() == TestExecutionResult.Status.FAILED) {
					System.exit(1);
				}
			}

		});
		System.exit(0);
	}

	/**
	 * Return whether a test fails with this text of the script.
	 */
	boolean fail(String text) throws IOException {
		if (this.classes.isEmpty()) {
			return false;
		}
		Path directory = Files.createTempDirectory("script");
		Path script = directory.resolve("META-INF/ratelimit/" + this.file + ".lua");
		try {
			Files.createDirectories(script.getParent());
			Files.writeString(script, text);
			List<String> command = new ArrayList<>(
					List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC",
							"-XX:TieredStopAtLevel=1",
							"-Dratelimit.test.steps=" + Integer.getInteger("ratelimit.test.steps", 1000), "-cp",
							directory + File.pathSeparator + System.getProperty("java.class.path"),
							TestedScript.class.getName()));
			this.classes.forEach((each) -> command.add(each.getName()));
			return fails(new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.start());
		}
		finally {
			Files.delete(script);
		}
	}

	private static boolean fails(Process tests) {
		try {
			if (tests.waitFor(LONGEST, TimeUnit.SECONDS)) {
				return tests.exitValue() != 0;
			}
			tests.descendants().forEach(ProcessHandle::destroyForcibly);
			tests.destroyForcibly().waitFor();
			return true;
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
