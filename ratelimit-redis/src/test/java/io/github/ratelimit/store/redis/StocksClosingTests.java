package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.Retained;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredKey;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Units that an instance holds, when their time is over and when it closes.
 */
class StocksClosingTests {

	private static final long MILLIS = 1_000_000;

	private static final Duration PREFETCH = Duration.ofMillis(20);

	private final RuleCounts rule = RuleCounts.of(RateLimitRule.named("rule")
		.limit(Limit.of(1_000, Duration.ofHours(1)))
		.algorithm(Algorithm.SLIDING_LOG)
		.prefetch(PREFETCH)
		.build());

	private final Demand demand = new Demand(this.rule, StoredKey.of("key"), 1, 0);

	private final List<Sent> sent = new ArrayList<>();

	private final List<Runnable> tasks = new ArrayList<>();

	private long pause;

	private long clock;

	private boolean outOfMemory;

	private final StockRegistry stocks = new StockRegistry((demand, fetch, deadline, answer) -> {
		if (this.outOfMemory) {
			throw new OutOfMemoryError("Java heap space");
		}
		fetch.begin();
		this.sent.add(new Sent(demand, fetch, answer));
	}, (demand, fetch) -> {
		this.sent.add(new Sent(demand, fetch, new CompletableFuture<>()));
		return this.sent.get(this.sent.size() - 1).answer;
	}, (refund) -> {
	}, () -> this.clock, () -> this.clock, (task, nanoseconds) -> {
		this.tasks.add(task);
		this.pause = nanoseconds;
	});

	@Test
	void unitsInUseReturn() {
		holdUnits(10);
		this.stocks.close();
		assertThat(unitsReturned()).containsExactly(10L);
	}

	@Test
	void unitsWhoseTimeIsOverReturnAtOnce() {
		holdUnits(10);
		this.clock = PREFETCH.toNanos();
		this.tasks.remove(0).run();
		assertThat(unitsReturned()).isEmpty();
		this.stocks.close();
		assertThat(unitsReturned()).containsExactly(10L);
	}

	@Test
	void unitsReturnOnce() {
		holdUnits(10);
		this.clock = PREFETCH.toNanos();
		this.tasks.remove(0).run();
		this.stocks.close();
		this.tasks.forEach(Runnable::run);
		this.stocks.close();
		assertThat(unitsReturned()).containsExactly(10L);
	}

	@Test
	void returnThatFailsIsRepeatedAsLongAsRedisKnowsThePortion() {
		holdUnits(10);
		this.clock = PREFETCH.toNanos();
		this.tasks.remove(0).run();
		this.tasks.remove(0).run();
		this.clock = PREFETCH.plusMillis(999).toNanos();
		failLast();
		this.tasks.remove(0).run();
		assertThat(unitsReturned()).containsExactly(10L, 10L);
		assertThat(this.sent.subList(2, 4)).extracting((call) -> call.fetch.over())
			.containsOnly(this.sent.get(1).fetch.id());
		this.clock = PREFETCH.plusSeconds(2).toNanos();
		failLast();
		assertThat(this.tasks).isEmpty();
	}

	@Test
	void returnThatFailsAgainAndAgainIsRepeatedAfterLongerPauses() {
		holdUnits(10);
		this.clock = PREFETCH.toNanos();
		this.tasks.remove(0).run();
		this.tasks.remove(0).run();
		List<Long> pauses = new ArrayList<>();
		for (failLast(); !this.tasks.isEmpty(); failLast()) {
			pauses.add(this.pause / MILLIS);
			this.clock += this.pause;
			this.tasks.remove(0).run();
		}
		assertThat(pauses).containsExactly(20L, 40L, 80L, 160L, 160L, 160L, 160L, 160L, 160L);
	}

	@Test
	void callThatCannotBeSentKeepsNoOtherOneWaiting() {
		this.stocks.decide(this.demand, 0);
		this.outOfMemory = true;
		assertThat(this.stocks.decide(this.demand, 0)).isCompletedExceptionally();
		this.outOfMemory = false;
		this.stocks.decide(this.demand, 0);
		assertThat(this.sent).hasSize(2);
	}

