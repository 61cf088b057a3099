package io.github.ratelimit.benchmarks.lane;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.benchmarks.measure.Documents;
import io.github.ratelimit.benchmarks.session.Page;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

class AllTests {

	@Test
	void everyLaneHasASectionOfTheDocument() {
		Page page = new Page(Documents.path("contributing/benchmarks.md"));
		assertThatNoException()
			.isThrownBy(() -> All.LANES.forEach((lane) -> page.section("lane." + lane.getSimpleName())));
	}

	@Test
	void everyLaneIsThere() throws IOException {
		try (Stream<Path> sources = Files.list(Path.of("src/main/java/io/github/ratelimit/benchmarks/lane"))) {
			Set<String> lanes = sources.filter(AllTests::runs)
				.map((source) -> source.getFileName().toString().replace(".java", ""))
				.collect(Collectors.toSet());
			lanes.remove(All.class.getSimpleName());
			assertThat(All.LANES).map(Class::getSimpleName).containsExactlyInAnyOrderElementsOf(lanes);
		}
	}

	private static boolean runs(Path source) {
		try {
			return Files.readString(source).contains("public static void main(");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
