package io.github.ratelimit.actuate.endpoint;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.SummaryStore;
import io.github.ratelimit.top.TopTalkers;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TopDescriptionTests {

	private static final Instant NOW = Instant.parse("2026-11-30T10:01:00Z");

	private static final RuleCounts REPLY = RuleCounts
		.of(RateLimitRule.named("reply").limit(1, Duration.ofHours(1)).algorithm(Algorithm.FIXED_WINDOW).build());

	@Test
	void bothListsHaveBegunWithTheFirstCall() {
		AtomicLong nanos = new AtomicLong();
		try (TopTalkers talkers = new TopTalkers(100, true, null, nanos::get)) {
			talkers.admitted(REPLY, "ann");
			talkers.report("reply");
			nanos.addAndGet(Duration.ofMinutes(1).toNanos());
			talkers.denied(REPLY, "ann");
			assertThat(described(talkers)).containsEntry("denied", 1L)
				.containsEntry("calls", 2L)
				.containsEntry("since", "2026-11-30T10:00:00Z");
		}
	}

	@Test
	void shareOfAKeyIsThatOfAllDenials() {
		try (TopTalkers talkers = new TopTalkers(100, false, null, System::nanoTime)) {
			List.of("ann", "bob", "ann").forEach((key) -> talkers.denied(REPLY, key));
			assertThat(described(talkers)).containsEntry("denied", 3L)
				.containsEntry("top", List.of(Map.of("key", "ann", "denied", 2L, "error", 0L, "share", 0.6667),
						Map.of("key", "bob", "denied", 1L, "error", 0L, "share", 0.3333)));
		}
	}

	@Test
	void ruleWithoutDenialsHasNoTimeSinceWhenTheyCount() {
		try (TopTalkers talkers = new TopTalkers(100, false, null, System::nanoTime)) {
			assertThat(described(talkers)).containsEntry("denied", 0L).doesNotContainKey("since");
		}
	}

	@Test
	void whoCountedIsSaid() {
		assertThat(countedIn(null)).isEqualTo("this process only");
		assertThat(countedIn(new Others(List.of())))
			.isEqualTo("this instance; no other has shared denials of this rule lately");
		assertThat(countedIn(new Others(List.of(new SummaryStore.SharedSummary(0, new byte[] { 0 })))))
			.isEqualTo("2 instances; those of others are at most 10 s old");
		assertThat(countedIn(new Others(null)))
			.isEqualTo("this instance only, because those of others cannot be read: Redis failed");
	}

	private static @Nullable Object countedIn(@Nullable SummaryStore others) {
		try (TopTalkers talkers = new TopTalkers(100, false, others, System::nanoTime)) {
			return described(talkers).get("countedIn");
		}
	}

	private static Map<String, Object> described(TopTalkers talkers) {
		return new TopDescription("reply", talkers, NOW).describe(null);
	}

	/**
	 * Other instances.
	 *
	 * @param summaries those that they have shared, {@code null} if they cannot be read
	 */
	private record Others(@Nullable List<SharedSummary> summaries) implements SummaryStore {

		@Override
		public CompletionStage<?> shareSummary(String rule, byte[] content) {
			return CompletableFuture.completedFuture(null);
		}

		@Override
		public List<SharedSummary> summariesOfOthers(String rule) {
			if (this.summaries == null) {
				throw new StoreException("Redis failed", null, "failure", false, "");
			}
			return this.summaries;
		}

	}

}
