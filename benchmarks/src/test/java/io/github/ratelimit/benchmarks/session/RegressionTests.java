package io.github.ratelimit.benchmarks.session;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;

import io.github.ratelimit.benchmarks.lane.RedisHotKey;
import io.github.ratelimit.benchmarks.measure.Documents;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

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
			.endsWith("2.00 in the table, now 2.50 to 2.60, of which the best may be 2.29");
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

	@Test
	void runsThatDifferALotHideNoMoreThanADoubling() throws IOException {
		assertThat(worse(4.3, 9, 90)).isEmpty();
		this.runs = 0;
		assertThat(worse(4.5, 9, 90)).hasSize(1);
	}

	@Test
	void onlyRowsThatAreComparedAreMeasured() {
		assertThat(Watched.ALL).allSatisfy((each) -> assertThat(List.of(each.row(), each.reference()))
			.allMatch((row) -> Pattern.compile(Watched.rows(each.lane())).matcher(row).find()));
		assertThat(Pattern.compile(Watched.rows(RedisHotKey.class)).asPredicate())
			.rejects("this library without batching", "bucket4j", "**this library**, three plans");
	}

	@Test
	void comparisonOfNothingFails() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> Regression.worse(this.document, List.of(), this::unchanged))
			.withMessageStartingWith("LANES selects no lane that is compared: [lane.LocalDecision, ");
	}

	@Test
	void rowThatIsNotInTheTableFailsBeforeAnythingIsMeasured() {
		this.landed.replace("lane.RedisHotKey", hotKey("2.00", 0).replace("plain Lettuce", "Lettuce"));
		assertThatIllegalArgumentException().isThrownBy(() -> worse())
			.withMessage("There is no row plain Lettuce, minimal bucket in lane.RedisHotKey");
	}

	@ParameterizedTest
	@CsvSource({ "2.00, 1", "NaN, 0", "0.00, 0" })
	void measurementThatSaysNothingFails(String ratio, int failed) {
		assertThatIllegalStateException()
			.isThrownBy(() -> Regression.worse(this.document, Watched.ALL,
					(lane) -> (lane == RedisHotKey.class) ? hotKey(ratio, failed) : unchanged(lane)))
			.withMessageContaining("lane.RedisHotKey");
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
		return hotKey(String.valueOf(ratio), 0);
	}

	private static String hotKey(String ratio, int failed) {
		return """
				|  | Redis µs/decision | failed |
				| --- | ---: | ---: |
				| **this library** | %s | %s |
				| plain Lettuce, minimal bucket | 1.00 | 0 |
				""".formatted(ratio, failed);
	}

}
