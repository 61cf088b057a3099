package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.util.Random;

import io.github.ratelimit.store.LimitOutcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Laws 1 and 4, as visible in answers: a denied call and one of cost 0 change nothing.
 * {@code RedisStateTests} check the stored state.
 */
class DeniedChangesNothingTests {

	private static final int STATES = Seeds.steps(20_000) / 40;

	@CommonTest
	void deniedCallsDoNotLengthenTheWait(AlgorithmOnStore on) {
		Counter counter = on.counter(1, Duration.ofMinutes(1));
		counter.acquire(1);
		long due = counter.now() + on.algorithm().retryAfter(counter.limit(), counter.now());
		while (counter.advance(1_000_000).now() < due) {
			assertThat(counter.acquire(1).retryAfter()).isEqualTo(due - counter.now());
		}
		assertThat(counter.setClock(due).acquire(1).admitted()).isTrue();
	}

	@CommonWalk
	void nobodySeesADeniedCallOrOneOfCostZero(AlgorithmOnStore on, long seed) {
		Random random = new Random(seed);
		for (int i = 0; i < STATES; i++) {
			Counter counter = on.wornCounter(random);
			LimitOutcome before = counter.peek();
			assertThat(counter.acquire(before.remaining() + 1).admitted()).isFalse();
			assertThat(counter.acquire(Long.MAX_VALUE).retryAfter()).isEqualTo(-1);
			assertThat(counter.peek()).as("seed " + seed + ", state " + i + ": " + counter).isEqualTo(before);
		}
	}

	@CommonTest
	void costZeroIsAdmittedWhenNothingIsLeft(AlgorithmOnStore on) {
		Counter counter = on.counter(2, Duration.ofMinutes(1));
		counter.drain();
		assertThat(counter.peek()).extracting(LimitOutcome::admitted, LimitOutcome::remaining)
			.containsExactly(true, 0L);
	}

	@CommonTest
	void costAboveCapacityIsNeverAdmitted(AlgorithmOnStore on) {
		Counter counter = on.counter(5, Duration.ofMinutes(1));
		assertThat(counter.acquire(6)).isEqualTo(new LimitOutcome(5, -1, 0));
		assertThat(counter.acquire(Long.MAX_VALUE)).isEqualTo(new LimitOutcome(5, -1, 0));
		assertThat(counter.acquire(5).admitted()).isTrue();
	}

}
