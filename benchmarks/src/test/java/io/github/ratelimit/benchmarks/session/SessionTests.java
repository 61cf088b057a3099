package io.github.ratelimit.benchmarks.session;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class SessionTests {

	private static final Conditions QUIET = new Conditions(0, 2, 0, 100_000, 100_000);

	private static final Conditions DISTURBED = new Conditions(9, 9, 5, 100_000, 50_000);

	@TempDir
	Path directory;

	private Page page;

	private int runs;

	@BeforeEach
	void write() throws IOException {
		this.page = new Page(Files.writeString(this.directory.resolve("page.md"), """
				<!-- begin lane.One -->
				old
				<!-- end lane.One -->
				"""));
	}

	@Test
	void quietMeasurementIsWrittenWithItsConditions() {
		Session session = session(QUIET);
		session.measure("lane.One", this::report);
		assertThat(this.page.section("lane.One")).isEqualTo("report 1\n\n" + QUIET.describe());
		assertThat(session.failures()).isEmpty();
	}

	@Test
	void disturbedMeasurementIsRepeated() {
		session(DISTURBED, QUIET).measure("lane.One", this::report);
		assertThat(this.page.section("lane.One")).isEqualTo("report 2\n\n" + QUIET.describe());
	}

	@Test
	void measurementIsRepeatedOnce() {
		session(DISTURBED, DISTURBED).measure("lane.One", this::report);
		assertThat(this.page.section("lane.One"))
			.isEqualTo("report 2\n\n" + DISTURBED.describe() + "\nDisturbed in both attempts.");
	}

	@Test
	void lanesThatFailKeepTheirTablesAndTheOthersGoOn() {
		Session session = session(QUIET);
		session.measure("lane.One", () -> {
			throw new IllegalStateException("ended with status 1");
		});
		session.measure("lane.Unknown", this::report);
		assertThat(this.page.section("lane.One")).isEqualTo("old");
		assertThat(session.failures()).satisfiesExactly(
				(first) -> assertThat(first).isEqualTo("lane.One: ended with status 1"),
				(second) -> assertThat(second).startsWith("lane.Unknown: There is no"));
		assertThat(this.runs).as("lanes without a section do not run").isZero();
	}

	private String report() {
		return "report " + ++this.runs;
	}

	private Session session(Conditions... conditions) {
		Deque<Conditions> next = new ArrayDeque<>(List.of(conditions));
		return new Session(this.page, (Supplier<String> lane) -> new Attempt(lane.get(), next.remove()));
	}

}
