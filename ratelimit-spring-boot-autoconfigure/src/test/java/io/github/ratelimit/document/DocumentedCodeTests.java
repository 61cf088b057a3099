package io.github.ratelimit.document;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

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

	private static final Map<String, String> OTHERS = new TreeMap<>(Map.ofEntries(
			Map.entry("CONTRIBUTING.md: mvn io.spring.javaformat:spring-javaformat-maven-plugin:apply",
					"changes sources; every build runs the validate of the same plugin"),
			Map.entry("CONTRIBUTING.md: mvn -q -Pbenchmarks package -DskipTests -pl benchmarks -am "
					+ "-Dbenchmark=soak.Soak", "takes ten minutes and a machine of its own"),
			Map.entry("CONTRIBUTING.md: mvn -Pbenchmarks test -pl benchmarks -am "
					+ "-Dtest='io/github/ratelimit/benchmarks/**'", "builds this module"),
			Map.entry(
					"CONTRIBUTING.md: mvn -Papi-check verify -DskipTests "
							+ "-pl ratelimit-spring-boot-autoconfigure,ratelimit-spring-boot-test -am",
					"builds this module"),
			Map.entry("CONTRIBUTING.md: mvn -Prelease package", "builds this module, and needs plugins of releases"),
			Map.entry("README.md: mvn -q spring-boot:run -pl sample-app -am",
					"starts a server until it is stopped; ForumApplicationTests starts the same class"),
			Map.entry("README.md: for i in 1 2 3 4 5 6; do curl -si -X POST "
					+ "'localhost:8080/replies?userId=laoqian'; echo; done", "run by DocumentedCommandTests"),
			Map.entry("README.md: mvn verify", "runs this test"),
			Map.entry("README.md: <dependency>", "compared below"),
			Map.entry("docs/ahead-of-time.md: java -Dspring.aot.enabled=true -jar target/forum.jar",
					"run by AheadOfTimeTests with the jar of the sample"),
			Map.entry("docs/algorithms.md: slots   max: 3", "a picture"),
			Map.entry("docs/architecture.md: caller → proxy → RateLimitInterceptor    method = methods.get(…)        "
					+ "compiled at start-up, immutable", "a picture"),
			Map.entry("docs/architecture.md: RestClient | RestTemplate | WebClient", "a picture"),
			Map.entry("docs/architecture.md: server → RequestLimitFilter | RequestLimitWebFilter", "a picture"),
			Map.entry("docs/benchmarks.md: mvn -q -Pbenchmarks package -DskipTests -pl benchmarks -am "
					+ "-Dbenchmark=lane.RedisHotKey", "takes minutes and a machine of its own"),
			Map.entry("docs/benchmarks.md: mvn -Pbenchmarks package -DskipTests -pl benchmarks -am "
					+ "-Dbenchmark=lane.All", "takes an hour and a machine of its own"),
			Map.entry("docs/configuration.md: Description:", "compared by PropertyMistakeTests"),
			Map.entry("docs/operations.md: ACL SETUSER", "run by RedisUsersTests"),
			Map.entry("docs/operations.md: management.endpoints.web.exposure.include=health,ratelimits",
					"set by OperatorSessionTests"),
			Map.entry("docs/operations.md: spring.data.redis.timeout=1s", "set by ActuatorTests"),
			Map.entry("docs/operations.md: forum=http://localhost:8080", "run by OperatorSessionTests"),
			Map.entry("docs/production.md: <dependency>", "compared below"),
			Map.entry("docs/production.md: testImplementation", "compared below"),
			Map.entry("docs/production.md: for i in 1 2 3 4 5 6; do curl -si -X POST "
					+ "'localhost:8080/replies?userId=laoqian'; echo; done", "run by DocumentedCommandTests")));

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

	@Test
	void dependenciesAreModulesOfThisVersion() throws IOException {
		String starter = pom("ratelimit-spring-boot-starter");
		String test = pom("ratelimit-spring-boot-test");
		assertThat(others()).filteredOn((block) -> block.language().equals("xml")).hasSize(3).allSatisfy((block) -> {
			List<String> coordinates = block.code()
				.lines()
				.map(String::strip)
				.filter((line) -> !line.contains("dependency>") && !line.contains("scope>"))
				.toList();
			String pom = block.code().contains("<scope>test</scope>") ? test : starter;
			assertThat(coordinates).hasSize(3).allSatisfy((line) -> assertThat(pom).contains(line));
		});
	}

	@Test
	void gradleHasTheCoordinatesOfMaven() {
		assertThat(others()).filteredOn((block) -> block.language().equals("groovy"))
			.singleElement()
			.satisfies((block) -> {
				String[] coordinates = block.code().strip().split("'")[1].split(":");
				assertThat(others()).filteredOn((other) -> other.code().contains("<scope>test</scope>"))
					.singleElement()
					.satisfies((maven) -> assertThat(maven.code()).contains('>' + coordinates[0] + '<',
							'>' + coordinates[1] + '<', '>' + coordinates[2] + '<'));
			});
	}

	private static String pom(String module) throws IOException {
		return Files.readString(Path.of("..", module, "pom.xml"));
	}

	private static List<CodeBlock> others() {
		return DocumentedCode.blocks().filter((block) -> !LANGUAGES_WITH_A_TEST.contains(block.language())).toList();
	}

}
