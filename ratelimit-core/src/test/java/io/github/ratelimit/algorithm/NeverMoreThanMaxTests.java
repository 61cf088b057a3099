package io.github.ratelimit.algorithm;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.Limit;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.tck.AlgorithmUnderTest;
import io.github.ratelimit.store.tck.RandomNumbers;
import io.github.ratelimit.store.tck.Seeds;
import io.github.ratelimit.store.tck.WaitWalk;
import io.github.ratelimit.store.tck.WaitWalk.Taken;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code sliding-window} admits at most {@code max} units in any period.
 */
class NeverMoreThanMaxTests {

	private static final int STEPS = Seeds.steps(200_000);

	private static final int STEPS_PER_WALK = 100;

	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource("promising")
	void whenCallsWaitAndGiveUp(AlgorithmUnderTest algorithm, long seed) {
		Random random = new Random(seed);
		for (int walk = 0; walk < STEPS / STEPS_PER_WALK; walk++) {
			WaitWalk calls = new WaitWalk(random, algorithm, false);
			List<Taken> admitted = new ArrayList<>();
			Count count = CountType.of(algorithm.algorithm()).unused();
			LimitOutcome last = new LimitOutcome(0, 0, 0);
			for (int i = 0; i < STEPS_PER_WALK; i++) {
				long now = calls.nextTime(last);
				Limit limit = calls.limit();
				Taken refunded = calls.giveUp();
				if (refunded != null) {
					count.advance(limit, now);
					count.refund(limit, refunded.cost(), refunded.slot());
					admitted.remove(refunded);
				}
				long cost = calls.cost();
				count.advance(limit, now);
				long wait = count.waitFor(limit, cost);
				if (cost > 0 && wait >= 0 && wait <= calls.maxWait().toNanos() / 1000) {
					count.take(limit, cost, wait);
					calls.took(now + wait, cost);
					admitted.add(new Taken(now + wait, cost));
					check(limit, admitted, walk, i);
				}
				last = new LimitOutcome(0, wait, count.resetAfterNow());
			}
		}
	}

	/**
	 * The bound holds in real time, although the clock is set back and segments change.
	 */
	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource("promising")
	void whenTheClockIsSetBackAndSegmentsChange(AlgorithmUnderTest algorithm, long seed) {
		Random random = new Random(seed);
		for (int walk = 0; walk < STEPS / STEPS_PER_WALK; walk++) {
			Limit limit = algorithm.randomLimit(random).withMax(RandomNumbers.magnitude(random, 1, 1_000));
			Count count = CountType.of(algorithm.algorithm()).unused();
			List<Taken> admitted = new ArrayList<>();
			long real = 1_700_000_000_000_000L + random.nextInt(1_000_000_000);
			long behind = 0;
			for (int i = 0; i < STEPS_PER_WALK; i++) {
				real += RandomNumbers.magnitude(random, 1, limit.periodMicros()) / (random.nextBoolean() ? 10 : 1);
				if (random.nextInt(8) == 0) {
					behind += RandomNumbers.magnitude(random, 1, 2 * limit.periodMicros());
				}
				if (algorithm == AlgorithmUnderTest.SLIDING_WINDOW && random.nextInt(8) == 0) {
					limit = limit.withSegments(2 + random.nextInt(Limit.MAX_SEGMENTS - 1));
				}
				long now = Math.max(1, real - behind);
				long cost = RandomNumbers.magnitude(random, 1, limit.max());
				count.advance(limit, now);
				boolean goesOn = count.waitFor(limit, cost) == 0;
				count.moveBack(limit);
				if (goesOn) {
					count.take(limit, cost, 0);
					admitted.add(new Taken(real, cost));
					check(limit, admitted, walk, i);
				}
			}
		}
	}

	static Stream<Arguments> promising() {
		return Stream.of(AlgorithmUnderTest.SLIDING_LOG, AlgorithmUnderTest.SLIDING_WINDOW)
			.flatMap((algorithm) -> Seeds.seeds().mapToObj((seed) -> Arguments.of(algorithm, seed)));
	}

	private static void check(Limit limit, List<Taken> admitted, int walk, int step) {
		long end = admitted.get(admitted.size() - 1).slot();
		long used = admitted.stream()
			.filter((call) -> call.slot() > end - limit.periodMicros() && call.slot() <= end)
			.mapToLong(Taken::cost)
			.sum();
		assertThat(used).as(() -> "walk %d, step %d: %s".formatted(walk, step, limit)).isLessThanOrEqualTo(limit.max());
	}

}
