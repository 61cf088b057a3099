package io.github.ratelimit.document;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import org.springframework.util.PatternMatchUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The table of modules in {@code docs/contributing/architecture.md} is generated from the
 * POMs. With {@code -Dratelimit.test.draw=true} it is written instead of compared.
 */
class ModulesTests {

	private final List<Module> modules = Module.all();

	ModulesTests() throws IOException {
	}

	@Test
	void tableAgreesWithThePoms() throws IOException {
		String table = "| module | what it is | needs | uses if present |\n| --- | --- | --- | --- |\n"
				+ this.modules.stream()
					.filter((module) -> !module.description().isEmpty())
					.map(ModulesTests::row)
					.collect(Collectors.joining("\n"));
		PageSection section = new PageSection("contributing/architecture.md", "modules");
		if (Boolean.getBoolean("ratelimit.test.draw")) {
			section.write(table);
		}
		assertThat(section.read()).isEqualTo(table);
	}

	@Test
	void pageLeavesTheRestToTheClasses() throws IOException {
		int words = Files.readString(Path.of("..", "docs", "contributing", "architecture.md")).split("\\s+").length;
		assertThat(words)
			.as("words of docs/contributing/architecture.md. Take out as many as you add: classes explain themselves")
			.isLessThanOrEqualTo(2500);
	}

	@Test
	void everyPublishedModuleIsDescribed() {
		assertThat(this.modules).filteredOn(Module::isPublished)
			.hasSizeGreaterThan(5)
			.noneMatch((module) -> module.description().isEmpty());
	}

	@Test
	void coreNeedsNoLibrary() {
		assertThat(this.modules).filteredOn((module) -> module.folder().equals("ratelimit-core"))
			.singleElement()
			.satisfies((core) -> {
				assertThat(core.needed()).isEmpty();
				assertThat(core.used()).containsExactly("jspecify");
			});
	}

	@Test
	void bomListsEveryPublishedJar() throws IOException {
		List<String> jars = this.modules.stream().filter(Module::isJar).map(Module::folder).toList();
		assertThat(Module.of("ratelimit-bom").managed()).containsExactlyInAnyOrderElementsOf(jars);
	}

	@Test
	void oldestSupportedVersionsAreNotUpdated() throws IOException {
		String[] ignored = Pattern.compile("- dependency-name: '(.+)'")
			.matcher(Files.readString(Path.of("..", ".github", "dependabot.yml")))
			.results()
			.map((name) -> name.group(1))
			.toArray(String[]::new);
		List<String> oldest = Stream.concat(Stream.of(Module.of(".")), this.modules.stream())
			.flatMap((module) -> module.oldest().stream())
			.toList();
		assertThat(oldest).hasSizeGreaterThan(10).allMatch((each) -> PatternMatchUtils.simpleMatch(ignored, each));
	}

	private static String row(Module module) {
		return "| `%s` | %s | %s | %s |".formatted(module.folder(),
				module.description() + (module.isPublished() ? "" : " Not published."),
				names(module.isPublished() ? module.needed() : Set.of()),
				names(module.isPublished() ? module.used() : Set.of()));
	}

	private static String names(Set<String> artifacts) {
		return artifacts.stream().map((each) -> '`' + each + '`').collect(Collectors.joining(", "));
	}

}
