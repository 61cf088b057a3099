package io.github.ratelimit.store.tck;

import java.util.Random;

import io.github.ratelimit.store.LimitOutcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Law 3: after exactly {@code retryAfter} with no other traffic the same call is
 * admitted, one millisecond or microsecond earlier it is not.
 */
class HonestRetryTests {

	private static final int STATES = Seeds.steps(20_000) / 20;

	@CommonWalk
	void admitsAfterRetryAfterAndNotEarlier(AlgorithmOnStore on, long seed) {
		Random random = new Random(seed);
		for (int i = 0; i < STATES; i++) {
			Counter counter = on.wornCounter(random);
			long cost = counter.peek().remaining() + 1;
			if (cost <= counter.limit().capacity()) {
				counter.checkRetry(cost, "seed " + seed + ", state " + i + ": " + counter + ", cost " + cost);
			}
		}
	}

	@CommonWalk
	void isAsIfUnusedAfterResetAfterAndNotEarlier(AlgorithmOnStore on, long seed) {
		Random random = new Random(seed);
		for (int i = 0; i < STATES; i++) {
			Counter counter = on.wornCounter(random);
			String description = "seed " + seed + ", state " + i + ": " + counter;
			long resetAfter = counter.peek().resetAfter();
			LimitOutcome unused = new LimitOutcome(counter.limit().capacity(), 0, 0);
			assertThat(counter.advance(Math.max(0, resetAfter - 1)).peek().resetAfter()).as(description)
				.isEqualTo(Math.min(1, resetAfter));
			assertThat(counter.advance(Math.min(1, resetAfter)).peek()).as(description).isEqualTo(unused);
		}
	}

}
