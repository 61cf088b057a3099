package io.github.ratelimit.document;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The projects in {@code examples} use the versions of this build. Its reactor builds
 * them, except those for Gradle and WebFlux, whose sources it compiles: Gradle does not
 * run, and Netty's native libraries are not in every repository.
 */
class ExamplesTests {

	private static final Path ROOT = Path.of("..");

	private static final String PARENT = Sources.read(ROOT.resolve("pom.xml"));

	private static final String VERSION = first("<version>(.+?)</version>", PARENT);

	private static final String BOOT = first("<boot.current>(.+?)</boot.current>", PARENT);

	@ParameterizedTest
	@MethodSource
	void mavenProjectHasTheVersionsOfThisBuild(Path project) {
		String pom = Sources.read(project.resolve("pom.xml"));
		assertThat(first("(?s)<parent>.*?<version>(.+?)</version>", pom)).isEqualTo(BOOT);
		assertThat(first("<ratelimit.version>(.+?)</ratelimit.version>", pom)).isEqualTo(VERSION);
	}

	@ParameterizedTest
	@MethodSource("mavenProjectHasTheVersionsOfThisBuild")
	void mavenProjectIsAModule(Path project) {
		String name = project.getFileName().toString();
		assertThat(PARENT)
			.contains("<module>" + (name.equals("webflux") ? "compatibility/" : "examples/") + name + "</module>");
	}

	@Test
	void webFluxProjectHasTheDependenciesThatItsSourcesAreCompiledWith() {
		assertThat(dependencies("examples/webflux/pom.xml")).hasSize(4)
			.containsExactlyElementsOf(dependencies("compatibility/webflux/pom.xml"));
	}

	@ParameterizedTest
	@MethodSource("mavenProjectHasTheVersionsOfThisBuild")
	void mavenProjectExcludesNothing(Path project) {
		assertThat(Sources.read(project.resolve("pom.xml"))).doesNotContain("<exclusion>");
	}

	static List<Path> mavenProjectHasTheVersionsOfThisBuild() {
		return projects().filter((project) -> Files.exists(project.resolve("pom.xml"))).toList();
	}

	@Test
	void gradleProjectHasTheVersionsOfThisBuild() {
		String build = gradle();
		assertThat(first("id\\(\"org.springframework.boot\"\\) version \"(.+?)\"", build)).isEqualTo(BOOT);
		assertThat(first("val ratelimitVersion = \"(.+?)\"", build)).isEqualTo(VERSION);
	}

	@Test
	void gradleProjectHasTheDependenciesThatItsSourcesAreCompiledWith() {
		assertThat(all("(?:mplementation|RuntimeOnly)\\(\"([^:]+:[^:\"]+)", gradle())).hasSize(5)
			.containsExactlyElementsOf(dependencies("compatibility/gradle/pom.xml"));
	}

	private static List<String> dependencies(String file) {
		String pom = Sources.read(ROOT.resolve(file));
		return all("(?s)<dependency>\\s*<groupId>(.+?)</groupId>\\s*<artifactId>(.+?)</artifactId>",
				pom.substring(Math.max(0, pom.indexOf("</dependencyManagement>"))));
	}

	@Test
	void containersMountTheSampleOfThisBuildAndFilesThatExist() {
		Path containers = ROOT.resolve("examples/containers");
		List<String> mounted = all("- (\\.[^:]+):/", Sources.read(containers.resolve("compose.yaml")));
		assertThat(mounted).hasSize(6).startsWith("../../sample-app/target/sample-app-" + VERSION + ".jar");
		assertThat(mounted.subList(1, 6)).allSatisfy((file) -> assertThat(containers.resolve(file)).exists());
	}

	@Test
	void bomNamesTheHomePageOfTheOtherModules() {
		String homePage = "<home.page>(.+?)</home.page>";
		assertThat(all(homePage, Sources.read(ROOT.resolve("ratelimit-bom/pom.xml")))).isEqualTo(all(homePage, PARENT))
			.hasSize(1);
	}

	@ParameterizedTest
	@MethodSource("projects")
	void readmeHasNoBrokenLink(Path project) {
		assertThat(Links.broken(Markdown.read("examples/" + project.getFileName() + "/README.md"))).isEmpty();
	}

	@Test
	void readmeListsAllProjects() {
		Markdown readme = Markdown.read("examples/README.md");
		assertThat(readme.targets()).containsExactlyInAnyOrderElementsOf(
				projects().map((project) -> project.getFileName().toString()).toList());
	}

	static Stream<Path> projects() {
		try (Stream<Path> files = Files.list(ROOT.resolve("examples"))) {
			return files.filter(Files::isDirectory).sorted().toList().stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String gradle() {
		return Sources.read(ROOT.resolve("examples/gradle/build.gradle.kts"));
	}

	private static String first(String pattern, String text) {
		return all(pattern, text).get(0);
	}

	/**
	 * Return what the groups of each match contain, joined by colons.
	 */
	private static List<String> all(String pattern, String text) {
		return Pattern.compile(pattern)
			.matcher(text)
			.results()
			.map((match) -> (match.groupCount() == 1) ? match.group(1) : match.group(1) + ':' + match.group(2))
			.toList();
	}

}
