package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Different keys have different counters, regardless of their characters and length.
 */
class KeysApartTests {

	@CommonTest
	void keysThatDifferInOneCharacterCountApart(AlgorithmOnStore on) {
		Limit limit = on.algorithm().limit(5, Duration.ofMinutes(1));
		RateLimitRule rule = AlgorithmOnStore.rule(limit);
		on.store().setClock(AlgorithmOnStore.NOW);
		for (String beginning : List.of(AlgorithmOnStore.freshKey(),
				AlgorithmOnStore.freshKey() + "x".repeat(65_536))) {
			Demand first = new Demand(rule, beginning + '?', 1);
			assertThat(on.store().acquire(List.of(first)).get(0).admitted()).isTrue();
			assertThat(Stream.of('!', '\uD800', '\uD801', '\uDC00', '\uFFFD')
				.map((last) -> on.store().peek(new Demand(rule, beginning + last, 1)).resetAfter())).containsOnly(0L);
			assertThat(on.store().peek(first).resetAfter()).isPositive();
		}
	}

}