	@Test
	void callsThatWaitForAFetchUntilTheirDeadlineFailWithIt() {
		this.stocks.decide(this.demand, 100 * MILLIS);
		this.stocks.decide(this.demand, 100 * MILLIS);
		CompletableFuture<StoreAnswer> over = this.stocks.decide(this.demand, 108 * MILLIS);
		CompletableFuture<StoreAnswer> inTime = this.stocks.decide(this.demand, 109 * MILLIS);
		assertThat(this.sent).hasSize(2);
		this.clock = 108 * MILLIS;
		StoreException timeout = new StoreException("timeout", null, "timeout", true, null);
		this.sent.get(1).answer.completeExceptionally(timeout);
		assertThat(over).isCompletedExceptionally();
		assertThat(over.handle((answer, failure) -> failure)).isCompletedWithValue(timeout);
		assertThat(inTime).isNotDone();
		assertThat(this.sent).hasSize(3);
	}

	@Test
	void callsWithoutUnitsFetchAsManyAsThoseBeforeNeeded() {
		holdUnits(100, MILLIS, PREFETCH);
		pay(50);
		this.clock = 20 * MILLIS;
		this.tasks.remove(0).run();
		this.stocks.decide(this.demand, 0);
		this.sent.get(2).answer(0, PREFETCH);
		assertThat(this.sent.subList(2, 4)).extracting((call) -> call.fetch.wanted()).containsOnly(53L);
	}

	@Test
	void unitsThatEndWithTheirWindowAreNotLate() {
		holdUnits(100, 3 * MILLIS / 2, Duration.ofMillis(2));
		pay(5);
		this.clock = 2 * MILLIS;
		this.tasks.remove(0).run();
		assertThat(this.sent.get(2).fetch.wanted()).isPositive();
	}

	private void failLast() {
		this.sent.get(this.sent.size() - 1).answer.completeExceptionally(new TimeoutException());
	}

	private void pay(int calls) {
		for (int i = 0; i < calls; i++) {
			assertThat(this.stocks.pay(this.demand)).isNotNull();
		}
	}

	private void holdUnits(long units) {
		holdUnits(units, 0, PREFETCH);
	}

	private void holdUnits(long units, long roundTrip, Duration lifetime) {
		this.stocks.decide(this.demand, 0);
		this.stocks.decide(this.demand, 0);
		this.clock += roundTrip;
		this.sent.get(1).answer(units, lifetime);
		this.sent.get(0).answer(0, lifetime);
		this.tasks.subList(1, this.tasks.size()).clear();
	}

	@Test
	void ruleThatIsRemovedLeavesNothingBehind() {
		assertThat(Retained.objects((number) -> {
			RateLimitRule removed = RateLimitRule.named("rule-" + number)
				.limit(Limit.of(1_000, Duration.ofHours(1)))
				.algorithm(Algorithm.SLIDING_LOG)
				.prefetch(PREFETCH)
				.build();
			StoredKey key = StoredKey.of("key");
			Demand last = new Demand(RuleCounts.of(removed), key, 1, 0);
			this.stocks
				.noteHeld(RuleAnswer.of(last, 0, (count) -> new LimitOutcome(500, 0, 1)).whileUnitsAreHeld(1_000));
			return key;
		})).isZero();
	}

	private List<Long> unitsReturned() {
		return this.sent.stream().filter((call) -> call.fetch.over() > 0).map((call) -> call.fetch.unused()).toList();
	}

	/**
	 * Call that was sent to Redis.
	 */
	private record Sent(Demand demand, Fetch fetch, CompletableFuture<StoreAnswer> answer) {

		void answer(long granted, Duration lifetime) {
			RuleAnswer admitted = RuleAnswer.of(this.demand, 0, (count) -> new LimitOutcome(500, 0, 1));
			this.fetch.answered(admitted, new LimitOutcome(granted, 0, lifetime.toMillis() * 1000));
			this.answer.complete(admitted);
		}

	}

}
