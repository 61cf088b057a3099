package io.github.ratelimit.document;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Generates {@code docs/api.md}, the list of all types that are API, and compares it with
 * the POM and with the imports that documents show.
 */
class ApiTests {

	private static final Path ROOT = Path.of("..");

	private static final String INTRODUCTION = """
			# API

			Applications, and stores of other kinds, may use the types on this page. If a release changes one of them incompatibly,
			[Changes](../CHANGELOG.md) says so. All other types are internal to the library and may change in any release. Many of them are public only
			because other packages of the library need them. A nested type belongs to the type that contains it.

			The documentation of each internal package says that it is internal, and lists the exceptions. `ApiTests` generates this file from it.
			""";

	private static final Map<String, String> WHAT_FOR = Map.of("ratelimit-core",
			"Vocabulary, programmatic API, load signals and the port of stores.", "ratelimit-spring",
			"The annotation, and what applications with web requests and gateways use.",
			"ratelimit-spring-boot-autoconfigure",
			"The store in a database, see [database](database.md#a-pool-of-its-own).", "ratelimit-spring-boot-test",
			"Tests of applications, see [production](production.md#test-your-own-application).", "ratelimit-store-tck",
			"Tests of stores. They run for each service of this type on the class path.");

	/**
	 * Code that shows what applications do.
	 */
	private static final List<String> SHOWN = List.of("docs", "README.md", "README.zh-CN.md", "examples",
			"sample-app/src/main", "compatibility/kotlin", "compatibility/messages", "compatibility/migration",
			"compatibility/webflux", "compatibility/gradle",
			"compatibility/tests/src/test/java/io/github/ratelimit/compatibility/recipes");

	/**
	 * Says that it needs internal types.
	 */
	private static final String WITHOUT_BOOT = "docs/without-spring-boot.md";

	private static final Pattern IMPORT = Pattern
		.compile("(?m)^\\s*import (?:static )?(io\\.github\\.ratelimit\\.[\\w.]+)");

	private final Api api = Api.read();

	@Test
	void pageListsAllTypes() {
		StringBuilder page = new StringBuilder(INTRODUCTION);
		Map<String, List<Api.Package>> modules = this.api.packages()
			.collect(Collectors.groupingBy(Api.Package::module, TreeMap::new, Collectors.toList()));
		modules.forEach((module, packages) -> {
			page.append("\n## %s\n\n%s\n".formatted(module, WHAT_FOR.get(module)));
			packages.forEach((each) -> page.append("\n| `%s` | |\n| --- | --- |\n".formatted(each.name()))
				.append(each.api().stream().map(ApiTests::row).collect(Collectors.joining())));
		});
		CommittedFile.assertCommitted("api.md", page.toString());
	}

	private static String row(Api.Type type) {
		return "| [%s](../%s) | %s |\n".formatted(type.name(), type.source(), type.sentence());
	}

	@Test
	void thereAreFew() {
		assertThat(this.api.types()).hasSizeBetween(40, 65);
	}

	@Test
	void apiCheckComparesThem() throws IOException {
		List<String> compared = this.api.packages()
			.flatMap((each) -> each.isInternal() ? each.api().stream().map(Api.Type::fullName) : Stream.of(each.name()))
			.sorted()
			.toList();
		assertThat(Module.of(".").texts("japicmp-maven-plugin", "include")).containsExactlyElementsOf(compared);
	}

	@Test
	void publishedDocumentationContainsThem() throws IOException {
		List<String> published = this.api.packages()
			.flatMap((each) -> each.isInternal()
					? Stream.concat(each.api().stream().map(Api.Type::name), Stream.of("package-info"))
						.map((name) -> each.name().replace('.', '/') + '/' + name + ".java")
					: Stream.of(each.name().replace('.', '/') + "/*.java"))
			.sorted()
			.toList();
		assertThat(Module.of(".").texts("maven-javadoc-plugin", "sourceFileInclude"))
			.containsExactlyElementsOf(published);
	}

	/**
	 * A module with both, documentation and an empty jar in its place, has two Javadoc
	 * jars of the same name.
	 */
	@Test
	void onlyModulesWithoutThemHaveAnEmptyJavadocJar() throws IOException {
		Set<String> documented = this.api.packages().map(Api.Package::module).collect(Collectors.toSet());
		assertThat(Module.all()).filteredOn((module) -> module.isJar() && !module.hasEmptyJavadoc())
			.extracting(Module::folder)
			.containsExactlyInAnyOrderElementsOf(documented);
	}

	@Test
	void applicationsNeedNoOtherTypes() throws IOException {
		assertThat(internalImports()).containsOnlyKeys(WITHOUT_BOOT);
	}

	private Map<String, List<String>> internalImports() throws IOException {
		Map<String, List<String>> found = new TreeMap<>();
		for (Path file : shown()) {
			List<String> internal = new ArrayList<>();
			IMPORT.matcher(Files.readString(file))
				.results()
				.forEach((match) -> this.api.internal(match.group(1)).ifPresent(internal::add));
			if (!internal.isEmpty()) {
				found.put(ROOT.relativize(file).toString().replace('\\', '/'), internal);
			}
		}
		return found;
	}

	private static List<Path> shown() throws IOException {
		List<Path> shown = new ArrayList<>();
		for (String place : SHOWN) {
			try (Stream<Path> files = Files.walk(ROOT.resolve(place))) {
				files.filter((file) -> file.toString().matches(".*[.](md|java|kt)")).forEach(shown::add);
			}
		}
		assertThat(shown).hasSizeGreaterThan(100);
		return shown;
	}

}
