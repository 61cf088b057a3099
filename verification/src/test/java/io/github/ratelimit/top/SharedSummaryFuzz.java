package io.github.ratelimit.top;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.Decision;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RemoteStore;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoredKey;

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
	private record Shared(byte[] content) implements RemoteStore {

		@Override
		public List<SharedSummary> summariesOfOthers(String rule) {
			return List.of(new SharedSummary(1_000, this.content));
		}

		@Override
		public StoreAnswer acquire(Demands demands) {
			throw new UnsupportedOperationException();
		}

		@Override
		public CompletionStage<List<long[]>> correct(List<Correction> corrections) {
			throw new UnsupportedOperationException();
		}

		@Override
		public void reset(RuleCounts counts, StoredKey key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Decision.Origin origin() {
			return Decision.Origin.REDIS;
		}

	}

}
