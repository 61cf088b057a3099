package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleVariants;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoredKey;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Stock of a key whose calls come under several plans. Units are held for one of them;
 * calls under the others go to Redis one by one and take nothing away.
 */
class StocksUnderPlansTests {

	private static final long SECOND = 1_000_000_000;

	private final RuleCounts own = RuleCounts.of(RateLimitRule.named("rule")
		.limit(Limit.of(1_000, Duration.ofHours(1)))
		.algorithm(Algorithm.SLIDING_LOG)
		.plan("pro", Limit.of(2_000, Duration.ofHours(1)))
		.prefetch(Duration.ofMillis(20))
		.build());

	private final RuleCounts pro = RuleVariants.of(this.own).under("pro");

	private final List<Sent> sent = new ArrayList<>();

	private final List<Runnable> tasks = new ArrayList<>();

	private long clock;

	private final StockRegistry stocks = new StockRegistry((demand, fetch, deadline, answer) -> {
		fetch.begin();
		this.sent.add(new Sent(demand, fetch, answer));
	}, (demand, fetch) -> {
		this.sent.add(new Sent(demand, fetch, new CompletableFuture<>()));
		return this.sent.get(this.sent.size() - 1).answer;
	}, (refund) -> {
	}, () -> SECOND, () -> this.clock, (task, nanoseconds) -> this.tasks.add(task));

	@Test
	void callsUnderAnotherPlanLeaveTheUnitsHeld() {
		holdUnits(this.own);
		for (int i = 0; i < 5; i++) {
			assertThat(this.stocks.pay(demand(this.pro))).isNull();
			decide(this.pro);
			Sent single = this.sent.get(this.sent.size() - 1);
			assertThat(single.demand.counts()).isSameAs(this.pro);
			assertThat(single.fetch).isSameAs(Fetch.NOTHING);
			single.answer(0);
			assertThat(this.stocks.pay(demand(this.own))).isNotNull();
		}
		assertThat(this.sent).noneMatch((call) -> call.fetch.over() > 0);
	}

	@Test
	void callsUnderAnotherPlanDoNotWaitForAFetch() {
		decide(this.own);
		decide(this.own);
		decide(this.pro);
		assertThat(this.sent).hasSize(3);
		assertThat(this.sent.get(2).fetch).isSameAs(Fetch.NOTHING);
	}

	@Test
	void unitsAreHeldForAnotherPlanWhenTheirTimeIsOver() {
		holdUnits(this.own);
		this.clock = SECOND;
		while (!this.tasks.isEmpty()) {
			this.tasks.remove(0).run();
		}
		List.copyOf(this.sent).forEach((call) -> call.answer(0));
		this.sent.clear();
		holdUnits(this.pro);
		assertThat(this.stocks.pay(demand(this.pro))).isNotNull();
		assertThat(this.stocks.pay(demand(this.own))).isNull();
	}

	@Test
	void changeOfTheRuleReturnsTheUnits() {
		holdUnits(this.own);
		RuleCounts changed = RuleCounts.of(this.own.rule().withLimits(this.pro.rule().limits()));
		decide(changed);
		assertThat(this.sent).anyMatch((call) -> call.fetch.over() > 0);
	}

	private void holdUnits(RuleCounts counts) {
		decide(counts);
		decide(counts);
		assertThat(this.sent).hasSize(2);
		this.sent.get(1).answer(10);
		this.sent.get(0).answer(0);
	}

	private void decide(RuleCounts counts) {
		this.stocks.decide(demand(counts), SECOND);
	}

	private static Demand demand(RuleCounts counts) {
		return new Demand(counts, StoredKey.of("key"), 1, 0);
	}

	/**
	 * Call that was sent to Redis.
	 */
	private record Sent(Demand demand, Fetch fetch, CompletableFuture<StoreAnswer> answer) {

		void answer(long granted) {
			RuleAnswer admitted = RuleAnswer.of(this.demand, 0, (count) -> new LimitOutcome(500, 0, 1));
			this.fetch.answered(admitted, new LimitOutcome(granted, 0, 20_000));
			this.answer.complete(admitted);
		}

	}

}
