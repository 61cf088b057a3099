package io.github.ratelimit.document;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What commands of documents, scripts and workflows name exists. Maven only warns about
 * unknown profiles and, without tests in upstream modules, about unknown tests.
 */
class CommandsTests {

	private static final Path ROOT = Path.of("..");

	private static final Pattern PROFILES = Pattern.compile("mvn[^`]*? -P([a-z0-9-]+(?:,[a-z0-9-]+)*)");

	/** Of a command, or of the matrix of a workflow. */
	private static final Pattern TESTS = Pattern.compile("(?m)(?:-Dtest='?|^ +- (?=\\w+Tests$))([\\w*.,/]+)");

	private static final Pattern BENCHMARKS = Pattern.compile("-Dbenchmark=([\\w.]+\\w)");

	private static final Pattern MODULES = Pattern.compile(" -pl ([\\w./-]+(?:,[\\w./-]+)*)");

	private static final Pattern PROFILE = Pattern.compile("<profile>\\s*(?:<!--.*?-->\\s*)?<id>([^<]+)</id>",
			Pattern.DOTALL);

	private static Set<String> profiles;

	private static List<Path> classes;

	@BeforeAll
	static void find() throws IOException {
		profiles = find((name) -> name.equals("pom.xml")).stream()
			.flatMap((file) -> matches(PROFILE, file))
			.collect(Collectors.toSet());
		classes = find((name) -> name.endsWith(".java"));
	}

	private static List<Path> find(Predicate<String> name) throws IOException {
		try (Stream<Path> files = Files.find(ROOT, Integer.MAX_VALUE, (file,
				attributes) -> name.test(file.getFileName().toString()) && !file.toString().contains("/target/"))) {
			return files.toList();
		}
	}

	static Stream<Path> withCommands() throws IOException {
		try (Stream<Path> workflows = Files.list(ROOT.resolve(".github/workflows"));
				Stream<Path> scripts = Files.list(ROOT.resolve(".ci"))) {
			return Stream.of(Markdown.all().map(Markdown::file), workflows, scripts)
				.flatMap((files) -> files)
				.toList()
				.stream();
		}
	}

	@ParameterizedTest
	@MethodSource("withCommands")
	void profilesExist(Path file) {
		assertThat(names(PROFILES, file)).isSubsetOf(profiles);
	}

	@ParameterizedTest
	@MethodSource("withCommands")
	void testsExist(Path file) {
		assertThat(names(TESTS, file).filter((name) -> !name.equals("None")).map((name) -> name.replace('.', '/')))
			.allMatch(CommandsTests::isClass);
	}

	@ParameterizedTest
	@MethodSource("withCommands")
	void benchmarksExist(Path file) {
		assertThat(names(BENCHMARKS, file).map((name) -> name.replace('.', '/'))).allMatch(CommandsTests::isClass);
	}

	@ParameterizedTest
	@MethodSource("withCommands")
	void modulesExist(Path file) {
		assertThat(names(MODULES, file)).allMatch((name) -> Files.exists(ROOT.resolve(name).resolve("pom.xml")));
	}

	@Test
	void areFound() {
		Path workflow = ROOT.resolve(".github/workflows/random.yml");
		assertThat(names(PROFILES, workflow)).contains("fuzz", "ci", "soak");
		assertThat(names(TESTS, workflow)).contains("RedisTlsTests", "RollingDeployment");
		assertThat(names(MODULES, workflow)).contains("compatibility/boot-4.0", "verification");
		assertThat(names(BENCHMARKS, ROOT.resolve(".github/workflows/benchmarks.yml"))).contains("session.Regression");
		assertThat(profiles).contains("ci", "fuzz", "mutation", "soak");
	}

	/** Nothing needs the BOM, so Maven does not install it with another module. */
	@Test
	void readmeInstallsTheBom() {
		assertThat(names(MODULES, ROOT.resolve("README.md"))).contains("ratelimit-bom");
	}

	/**
	 * The profile {@code ci} is active where CI is set, and adds the examples, whose
	 * parent deploys them.
	 */
	@ParameterizedTest
	@ValueSource(strings = { ".github/workflows/release.yml", ".ci/rehearse-release" })
	void releasesLeaveOutTheExamples(String file) throws IOException {
		assertThat(Files.readString(ROOT.resolve(file)).lines().filter((line) -> line.contains(" deploy ")))
			.singleElement()
			.asString()
			.contains(" -Prelease,!ci ");
	}

	@Test
	void nightRunsAllInterleavings() {
		Stream<String> all = classes.stream()
			.filter((file) -> file.startsWith(ROOT.resolve("verification")))
			.map((file) -> file.getFileName().toString().replace(".java", ""))
			.filter((name) -> name.endsWith("ConcurrencyTests"));
		assertThat(names(TESTS, ROOT.resolve(".github/workflows/random.yml"))
			.filter((name) -> name.endsWith("ConcurrencyTests"))).containsExactlyInAnyOrderElementsOf(all.toList());
	}

	private static boolean isClass(String name) {
		return classes.stream()
			.anyMatch((file) -> FileSystems.getDefault().getPathMatcher("glob:**/" + name + ".java").matches(file));
	}

	private static Stream<String> names(Pattern pattern, Path file) {
		return matches(pattern, file).flatMap((list) -> Stream.of(list.split(","))).distinct();
	}

	private static Stream<String> matches(Pattern pattern, Path file) {
		try {
			return pattern.matcher(Files.readString(file)).results().map((found) -> found.group(1)).toList().stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
