package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.algorithm.Count;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleAnswer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Slots: units that calls hold until they end, on all stores.
 */
class SlotsTests {

	private static final Limit THREE = Limit.ofConcurrency(3);

	private static final Limit FIVE_PER_MINUTE = Limit.of(5, Duration.ofMinutes(1))
		.withAlgorithm(Algorithm.FIXED_WINDOW)
		.withName("minute");

	private final String key = AlgorithmOnStore.freshKey();

	private static RateLimitRule rule(Limit... limits) {
		RateLimitRule.Builder rule = RateLimitRule.named("export");
		List.of(limits).forEach(rule::limit);
		return rule.build();
	}

	private Demand call(RateLimitRule rule, long cost) {
		return new Demand(rule, this.key, cost);
	}

	private static RuleAnswer take(StoreUnderTest store, Demand call) {
		store.setClock(AlgorithmOnStore.NOW);
		return store.answer(call).get(0);
	}

	private static void end(StoreUnderTest store, Demand call) {
		store.correct(List.of(Correction.refund(call.withCost(0), AlgorithmOnStore.NOW)));
	}

	private void assertRemaining(StoreUnderTest store, RateLimitRule rule, Long... remaining) {
		assertThat(take(store, call(rule, 0)).outcomes()).extracting(LimitOutcome::remaining)
			.containsExactly(remaining);
	}

	@StoreTest
	void admitsWhatIsLeftUntilCallsEnd(StoreUnderTest store) {
		RateLimitRule rule = rule(THREE);
		Demand first = call(rule, 2);
		assertThat(take(store, first).outcome(0)).isEqualTo(new LimitOutcome(1, 0, 600_000_000));
		assertThat(take(store, call(rule, 2)).outcome(0)).isEqualTo(new LimitOutcome(1, Count.UNKNOWN, 600_000_000));
		assertThat(take(store, call(rule, 1)).outcome(0)).isEqualTo(new LimitOutcome(0, 0, 600_000_000));
		end(store, first);
		assertThat(take(store, call(rule, 0)).outcome(0)).isEqualTo(new LimitOutcome(2, 0, 600_000_000));
	}

	@StoreTest
	void callThatHoldsItsSlotsIsAdmittedAgainAndHoldsThemOnce(StoreUnderTest store) {
		RateLimitRule rule = rule(THREE);
		Demand first = call(rule, 2);
		take(store, first);
		take(store, call(rule, 1));
		assertThat(take(store, first).outcome(0)).isEqualTo(new LimitOutcome(0, 0, 600_000_000));
		end(store, first);
		assertRemaining(store, rule, 2L);
	}

	@StoreTest
	void previewTakesNoSlots(StoreUnderTest store) {
		RateLimitRule rule = rule(THREE);
		take(store, call(rule, 1));
		for (int i = 0; i < 5; i++) {
			assertThat(((RuleAnswer) store.store().preview(call(rule, 2))).outcome(0))
				.isEqualTo(new LimitOutcome(0, 0, 600_000_000));
		}
		assertThat(((RuleAnswer) store.store().preview(call(rule, 3))).outcome(0).retryAfter())
			.isEqualTo(Count.UNKNOWN);
		assertRemaining(store, rule, 2L);
	}

	@StoreTest
	void freesACallOnceAndNoOther(StoreUnderTest store) {
		RateLimitRule rule = rule(THREE);
		Demand first = call(rule, 1);
		take(store, first);
		take(store, call(rule, 1));
		end(store, first);
		end(store, first);
		end(store, call(rule, 1));
		assertRemaining(store, rule, 2L);
	}

	@StoreTest
	void equalsAnUnusedOneWhenAllCallsHaveEnded(StoreUnderTest store) {
		RateLimitRule rule = rule(THREE);
		Demand first = call(rule, 3);
		take(store, first);
		end(store, first);
		assertThat(take(store, call(rule, 0)).outcome(0)).isEqualTo(new LimitOutcome(3, 0, 0));
	}

