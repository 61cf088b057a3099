package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.tck.Seeds;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoredKey;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls of a hot key, one every ten microseconds, in simulated time. One round trip in
 * twenty-five takes up to as long as a portion may be held.
 */
@Tag("every-redis")
class PrefetchPaceTests {

	private static final int CALLS = 100_000;

	/**
	 * Return algorithms whose portions end with their own time or with a window.
	 */
	static Stream<Arguments> algorithms() {
		return Stream.of(Algorithm.TOKEN_BUCKET, Algorithm.SLIDING_WINDOW, Algorithm.FIXED_WINDOW)
			.flatMap((algorithm) -> Seeds.seeds().mapToObj((seed) -> Arguments.of(algorithm, seed)));
	}

	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource("algorithms")
	void nearlyAllCallsAreDecidedInTheProcess(Algorithm algorithm, long seed) {
		PrefetchSimulation simulation = new PrefetchSimulation(new Random(seed), 1);
		RuleCounts rule = RuleCounts.of(RateLimitRule.named("rule")
			.limit(Limit.of(1_000_000_000, Duration.ofMillis(200)).withAlgorithm(algorithm))
			.prefetch(Duration.ofMillis(20))
			.build());
		Demand call = new Demand(rule, StoredKey.of(AlgorithmOnStore.freshKey()), 1, 0);
		AtomicInteger atOnce = new AtomicInteger();
		for (int i = 0; i < CALLS; i++) {
			if (simulation.anyInstance().store().acquireAsync(call).toCompletableFuture().isDone()) {
				atOnce.incrementAndGet();
			}
			simulation.advance(10);
		}
		assertThat(atOnce).hasValueGreaterThan(CALLS * 9 / 10);
	}

}
