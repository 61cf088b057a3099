package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls that may wait, on every store.
 */
@Tag("every-redis")
class QueueTests {

	private static final Limit EVEN = Limit.of(5, Duration.ofSeconds(1)).withAlgorithm(Algorithm.LEAKY_BUCKET);

	private static final Duration TWO_SECONDS = Duration.ofSeconds(2);

	@StoreTest
	void fifteenAtOnceLeaveEvenlyAndFourAreDenied(StoreUnderTest store) {
		Queue queue = new Queue(store, EVEN);
		assertThat(queue.join(15, TWO_SECONDS))
			.containsExactlyElementsOf(LongStream.rangeClosed(0, 10).mapToObj((i) -> i * 200_000).toList());
		assertThat(queue.call(1, TWO_SECONDS).retryAfter()).isEqualTo(2_200_000);
	}

	@StoreTest
	void deniedCallIsAdmittedAsSoonAsItsWaitIsShortEnough(StoreUnderTest store) {
		Queue queue = new Queue(store, EVEN);
		queue.join(15, TWO_SECONDS);
		assertThat(queue.advance(199_999).join(1, TWO_SECONDS)).isEmpty();
		assertThat(queue.advance(1).join(1, TWO_SECONDS)).containsExactly(2_000_000L);
	}

	@StoreTest
	void callThatDoesNotWaitIsDeniedWhileOthersWait(StoreUnderTest store) {
		Queue queue = new Queue(store, EVEN);
		queue.join(3, TWO_SECONDS);
		assertThat(queue.call(1, Duration.ZERO)).extracting(LimitOutcome::retryAfter, LimitOutcome::remaining)
			.containsExactly(600_000L, 0L);
		assertThat(queue.advance(600_000).join(1, Duration.ZERO)).containsExactly(0L);
	}

	@StoreTest
	void lastToGiveUpLeavesTheQueueAsItWas(StoreUnderTest store) {
		Queue queue = new Queue(store, EVEN);
		queue.join(3, TWO_SECONDS);
		LimitOutcome before = queue.call(0, Duration.ZERO);
		long slot = queue.slot(queue.join(1, TWO_SECONDS).get(0));
		queue.refund(1, slot);
		assertThat(queue.call(0, Duration.ZERO)).isEqualTo(before);
		assertThat(queue.join(1, TWO_SECONDS)).containsExactly(600_000L);
	}

	@StoreTest
	void whenAllGiveUpLastFirstNothingIsLeftOfTheQueue(StoreUnderTest store) {
		for (Limit limit : List.of(EVEN, EVEN.withAlgorithm(Algorithm.TOKEN_BUCKET).withBurst(3), log())) {
			Queue queue = new Queue(store, limit);
			queue.join((int) limit.capacity(), Duration.ZERO);
			LimitOutcome before = queue.call(0, Duration.ZERO);
			List<Long> slots = new ArrayList<>(queue.join(4, TWO_SECONDS).stream().map(queue::slot).toList());
			assertThat(slots).hasSize(4);
			while (!slots.isEmpty()) {
				queue.refund(1, slots.remove(slots.size() - 1));
			}
			assertThat(queue.call(0, Duration.ZERO)).as("%s", limit).isEqualTo(before);
		}
	}

	@StoreTest
	void turnInTheMiddlePassesUnused(StoreUnderTest store) {
		for (Limit limit : List.of(EVEN, EVEN.withAlgorithm(Algorithm.TOKEN_BUCKET).withBurst(3), log())) {
			Queue queue = new Queue(store, limit);
			queue.join((int) limit.capacity(), Duration.ZERO);
			List<Long> slots = queue.join(6, TWO_SECONDS).stream().map(queue::slot).toList();
			LimitOutcome before = queue.call(0, Duration.ZERO);
			slots.stream()
				.filter((slot) -> slot < slots.get(slots.size() - 1))
				.forEach((slot) -> queue.refund(1, slot));
			assertThat(queue.call(0, Duration.ZERO)).as("%s", limit).isEqualTo(before);
		}
	}

	@StoreTest
	void slowestLimitOfARuleSetsTheTimeThatAllOfThemCount(StoreUnderTest store) {
		Limit slow = EVEN.withName("slow");
		Limit wide = log().withName("wide");
		RateLimitRule rule = RateLimitRule.named("several").limit(slow).limit(wide).build();
		Queue queue = new Queue(store, rule);
		assertThat(queue.join(3, TWO_SECONDS)).containsExactly(0L, 200_000L, 400_000L);
		assertThat(queue.advance(400_000).call(0, Duration.ZERO).remaining()).isZero();
		List<LimitOutcome> outcomes = queue.callAll(0, Duration.ZERO);
		assertThat(outcomes.get(1).resetAfter()).isEqualTo(1_000_000);
	}

