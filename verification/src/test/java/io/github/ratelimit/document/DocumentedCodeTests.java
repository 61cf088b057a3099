package io.github.ratelimit.document;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every code block is compiled, bound or run by a test, or listed here with the reason
 * why not.
 */
class DocumentedCodeTests {

	/**
	 * Languages whose blocks are all tested, by {@code DocumentedJavaTests} and
	 * {@code DocumentedYamlTests}.
	 */
	private static final Set<String> LANGUAGES_WITH_A_TEST = Set.of("java", "yaml");

	private static final Path ROOT = Path.of("..");

	private static final Pattern MAVEN = Pattern.compile(
			"<dependency>\\s+<groupId>(.+)</groupId>" + "\\s+<artifactId>(.+)</artifactId>\\s+<version>(.+)</version>");

	private static final Pattern GRADLE = Pattern.compile("'([\\w.]+):([\\w-]+):([\\w.-]+)'");

	private static final Map<String, String> OTHERS = new TreeMap<>(Map.ofEntries(
			Map.entry("CONTRIBUTING.md: mvn io.spring.javaformat:spring-javaformat-maven-plugin:apply",
					"changes sources; every build runs the validate of the same plugin"),
			Map.entry("CONTRIBUTING.md: mvn -q -Psoak package -DskipTests -pl soak -am",
					"takes ten minutes; its tests run the same for less"),
			Map.entry("CONTRIBUTING.md: mvn -Pbenchmarks test -pl benchmarks -am "
					+ "-Dtest='io/github/ratelimit/benchmarks/**'", "builds this module"),
			Map.entry("CONTRIBUTING.md: mvn -Papi-check verify -DskipTests "
					+ "-pl ratelimit-store-tck,ratelimit-spring-boot-test -am", "builds this module"),
			Map.entry("CONTRIBUTING.md: bash .ci/rehearse-release", "deploys a release, which takes minutes"),
			Map.entry("README.md: mvn -q spring-boot:run -pl sample-app -am",
					"starts a server until it is stopped; ForumApplicationTests starts the same class"),
			Map.entry("README.md: for i in 1 2 3 4 5 6; do curl -si -X POST "
					+ "'localhost:8080/replies?userId=laoqian'; echo; done", "run by DocumentedCommandTests"),
			Map.entry("README.md: HTTP/1.1 429", "compared by DocumentedCommandTests"),
			Map.entry("README.md: mvn verify", "runs this test"),
			Map.entry("README.md: mvn -q install -DskipTests -pl ratelimit-bom,ratelimit-spring-boot-starter,"
					+ "ratelimit-spring-boot-test -am", "changes the local repository"),
			Map.entry("README.md: <dependency>", "compared below"),
			Map.entry("README.md: repositories {", "compared below"),
			Map.entry("docs/ahead-of-time.md: java -Dspring.aot.enabled=true -jar target/forum.jar",
					"run by AheadOfTimeTests with the jar of the sample"),
			Map.entry(
					"docs/contributing/architecture.md: caller → proxy → RateLimitInterceptor    method = methods.get(…)        "
							+ "compiled at startup, immutable",
					"a picture"),
			Map.entry("docs/contributing/architecture.md: RestClient | RestTemplate | WebClient", "a picture"),
			Map.entry("docs/contributing/architecture.md: server → RequestLimitFilter | RequestLimitWebFilter",
					"a picture"),
			Map.entry("docs/contributing/benchmarks.md: mvn -q -Pbenchmarks package -DskipTests -pl benchmarks -am "
					+ "-Dbenchmark=lane.RedisHotKey", "takes minutes and a machine of its own"),
			Map.entry("docs/contributing/benchmarks.md: mvn -Pbenchmarks package -DskipTests -pl benchmarks -am "
					+ "-Dbenchmark=lane.All", "takes an hour and a machine of its own"),
			Map.entry("docs/concurrency.md: slots   max: 3", "a picture"),
			Map.entry("docs/configuration.md: Description:", "compared by PropertyMistakeTests"),
			Map.entry("docs/doors.md: \"x-ratelimit\"", "compared by OpenApiDocumentTests"),
			Map.entry("docs/redis.md: ACL SETUSER", "run by RedisUsersTests"),
			Map.entry("docs/operations.md: { \"rule\": \"search\"", "answers as TopTalkerTests compare them"),
			Map.entry("docs/operations.md: rules=localhost:8080/actuator/ratelimits",
					"requests as TopTalkerTests and OperateBrowserTests make them"),
			Map.entry("docs/operations.md: spring.data.redis.timeout=1s", "set by ActuatorTests"),
			Map.entry("docs/operations.md: curl -s localhost:8080/actuator/ratelimits", "sent by RuleEndpointTests"),
			Map.entry("docs/production.md: <dependency>", "compared below"),
			Map.entry("docs/production.md: HTTP/1.1 429", "compared by RecipeProductionTests"),
			Map.entry("docs/production.md: testImplementation", "compared below"),
			Map.entry("docs/production.md: for i in 1 2 3 4 5 6; do curl -si -X POST "
					+ "'localhost:8080/replies?userId=laoqian'; echo; done", "run by DocumentedCommandTests"),
			Map.entry("docs/run-time-rules.md: management.endpoints.web.exposure.include=health,ratelimits",
					"set by OperatorSessionTests"),
			Map.entry("docs/run-time-rules.md: {", "answers as CandidateEndpointTests compare them"),
			Map.entry("docs/run-time-rules.md: curl -s -X POST $reply",
					"requests as RecipeCandidatesTests and CandidateEndpointTests make them"),
			Map.entry("docs/run-time-rules.md: forum=http://localhost:8080", "run by OperatorSessionTests"),
			Map.entry("docs/contributing/stores.md: <dependency>", "compared below"),
			Map.entry("docs/contributing/stores.md: <plugin>", "ratelimit-redis runs the tests in the same way"),
			Map.entry("docs/contributing/stores.md: com.example.store.HashMapStoreUnderTest",
					"the file of the example"),
			Map.entry("docs/troubleshooting.md: <plugin>", "compared below"),
			Map.entry("docs/troubleshooting.md: tasks.withType(JavaCompile)", "no build here uses Gradle"),
			Map.entry("docs/troubleshooting.md: <dependency>", "compared below")));

