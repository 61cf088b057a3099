package io.github.ratelimit.benchmarks.measure;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ReportTests {

	@Test
	void bodyHasTablesAndParagraphsWithoutTheTitle() {
		Table table = new Table(List.of("", "ns"));
		table.row("a call", List.of("7"));
		assertThat(new Report("Title").heading("Part").table(table).paragraph("Medians of %d rounds.", 3).body())
			.isEqualTo("""
					### Part

					|  | ns |
					| --- | ---: |
					| a call | 7 |

					Medians of 3 rounds.""");
	}

	@Test
	void paragraphsAreWrappedAt150Columns() {
		String body = new Report("").paragraph("%s", "word ".repeat(100)).body();
		assertThat(body.lines()).hasSize(4).allSatisfy((line) -> assertThat(line).hasSizeLessThanOrEqualTo(150));
		assertThat(body.replace('\n', ' ')).isEqualTo("word ".repeat(100).strip());
	}

	@Test
	void wordLongerThanALineIsALine() {
		String link = "x".repeat(200);
		assertThat(new Report("").paragraph("see " + link + " there").body()).isEqualTo("see\n" + link + "\nthere");
	}

}