	@StoreTest
	void neverAdmitsMoreThanMaxAtOnce(StoreUnderTest store) {
		RuleAnswer answer = take(store, call(rule(THREE), 4));
		assertThat(answer.retryAfter()).isEqualTo(Count.NEVER);
		assertThat(answer.waitsForOthers()).isFalse();
	}

	@StoreTest
	void endRefundsSlotsAndKeepsTheUnitsOfARate(StoreUnderTest store) {
		RateLimitRule rule = rule(THREE.withName("running"), FIVE_PER_MINUTE);
		Demand first = call(rule, 3);
		take(store, first);
		end(store, first);
		assertRemaining(store, rule, 3L, 2L);
	}

	@StoreTest
	void refundOfACallRefundsBoth(StoreUnderTest store) {
		RateLimitRule rule = rule(THREE.withName("running"), FIVE_PER_MINUTE);
		store.correct(List.of(take(store, call(rule, 3)).refund()));
		assertRemaining(store, rule, 3L, 5L);
	}

	@StoreTest
	void denialBySlotsTakesNothingFromARate(StoreUnderTest store) {
		RateLimitRule rule = rule(THREE.withName("running"), FIVE_PER_MINUTE);
		take(store, call(rule, 3));
		RuleAnswer denied = take(store, call(rule, 1));
		assertThat(denied.isAdmitted()).isFalse();
		assertThat(denied.retryAfter()).isZero();
		assertThat(denied.violated()).containsExactly("export-running");
		assertThat(denied.outcome(1).remaining()).isEqualTo(2);
	}

	@StoreTest
	void denialByARateTakesNoSlot(StoreUnderTest store) {
		RateLimitRule rule = rule(Limit.ofConcurrency(9).withName("running"), FIVE_PER_MINUTE);
		take(store, call(rule, 5));
		RuleAnswer denied = take(store, call(rule, 1));
		assertThat(denied.isAdmitted()).isFalse();
		assertThat(denied.waitsForOthers()).isFalse();
		assertThat(denied.retryAfter()).isPositive();
		assertThat(denied.outcome(0).remaining()).isEqualTo(4);
	}

	@StoreTest
	void denialByBothHasTheRetryAfterOfTheRate(StoreUnderTest store) {
		RateLimitRule rule = rule(Limit.ofConcurrency(5).withName("running"), FIVE_PER_MINUTE);
		take(store, call(rule, 5));
		RuleAnswer denied = take(store, call(rule, 1));
		assertThat(denied.waitsForOthers()).isTrue();
		assertThat(denied.retryAfter()).isEqualTo(denied.outcome(1).retryAfter()).isPositive();
		assertThat(denied.violated()).containsExactly("export-running", "export-minute");
	}

	@StoreTest
	void smallerMaxLetsCallsThatRunEnd(StoreUnderTest store) {
		Demand first = call(rule(THREE), 3);
		take(store, first);
		RateLimitRule smaller = rule(Limit.ofConcurrency(1));
		assertThat(take(store, call(smaller, 1)).outcome(0)).isEqualTo(new LimitOutcome(0, Count.UNKNOWN, 600_000_000));
		end(store, first);
		assertThat(take(store, call(smaller, 1)).isAdmitted()).isTrue();
	}

	@StoreTest
	void peekTakesNothing(StoreUnderTest store) {
		RateLimitRule rule = rule(THREE);
		take(store, call(rule, 2));
		assertThat(store.peek(call(rule, 1))).isEqualTo(new LimitOutcome(1, 0, 600_000_000));
		assertThat(store.peek(call(rule, 2))).isEqualTo(new LimitOutcome(1, Count.UNKNOWN, 600_000_000));
		assertThat(take(store, call(rule, 1)).isAdmitted()).isTrue();
	}

	@StoreTest
	void resetForgetsCallsThatRun(StoreUnderTest store) {
		RateLimitRule rule = rule(THREE);
		Demand first = call(rule, 3);
		take(store, first);
		store.reset(rule, this.key);
		assertThat(take(store, call(rule, 2)).isAdmitted()).isTrue();
		end(store, first);
		assertRemaining(store, rule, 1L);
	}

}