	@Test
	void everyBlockHasATestOrAReason() {
		assertThat(others())
			.allSatisfy((block) -> assertThat(OTHERS.keySet()).anyMatch((known) -> block.toString().startsWith(known)));
	}

	@Test
	void everyReasonHasABlock() {
		assertThat(OTHERS.keySet())
			.allSatisfy((known) -> assertThat(others()).anyMatch((block) -> block.toString().startsWith(known)));
	}

	@ParameterizedTest
	@MethodSource("dependencies")
	void dependenciesAreModulesOfThisVersion(List<String> coordinates) throws IOException {
		String pom = Files.readString(ROOT.resolve(coordinates.get(1)).resolve("pom.xml"));
		assertThat(pom).contains("<groupId>" + coordinates.get(0) + "</groupId>",
				"<artifactId>" + coordinates.get(1) + "</artifactId>", "<version>" + coordinates.get(2) + "</version>");
	}

	static Stream<List<String>> dependencies() {
		return others().stream()
			.flatMap((block) -> Stream.of(MAVEN, GRADLE).flatMap((pattern) -> pattern.matcher(block.code()).results()))
			.map((match) -> List.of(match.group(1), match.group(2), match.group(3)));
	}

	@Test
	void dependenciesAreForMavenAndForGradle() {
		assertThat(others()).filteredOn((block) -> MAVEN.matcher(block.code()).find())
			.extracting(CodeBlock::document)
			.contains("README.md", "docs/production.md", "docs/troubleshooting.md");
		assertThat(others()).filteredOn((block) -> GRADLE.matcher(block.code()).find())
			.extracting(CodeBlock::document)
			.contains("README.md", "docs/production.md");
	}

	@Test
	void compilerIsThatOfThisBuild() throws IOException {
		String plugin = others().stream()
			.map(CodeBlock::code)
			.filter((code) -> code.contains("maven-compiler-plugin"))
			.findFirst()
			.orElseThrow();
		assertThat(withoutSpaces(Files.readString(ROOT.resolve("pom.xml"))))
			.contains(withoutSpaces(plugin.substring(plugin.indexOf("<groupId>"), plugin.indexOf("<configuration>"))))
			.contains("<parameters>true</parameters>");
	}

	private static String withoutSpaces(String text) {
		return text.replaceAll("\\s", "");
	}

	private static List<CodeBlock> others() {
		return DocumentedCode.blocks().filter((block) -> !LANGUAGES_WITH_A_TEST.contains(block.language())).toList();
	}

}
