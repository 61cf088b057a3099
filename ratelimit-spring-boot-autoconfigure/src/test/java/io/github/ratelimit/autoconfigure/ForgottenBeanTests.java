package io.github.ratelimit.autoconfigure;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.autoconfigure.forgotten.ForgottenApplication;
import io.github.ratelimit.autoconfigure.manyforgotten.ManyForgottenApplication;
import io.github.ratelimit.engine.RecordedLog;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A warning names annotated classes that are not beans; the application starts.
 */
class ForgottenBeanTests {

	private static final String FORGOTTEN = ForgottenApplication.class.getPackageName() + ".Forgotten";

	private static final String MANY = ManyForgottenApplication.class.getName() + '$';

	@TempDir
	private Path directory;

	private final ApplicationContextRunner runner = LimitedApplication.runner();

	@AutoClose
	private final RecordedLog log = new RecordedLog(ForgottenBeanWarning.class);

	/**
	 * Return an application whose classes are no longer those of a test.
	 */
	private ApplicationContextRunner application(Class<?> application, String classes) throws IOException {
		Path root = this.directory.resolve(classes);
		String name = application.getPackageName().replace('.', '/');
		Path target = Files.createDirectories(root.resolve(name));
		Path compiled = new ClassPathResource(name).getFile().toPath();
		try (Stream<Path> files = Files.list(compiled)) {
			for (Path each : files.toList()) {
				Files.copy(each, target.resolve(each.getFileName()));
			}
		}
		return this.runner.withUserConfiguration(application)
			.withClassLoader(new URLClassLoader(new URL[] { root.toUri().toURL() }, getClass().getClassLoader()));
	}

	@Test
	void annotatedClassesThatAreNotBeansAreNamedInOneLine() throws IOException {
		application(ForgottenApplication.class, "classes").run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.log.lines()).containsExactly("WARNING No bean of the application is a " + FORGOTTEN + ", or a "
				+ FORGOTTEN + "Class, or a " + FORGOTTEN
				+ "Twice, so no proxy sees the calls of its methods, and @RateLimited does not limit them. "
				+ "Make it a bean, with @Component for example, and call that.");
	}

	@Test
	void fiveOfManyAreNamedAndTheOthersCounted() throws IOException {
		application(ManyForgottenApplication.class, "classes").run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.log.lines()).hasSize(8)
			.contains("FINE Not a bean: " + MANY + "H")
			.last()
			.asString()
			.startsWith("WARNING No bean of the application is a " + MANY + "A, or a " + MANY + "C, or a " + MANY
					+ "D, or a " + MANY + "E, or a " + MANY
					+ "F, or one of 2 more that are logged at DEBUG, so no proxy sees");
	}

	@ParameterizedTest
	@ValueSource(strings = { "target/test-classes", "build/classes/java/test", "build/classes/kotlin/integrationTest",
			"out/test/forum", "bin/test" })
	void classesOfTestsAreNotNamed(String classes) throws IOException {
		application(ForgottenApplication.class, classes).run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.log.lines()).isEmpty();
	}

	@Test
	void beansOfAParentContextAreNotForgotten() throws Exception {
		ApplicationContextRunner parents = this.runner;
		for (String suffix : List.of("", "Class", "Twice")) {
			parents = parents.withBean(Class.forName(FORGOTTEN + suffix));
		}
		ApplicationContextRunner application = application(ForgottenApplication.class, "classes");
		parents.run((parent) -> application.withParent(parent).run((context) -> assertThat(context).hasNotFailed()));
		assertThat(this.log.lines()).isEmpty();
	}

	@Test
	void noSearchIfNothingIsLimited() throws IOException {
		application(ForgottenApplication.class, "classes").withPropertyValues("ratelimit.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.log.lines()).isEmpty();
	}

	@Test
	void noSearchWithoutPackagesOfAnApplication() {
		this.runner.withBean(Limited.class).run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.log.lines()).isEmpty();
	}

	static class Limited {

		@RateLimited(max = 5, period = 60)
		public void call() {
		}

	}

}
