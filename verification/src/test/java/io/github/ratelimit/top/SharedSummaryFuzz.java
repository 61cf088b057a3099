package io.github.ratelimit.top;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.store.SummaryStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Summaries that other instances have shared. One that cannot be read is left out of a
 * report, which says so.
 */
public final class SharedSummaryFuzz {

	private SharedSummaryFuzz() {
	}

	public static void fuzzerTestOneInput(byte[] input) {
		try (TopTalkers talkers = new TopTalkers(10, true, new Shared(input), () -> 0)) {
			TopReport report = talkers.report("rule");
			assertThat(report.denials().talkers()).hasSizeLessThanOrEqualTo(10);
			assertThat(report.denials().since()).isBetween(Duration.ZERO, Duration.ofMinutes(10));
			assertThat(report.calls()).isNotNull();
		}
	}

	/**
	 * Store with one summary.
	 */
	private record Shared(byte[] content) implements SummaryStore {

		@Override
		public CompletionStage<?> shareSummary(String rule, byte[] content) {
			throw new UnsupportedOperationException();
		}

		@Override
		public List<SharedSummary> summariesOfOthers(String rule) {
			return List.of(new SharedSummary(1_000, this.content));
		}

	}

}
