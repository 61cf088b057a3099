package io.github.ratelimit.benchmarks.session;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class PageTests {

	private static final String TEXT = """
			# Title

			Before.

			<!-- begin lane.One -->
			|  | µs | failed |
			| --- | ---: | ---: |
			| **this library** | 1,234 | 0 |
			| a peer | 2.50 |  |

			Caption.
			<!-- end lane.One -->

			After: $1 \\n.

			<!-- begin lane.Two -->
			<!-- end lane.Two -->
			""";

	@TempDir
	Path directory;

	private Path file;

	private Page page;

	@BeforeEach
	void write() throws IOException {
		this.file = Files.writeString(this.directory.resolve("page.md"), TEXT);
		this.page = new Page(this.file);
	}

	@Test
	void textBetweenTheMarkersIsReplaced() throws IOException {
		this.page.replace("lane.Two", "New $1 \\n text.\n");
		assertThat(this.file).content().isEqualTo(TEXT.replace("Two -->\n<!--", "Two -->\nNew $1 \\n text.\n<!--"));
	}

	@Test
	void replacingTwiceEqualsReplacingOnce() throws IOException {
		this.page.replace("lane.One", "New.");
		String once = Files.readString(this.file);
		this.page.replace("lane.One", "New.");
		assertThat(this.file).content().isEqualTo(once);
	}

	@Test
	void sectionIsTheTextBetweenTheMarkers() {
		assertThat(this.page.section("lane.One")).startsWith("|  | µs").endsWith("Caption.");
		assertThat(this.page.section("lane.Two")).isEmpty();
	}

	@Test
	void unknownSectionIsNamed() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.page.replace("lane.Three", ""))
			.withMessageContaining("<!-- begin lane.Three --> … <!-- end lane.Three -->");
		assertThat(this.file).content().isEqualTo(TEXT);
	}

}
