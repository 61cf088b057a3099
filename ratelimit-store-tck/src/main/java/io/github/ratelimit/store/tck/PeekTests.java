package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.util.Random;

import io.github.ratelimit.store.LimitOutcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A peek returns the answer that a call would get, and changes nothing.
 */
class PeekTests {

	private static final int STATES = Seeds.steps(20_000) / 40;

	@CommonWalk
	void returnsTheAnswerOfTheCall(AlgorithmOnStore on, long seed) {
		Random random = new Random(seed);
		for (int i = 0; i < STATES; i++) {
			Counter counter = on.wornCounter(random);
			LimitOutcome before = counter.peek();
			LimitOutcome looked = counter.peek(1);
			assertThat(looked.remaining()).isEqualTo(before.remaining());
			assertThat(looked.resetAfter()).isEqualTo(before.resetAfter());
			assertThat(counter.peek(1)).isEqualTo(looked);
			assertThat(counter.peek()).isEqualTo(before);
			assertThat(counter.acquire(1).retryAfter()).as("seed " + seed + ", state " + i + ": " + counter)
				.isEqualTo(looked.retryAfter());
		}
	}

	@CommonTest
	void loweredLimitIsNotCorrectedByLooking(AlgorithmOnStore on) {
		Counter counter = on.counter(100, Duration.ofMinutes(1));
		counter.acquire(1);
		LimitOutcome before = counter.peek();
		counter.change(on.algorithm().limit(1, Duration.ofMinutes(1))).peek(1);
		counter.change(on.algorithm().limit(100, Duration.ofMinutes(1)));
		assertThat(counter.peek()).isEqualTo(before);
	}

}
