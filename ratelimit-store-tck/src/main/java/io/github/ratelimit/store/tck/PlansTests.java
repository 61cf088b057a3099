package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.Limit;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.tck.Walk.Step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * A count that calls of different plans share: each call is judged by the capacity of its
 * own plan, and units come back by the numbers of the last admitted call.
 */
class PlansTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private static final Duration HOUR = Duration.ofHours(1);

	private static final int STATES = Seeds.steps(10_000) / 20;

	@UnitByUnitTest
	void twoOfTwoUsedAsFreeLeave598AsProAndNoneBackAsFree(AlgorithmOnStore on) {
		Counter counter = free(on, MINUTE);
		counter.acquire(2);
		assertThat(counter.acquire(1).admitted()).isFalse();
		assertThat(as(counter, pro(on, MINUTE)).peek().remaining()).isEqualTo(598);
		assertThat(as(counter, on.algorithm().limit(2, MINUTE)).peek().remaining()).isZero();
	}

	@UnitByUnitTest
	void unitsUsedAsProStayUsedUnderFree(AlgorithmOnStore on) {
		for (Duration period : new Duration[] { MINUTE, Duration.ofSeconds(1), HOUR }) {
			Counter counter = free(on, period);
			as(counter, pro(on, MINUTE)).acquire(500);
			LimitOutcome before = counter.peek();
			as(counter, on.algorithm().limit(2, period));
			LimitOutcome denied = counter.acquire(1);
			assertThat(denied.remaining()).isZero();
			assertThat(denied.retryAfter()).isPositive();
			assertThat(denied.resetAfter()).isEqualTo(before.resetAfter());
			counter.acquire(3);
			counter.peek();
			counter.refund(0);
			assertThat(as(counter, pro(on, MINUTE)).peek()).isEqualTo(before);
			assertThat(before.remaining()).isEqualTo(100);
		}
	}

	@UnitByUnitTest
	void refundReturnsTheSameUnitsUnderAnyPlan(AlgorithmOnStore on) {
		Counter counter = free(on, Duration.ofSeconds(1));
		as(counter, pro(on, MINUTE)).acquire(500);
		as(counter, on.algorithm().limit(2, Duration.ofSeconds(1))).refund(100);
		assertThat(counter.peek().remaining()).isZero();
		assertThat(as(counter, pro(on, MINUTE)).peek().remaining()).isEqualTo(200);
	}

	@UnitByUnitTest
	void admittedCallMakesItsOwnPeriodApply(AlgorithmOnStore on) {
		assumeThat(on.algorithm()).as("a calendar is that of the rule")
			.isNotEqualTo(AlgorithmUnderTest.CALENDAR_WINDOW);
		Counter counter = free(on, MINUTE).setClock(1_700_002_800_000_000L);
		as(counter, pro(on, HOUR)).acquire(1);
		LimitOutcome admitted = as(counter, on.algorithm().limit(2, MINUTE)).acquire(1);
		assertThat(admitted.admitted()).isTrue();
		assertThat(admitted.remaining()).isZero();
		assertThat(admitted.resetAfter()).isLessThanOrEqualTo(120_000_000);
		counter.advance(admitted.resetAfter());
		assertThat(as(counter, pro(on, HOUR)).peek().remaining()).isEqualTo(600);
	}

	@UnitByUnitTest
	void callTooLargeForItsPlanIsNeverAdmitted(AlgorithmOnStore on) {
		Counter counter = free(on, MINUTE);
		as(counter, pro(on, MINUTE)).acquire(500);
		assertThat(as(counter, on.algorithm().limit(2, MINUTE)).acquire(3).retryAfter()).isEqualTo(-1);
		assertThat(counter.acquire(Long.MAX_VALUE).retryAfter()).isEqualTo(-1);
		assertThat(as(counter, pro(on, MINUTE)).acquire(100).admitted()).isTrue();
	}

	@UnitByUnitTest
	void minimumIntervalIsTheSameUnderAllPlans(AlgorithmOnStore on) {
		Duration interval = Duration.ofMillis(200);
		Limit free = on.algorithm().limit(2, MINUTE).withMinInterval(interval);
		Counter counter = on.counter(free).underPlans();
		counter.acquire(1);
		as(counter, pro(on, HOUR).withMinInterval(interval));
		assertThat(counter.acquire(1).retryAfter()).isEqualTo(200_000);
		assertThat(as(counter, free).acquire(1).retryAfter()).isEqualTo(200_000);
		assertThat(counter.advance(200_000).acquire(1).admitted()).isTrue();
	}

	@ParameterizedTest
	@MethodSource("io.github.ratelimit.store.tck.AlgorithmOnStore#thatCanCountDenied")
	void deniedCallsThatCountForgiveNothing(AlgorithmOnStore on) {
		Limit free = on.algorithm().limit(2, MINUTE).withCountDenied(true);
		Limit pro = pro(on, MINUTE).withCountDenied(true);
		Counter counter = on.counter(pro).underPlans();
		counter.acquire(500);
		for (int i = 0; i < 20; i++) {
			assertThat(as(counter.advance(1_000), free).acquire(1).retryAfter()).isPositive();
		}
		assertThat(as(counter, pro).peek().remaining()).isEqualTo(100);
	}

	@CommonWalk
	void admitsAfterRetryAfterAndNotEarlierUnderEveryPlan(AlgorithmOnStore on, long seed) {
		Random random = new Random(seed);
		for (int i = 0; i < STATES; i++) {
			PlanWalk walk = new PlanWalk(random, on.algorithm(), false);
			Counter counter = worn(on, walk, random);
			counter.change(walk.anyPlan());
			long cost = counter.peek().remaining() + 1;
			if (cost <= counter.limit().capacity()) {
				counter.checkRetry(cost, "seed " + seed + ", state " + i + ": " + counter + ", cost " + cost);
			}
		}
	}

	/**
	 * A denied call lets the units of a bucket come back by its higher rate, but returns
	 * none.
	 */
	@CommonWalk
	void noPlanSeesDeniedCallsOfAnother(AlgorithmOnStore on, long seed) {
		Random random = new Random(seed);
		for (int i = 0; i < STATES; i++) {
			PlanWalk walk = new PlanWalk(random, on.algorithm(), false);
			Counter counter = worn(on, walk, random);
			Limit plan = walk.anyPlan();
			LimitOutcome before = counter.change(plan).peek();
			for (int j = 0; j < 3; j++) {
				LimitOutcome seen = counter.change(walk.anyPlan()).peek();
				assertThat(counter.acquire(seen.remaining() + 1).admitted()).isFalse();
				assertThat(counter.acquire(Long.MAX_VALUE).retryAfter()).isEqualTo(-1);
				assertThat(on.algorithm().isBucket() ? before.resetAfter() : seen.resetAfter())
					.isEqualTo(before.resetAfter());
			}
			LimitOutcome after = counter.change(plan).peek();
			boolean sameRate = after.resetAfter() == before.resetAfter() || !on.algorithm().isBucket();
			assertThat(sameRate ? after : after.remaining()).as("seed " + seed + ", state " + i + ": " + counter)
				.isEqualTo(sameRate ? before : before.remaining());
		}
	}

	/**
	 * The units left are those that can be taken one by one.
	 */
	@UnitByUnitTest
	void remainingUnitsCanBeTakenAndNoMore(AlgorithmOnStore on) {
		Random random = new Random(7);
		List<Long> seen = new ArrayList<>();
		for (int i = 0; i < STATES / 10; i++) {
			PlanWalk walk = new PlanWalk(random, on.algorithm(), false);
			Counter counter = worn(on, walk, random);
			long remaining = counter.change(walk.anyPlan()).peek().remaining();
			seen.add(remaining);
			assertThat(counter.acquire(remaining + 1).admitted()).isFalse();
			assertThat(counter.acquire(remaining).admitted()).isTrue();
		}
		assertThat(seen).anyMatch((units) -> units == 0).anyMatch((units) -> units > 0);
	}

	private static Counter worn(AlgorithmOnStore on, PlanWalk walk, Random random) {
		Step step = walk.next(null);
		Counter counter = on.counter(step.limit()).underPlans().setClock(step.now());
		for (int i = 1 + random.nextInt(20); i > 0; i--) {
			counter.change(step.limit()).setClock(step.now());
			step = walk.next(counter.acquire(step.cost()));
		}
		return counter;
	}

	private static Counter free(AlgorithmOnStore on, Duration period) {
		return on.counter(on.algorithm().limit(2, period)).underPlans();
	}

	private static Limit pro(AlgorithmOnStore on, Duration period) {
		return on.algorithm().limit(600, period);
	}

	private static Counter as(Counter counter, Limit plan) {
		return counter.change(plan);
	}

}
