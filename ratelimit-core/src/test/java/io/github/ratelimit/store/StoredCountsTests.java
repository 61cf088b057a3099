package io.github.ratelimit.store;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Bytes of counts. A store writes them if they have changed.
 */
class StoredCountsTests {

	private static final long BEGINNING = TimeUnit.DAYS.toMicros(20_000);

	private static RuleCounts rule(Algorithm algorithm) {
		Limit limit = switch (algorithm) {
			case CONCURRENCY -> Limit.ofConcurrency(1);
			default -> Limit.of(1, Duration.ofMinutes(5)).withAlgorithm(algorithm);
		};
		return RuleCounts.of(RateLimitRule.named("reply").limit(limit).build());
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DEFAULT")
	void deniedCallsAndPeeksLeaveTheBytesAsTheyAre(Algorithm algorithm) {
		Demand call = new Demand(rule(algorithm), "ann", 1);
		StoredCounts first = new StoredCounts(new byte[0], 1, call.counts());
		assertThat(first.decide(call, BEGINNING).isAdmitted()).isTrue();
		byte[] written = first.toBytes();
		for (int instance = 1; instance <= 2; instance++) {
			StoredCounts read = new StoredCounts(written, instance, call.counts());
			read.peek(call, BEGINNING + 1_000_000);
			assertThat(read.toBytes()).as("peek").isEqualTo(written);
			Demand another = new Demand(call.counts(), "ann", 1);
			assertThat(read.decide(another, BEGINNING + 2_000_000).isAdmitted()).isFalse();
			assertThat(read.toBytes()).as("denied call").isEqualTo(written);
		}
	}

}
