package io.github.ratelimit.benchmarks.session;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

import io.github.ratelimit.benchmarks.lane.RedisHotKey;
import io.github.ratelimit.benchmarks.measure.Documents;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class RegressionTests {

	@TempDir
	Path directory;

	private Page landed;

	private Path document;

	private int runs;

	@BeforeEach
	void write() throws IOException {
		this.document = Files.writeString(this.directory.resolve("benchmarks.md"),
				Files.readString(Documents.path("contributing/benchmarks.md")));
		this.landed = new Page(this.document);
		this.landed.replace("lane.RedisHotKey", hotKey(2));
	}

	@Test
	void sameTablesAreNotWorse() throws IOException {
		assertThat(Regression.worse(this.document, Watched.ALL, this::unchanged)).isEmpty();
	}

	@Test
	void ratioThatIsWorseInAllRunsFails() throws IOException {
		assertThat(worse(2.5, 2.6, 2.5)).singleElement()
			.asString()
			.startsWith("lane.RedisHotKey: **this library** of plain Lettuce, minimal bucket, Redis µs/decision: ")
			.endsWith("2.00 in the table, now 2.50 to 2.60");
	}

	@Test
	void aTenthWorseIsTolerated() throws IOException {
		assertThat(worse(2.15, 2.15, 2.15)).isEmpty();
	}

	@Test
	void ratioThatIsAsGoodInOneRunPasses() throws IOException {
		assertThat(worse(3, 3, 2)).isEmpty();
	}

	@Test
	void moreIsToleratedWhereRunsDifferMore() throws IOException {
		assertThat(worse(2.5, 3, 3)).isEmpty();
	}

	private List<String> worse(double... ratios) throws IOException {
		Function<Class<?>, String> measured = (lane) -> (lane == RedisHotKey.class) ? hotKey(ratios[this.runs++])
				: unchanged(lane);
		return Regression.worse(this.document, Watched.ALL, measured);
	}

	private String unchanged(Class<?> lane) {
		return this.landed.section("lane." + lane.getSimpleName());
	}

	private static String hotKey(double ratio) {
		return """
				|  | Redis µs/decision |
				| --- | ---: |
				| **this library** | %s |
				| plain Lettuce, minimal bucket | 1.00 |
				""".formatted(ratio);
	}

}