	@StoreTest
	void ruleThatLetsACallPassIsNotBlockedByAnotherThatDelaysIt(StoreUnderTest store) {
		RateLimitRule slow = RateLimitRule.named("slow").limit(EVEN).maxWait(TWO_SECONDS).build();
		RateLimitRule wide = RateLimitRule.named("wide").limit(log()).build();
		String key = AlgorithmOnStore.freshKey();
		store.setClock(AlgorithmOnStore.NOW);
		for (int i = 0; i < 3; i++) {
			List<LimitOutcome> outcomes = store.acquire(List.of(new Demand(slow, key, 1), new Demand(wide, key, 1)));
			assertThat(outcomes).extracting(LimitOutcome::retryAfter).containsExactly(i * 200_000L, 0L);
		}
		assertThat(store.acquire(List.of(new Demand(wide, key, 1)))).extracting(LimitOutcome::retryAfter)
			.containsExactly(0L);
	}

	@StoreTest
	void ruleThatDoesNotWaitDeniesForAllOthers(StoreUnderTest store) {
		RateLimitRule waits = RateLimitRule.named("waits").limit(EVEN).maxWait(TWO_SECONDS).build();
		RateLimitRule denies = RateLimitRule.named("denies").limit(EVEN).build();
		String key = AlgorithmOnStore.freshKey();
		store.setClock(AlgorithmOnStore.NOW);
		List<Demand> demands = List.of(new Demand(waits, key, 1), new Demand(denies, key, 1));
		List<LimitOutcome> first = store.acquire(demands);
		List<LimitOutcome> second = store.acquire(demands);
		assertThat(first).extracting(LimitOutcome::resetAfter).containsExactly(200_000L, 200_000L);
		assertThat(second.get(1).admitted()).isFalse();
		assertThat(second).extracting(LimitOutcome::resetAfter).containsExactly(200_000L, 200_000L);
	}

	@StoreTest
	void clockThatIsSetBackTakesTheQueueWithIt(StoreUnderTest store) {
		for (Limit limit : List.of(EVEN, log())) {
			Queue queue = new Queue(store, limit);
			queue.join((int) limit.capacity() + 2, TWO_SECONDS);
			long wait = queue.call(1, Duration.ZERO).retryAfter();
			queue.advance(-60_000_000);
			assertThat(queue.call(1, Duration.ZERO).retryAfter()).isEqualTo(wait);
			assertThat(queue.advance(wait - 1).call(1, Duration.ZERO).retryAfter()).isOne();
			assertThat(queue.advance(1).join(1, Duration.ZERO)).containsExactly(0L);
		}
	}

	@StoreTest
	void clockThatIsSetBackALittleTakesTheQueueWithIt(StoreUnderTest store) {
		Queue queue = new Queue(store, Limit.of(7, Duration.ofSeconds(1)).withAlgorithm(Algorithm.LEAKY_BUCKET));
		queue.join(2, TWO_SECONDS);
		long wait = queue.call(1, Duration.ZERO).retryAfter();
		queue.advance(-50_000);
		assertThat(queue.call(1, Duration.ZERO).retryAfter()).isEqualTo(wait);
		assertThat(queue.advance(100_000).call(1, Duration.ZERO).retryAfter()).isEqualTo(wait - 100_000);
	}

	@StoreTest
	void queueOfManyPeriodsKeepsItsTimes(StoreUnderTest store) {
		Queue queue = new Queue(store, log());
		List<Long> waits = queue.join(200, Duration.ofMinutes(1));
		assertThat(waits)
			.containsExactlyElementsOf(LongStream.range(0, 200).mapToObj((i) -> i / 5 * 1_000_000).toList());
		assertThat(queue.advance(500_000).join(1, Duration.ofMinutes(1))).containsExactly(39_500_000L);
	}

	private static Limit log() {
		return Limit.of(5, Duration.ofSeconds(1)).withAlgorithm(Algorithm.SLIDING_LOG);
	}

	/**
	 * Calls of one key of one rule.
	 */
	private static final class Queue {

		private final StoreUnderTest store;

		private final RateLimitRule rule;

		private final String key = AlgorithmOnStore.freshKey();

		private long now = AlgorithmOnStore.NOW;

		Queue(StoreUnderTest store, Limit limit) {
			this(store, RateLimitRule.named("queue").limit(limit).build());
		}

		Queue(StoreUnderTest store, RateLimitRule rule) {
			this.store = store;
			this.rule = rule;
		}

		Queue advance(long micros) {
			this.now += micros;
			return this;
		}

		LimitOutcome call(long cost, Duration maxWait) {
			return callAll(cost, maxWait).get(0);
		}

		List<LimitOutcome> callAll(long cost, Duration maxWait) {
			this.store.setClock(this.now);
			return this.store.acquire(List.of(new Demand(this.rule, this.key, cost, maxWait)));
		}

		/**
		 * Make calls one after the other.
		 * @return the waits of the admitted calls
		 */
		List<Long> join(int calls, Duration maxWait) {
			return Stream.generate(() -> call(1, maxWait))
				.limit(calls)
				.filter((outcome) -> outcome.retryAfter() >= 0 && outcome.retryAfter() <= maxWait.toNanos() / 1000)
				.map(LimitOutcome::retryAfter)
				.toList();
		}

		long slot(long wait) {
			return this.now + wait;
		}

		void refund(long cost, long slot) {
			this.store.setClock(this.now);
			this.store.correct(List.of(Correction.refund(new Demand(this.rule, this.key, cost), slot)));
		}

	}

}
