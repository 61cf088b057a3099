package io.github.ratelimit.actuate.endpoint;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.top.TopTalkers;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TopDescriptionTests {

	@Test
	void bothListsHaveBegunWithTheFirstCall() {
		AtomicLong nanos = new AtomicLong();
		RuleCounts reply = RuleCounts
			.of(RateLimitRule.named("reply").limit(1, Duration.ofHours(1)).algorithm(Algorithm.FIXED_WINDOW).build());
		try (TopTalkers talkers = new TopTalkers(100, true, null, nanos::get)) {
			talkers.admitted(reply, "ann");
			talkers.report("reply");
			nanos.addAndGet(Duration.ofMinutes(1).toNanos());
			talkers.denied(reply, "ann");
			assertThat(new TopDescription("reply", talkers, Instant.parse("2026-11-30T10:01:00Z")).describe(null))
				.containsEntry("denied", 1L)
				.containsEntry("calls", 2L)
				.containsEntry("since", "2026-11-30T10:00:00Z");
		}
	}

}
