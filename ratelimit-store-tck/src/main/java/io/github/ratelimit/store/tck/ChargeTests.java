package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.util.List;
import java.util.Random;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.tck.Walk.Step;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Charged units, admitted elsewhere, are counted as if taken now, as many as fit.
 */
class ChargeTests {

	private static final int STEPS = Seeds.steps(2_000);

	private static final int STEPS_PER_WALK = 100;

	@CommonTest
	void unitsThatFitAreTaken(AlgorithmOnStore on) {
		Counter counter = on.counter(10, Duration.ofMinutes(1));
		Counter taken = on.counter(10, Duration.ofMinutes(1));
		counter.charge(3);
		taken.acquire(3);
		assertThat(counter.peek()).isEqualTo(taken.peek());
	}

	@CommonTest
	void unitsThatDoNotFitAreLeftOut(AlgorithmOnStore on) {
		Counter counter = on.counter(10, Duration.ofMinutes(1));
		Counter full = on.counter(10, Duration.ofMinutes(1));
		counter.charge(1_000);
		full.acquire(10);
		assertThat(counter.peek()).isEqualTo(full.peek());
		counter.charge(1_000);
		assertThat(counter.peek()).isEqualTo(full.peek());
	}

	@CommonTest
	void chargeSaysHowManyUnitsWereCounted(AlgorithmOnStore on) {
		RateLimitRule rule = RateLimitRule.named("rule").limit(on.algorithm().limit(10, Duration.ofMinutes(1))).build();
		String key = AlgorithmOnStore.freshKey();
		on.store().setClock(AlgorithmOnStore.NOW);
		List<Correction> charge = List.of(Correction.charge(rule, key, List.of(1_000L)));
		long free = on.store().peek(new Demand(rule, key, 1)).remaining();
		assertThat(AlgorithmOnStore.correct(on.store().store(), charge)).containsExactly(new long[] { free });
		assertThat(AlgorithmOnStore.correct(on.store().store(), charge)).as("when it is full")
			.containsExactly(new long[] { 0 });
	}

	@CommonTest
	void noUnitsChangeNothing(AlgorithmOnStore on) {
		Random random = new Random(Seeds.seeds().findFirst().orElseThrow());
		for (int i = 0; i < 50; i++) {
			Counter counter = on.wornCounter(random);
			LimitOutcome before = counter.peek();
			counter.charge(0);
			assertThat(counter.peek()).isEqualTo(before);
		}
	}

	@CommonTest
	void everyCountTakesItsOwnUnits(AlgorithmOnStore on) {
		Limit minute = on.algorithm().limit(10, Duration.ofMinutes(1)).withName("minute");
		Limit day = on.algorithm().limit(20, Duration.ofDays(1)).withName("day");
		RateLimitRule rule = RateLimitRule.named("rule").limit(minute).limit(day).build();
		String key = AlgorithmOnStore.freshKey();
		on.store().setClock(AlgorithmOnStore.NOW);
		on.store().correct(List.of(Correction.charge(rule, key, List.of(0L, 20L))));
		List<LimitOutcome> outcomes = on.store().acquire(List.of(new Demand(rule, key, 0)));
		assertThat(outcomes).extracting(LimitOutcome::remaining).containsExactly(10L, 0L);
	}

	@CommonTest
	void unitsOfCallsThatWaitAreTakenWhenTheLastOfThemGoesOn(AlgorithmOnStore on) {
		Limit limit = on.algorithm().limit(10, Duration.ofMinutes(1));
		Counter charged = on.counter(limit);
		charged.charge(3, 7_000_000);
		LimitOutcome outcome = charged.peek();
		assertThat(outcome.remaining()).isZero();
		assertThat(charged.peek(1).retryAfter()).isGreaterThanOrEqualTo(7_000_000);
		Counter taken = on.counter(limit).setClock(AlgorithmOnStore.NOW + 7_000_000);
		taken.acquire(3);
		assertThat(outcome.resetAfter()).isEqualTo(taken.peek().resetAfter() + 7_000_000);
		charged.advance(7_000_000);
		assertThat(charged.peek()).isEqualTo(taken.peek());
	}

	@CommonTest
	void queueThatIsLongerInTheStoreStaysSo(AlgorithmOnStore on) {
		Counter once = on.counter(10, Duration.ofMinutes(1));
		Counter twice = on.counter(10, Duration.ofMinutes(1));
		once.charge(3, 7_000_000).charge(2, 7_000_000);
		twice.charge(3, 7_000_000).charge(2, 1_000_000);
		assertThat(twice.peek()).isEqualTo(once.peek());
	}

	@CommonWalk
	void storesAgree(AlgorithmOnStore on, long seed) {
		Random random = new Random(seed);
		for (int walk = 0; walk < STEPS / STEPS_PER_WALK; walk++) {
			walk(random, on);
		}
	}

	private static void walk(Random random, AlgorithmOnStore on) {
		Walk walk = new Walk(random, on.algorithm(), true);
		Step step = walk.next(null);
		Counter counter = new Counter(on.store(), step.limit(), step.now());
		for (int i = 0; i < STEPS_PER_WALK; i++) {
			long units = (random.nextInt(3) == 0) ? Math.min(step.cost(), Limit.MAX_UNITS) : -1;
			long wait = random.nextBoolean() ? 0 : (long) (random.nextDouble() * step.limit().periodMicros());
			counter.setClock(step.now()).change(step.limit());
			step = walk.next((units < 0) ? counter.acquire(step.cost()) : counter.charge(units, wait).peek());
		}
	}

}
