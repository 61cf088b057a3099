package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Ban;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.tck.Seeds;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleVariants;
import io.github.ratelimit.store.StoredKey;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A denial is repeated without a call to the store, as long as it is known to hold.
 */
class DenyCacheTests {

	private static final Duration MAX_TTL = Duration.ofSeconds(1);

	private static final RateLimitRule RULE = rule(Limit.of(2, Duration.ofMinutes(1)));

	private final FailingStore store = new FailingStore();

	private final AtomicLong clock = new AtomicLong();

	private final DenyCache cache = new DenyCache(100, MAX_TTL, this.clock::get);

	@AutoClose
	private final RateLimitEngine engine = Engines.over(this.store, OnStoreFailure.DENY, this.cache);

	@Test
	void deniedCallIsDeniedAgainWithoutTheStore() {
		drain();
		Decision denial = acquire(1);
		int calls = this.store.calls;
		this.clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(400));
		Decision known = acquire(1);
		assertThat(this.store.calls).isEqualTo(calls);
		assertThat(known.origin()).isEqualTo(Decision.Origin.DENY_CACHE);
		assertThat(known.allowed()).isFalse();
		assertThat(known.violated()).isEqualTo(denial.violated());
		assertThat(known.retryAfter()).isEqualTo(denial.retryAfter().minusMillis(400));
		assertThat(known.limits().get(0).retryAfter()).isEqualTo(known.retryAfter());
		assertThat(known.resetAfter()).isEqualTo(denial.resetAfter().minusMillis(400));
	}

	@Test
	void asynchronousCallsUseItToo() {
		drain();
		acquire(1);
		assertThat(this.engine.acquireAsync(demands(1)).toCompletableFuture().join().decision().origin())
			.isEqualTo(Decision.Origin.DENY_CACHE);
	}

	@Test
	void storeIsCalledAgainAfterTheLongestTime() {
		drain();
		acquire(1);
		this.clock.addAndGet(MAX_TTL.toNanos());
		assertThat(acquire(1).origin()).isEqualTo(Decision.Origin.REDIS);
	}

	@Test
	void denialIsKnownForNoLongerThanInstancesMayHoldUnits() {
		Demand demand = new Demand(RULE, "key", 1);
		RuleAnswer denial = RuleAnswer.of(demand, 0, new LimitOutcome(0, 60_000_000, 60_000_000));
		this.cache.remember(denial.whileUnitsAreHeld(20_000), this.clock.get());
		this.clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(20) - 1);
		assertThat(this.cache.find(demand)).isNotNull();
		this.clock.addAndGet(1);
		assertThat(this.cache.find(demand)).isNull();
		this.cache.remember(denial, this.clock.get());
		this.clock.addAndGet(MAX_TTL.toNanos() - 1);
		assertThat(this.cache.find(demand)).isNotNull();
	}

	@Test
	void ofARuleWithABanOnlyTheBanIsKnown() {
		RateLimitRule rule = RateLimitRule.named("login")
			.limit(Limit.of(1, Duration.ofMinutes(1)).withAlgorithm(Algorithm.SLIDING_LOG))
			.ban(new Ban(2, Duration.ofMinutes(1), Duration.ofMillis(500)))
			.build();
		Demand demand = new Demand(rule, "key", 1);
		this.engine.acquire(demand);
		this.engine.acquire(demand);
		assertThat(this.cache.find(demand)).as("a denial that counts").isNull();
		assertThat(this.engine.acquire(demand).decision().violated()).containsExactly("login", "login-ban");
		Decision known = this.engine.acquire(demand).decision();
		assertThat(known.origin()).isEqualTo(Decision.Origin.DENY_CACHE);
		assertThat(known.violated()).containsExactly("login-ban");
		this.clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(500) - 1);
		assertThat(this.cache.find(demand)).isNotNull();
		this.clock.addAndGet(1);
		assertThat(this.cache.find(demand)).as("the next denial counts").isNull();
	}

	@Test
	void banIsKnownForTheLongestTimeAtMost() {
		RateLimitRule rule = RateLimitRule.named("login")
			.limit(Limit.of(1, Duration.ofMinutes(1)).withAlgorithm(Algorithm.SLIDING_LOG))
			.ban(new Ban(1, Duration.ofMinutes(1), Duration.ofHours(1)))
			.build();
		Demand demand = new Demand(rule, "key", 1);
		this.engine.acquire(demand);
		this.engine.acquire(demand);
		this.clock.addAndGet(MAX_TTL.toNanos() - 1);
		assertThat(this.cache.find(demand)).isNotNull();
		this.clock.addAndGet(1);
		assertThat(this.cache.find(demand)).isNull();
	}

	@Test
	void storeIsCalledAgainWhenTheCallMayBeAdmitted() {
		RateLimitRule brief = rule(Limit.of(1, Duration.ofMillis(200)));
		this.engine.acquire(new Demand(brief, "key", 1));
		Decision denial = this.engine.acquire(new Demand(brief, "key", 1)).decision();
		this.clock.addAndGet(denial.retryAfter().toNanos() - 1);
		assertThat(this.cache.find(new Demand(brief, "key", 1))).isNotNull();
		this.clock.addAndGet(1);
		assertThat(this.cache.find(new Demand(brief, "key", 1))).isNull();
	}

	@Test
	void nothingIsKnownOfOtherCalls() {
		this.engine.acquire(demands(1));
		assertThat(acquire(2).allowed()).isFalse();
		assertThat(acquire(1).allowed()).isTrue();
		assertThat(acquire(2).origin()).isEqualTo(Decision.Origin.DENY_CACHE);
		assertThat(acquire(0).origin()).isEqualTo(Decision.Origin.REDIS);
		assertThat(this.cache.find(new Demand(RULE, "other", 2))).isNull();
		assertThat(this.cache.find(new Demand(RULE, "key", 2, Duration.ofSeconds(1)))).isNull();
		assertThat(this.cache.find(new Demand(rule(Limit.of(3, Duration.ofMinutes(1))), "key", 2))).isNull();
	}

	@Test
	void denialUnderOnePlanIsNoneUnderAnother() {
		RuleCounts own = planned();
		RuleCounts pro = RuleVariants.of(own).under("pro");
		assertThat(acquire(own, 3).allowed()).isFalse();
		assertThat(acquire(own, 3).origin()).isEqualTo(Decision.Origin.DENY_CACHE);
		assertThat(acquire(pro, 3).allowed()).isTrue();
	}

	/**
	 * From then on, units come back by the numbers of the plan of that call.
	 */
	@Test
	void denialUnderPlansIsForgottenWhenACallIsAdmitted() {
		RuleCounts own = planned();
		for (RuleCounts plan : List.of(own, RuleVariants.of(own).under("pro"))) {
			acquire(own, 3);
			assertThat(acquire(own, 3).origin()).isEqualTo(Decision.Origin.DENY_CACHE);
			assertThat(acquire(plan, 1).allowed()).isTrue();
			assertThat(acquire(own, 3).origin()).isEqualTo(Decision.Origin.REDIS);
		}
	}

	private Decision acquire(RuleCounts counts, long cost) {
		return this.engine.acquire(new Demand(counts, "planned", cost)).decision();
	}

	private static RuleCounts planned() {
		return RuleCounts.of(RateLimitRule.named("planned")
			.limit(Limit.of(2, Duration.ofMinutes(1)))
			.algorithm(Algorithm.SLIDING_LOG)
			.plan("pro", Limit.of(600, Duration.ofMinutes(1)))
			.build());
	}

	@Test
	void callsOverSeveralRulesGoToTheStoreEveryTime() {
		drain();
		RateLimitRule other = RateLimitRule.named("other").limit(log(Limit.of(2, Duration.ofMinutes(1)))).build();
		Demands both = Demands.of(new Demand(RULE, "key", 1), new Demand(other, "key", 1));
		assertThat(this.engine.acquire(both).decision().origin()).isEqualTo(Decision.Origin.REDIS);
		assertThat(this.engine.acquire(both).decision().origin()).isEqualTo(Decision.Origin.REDIS);
	}

	@Test
	void deniedCallsThatCountGoToTheStoreEveryTime() {
		RateLimitRule counting = rule(Limit.of(1, Duration.ofMinutes(1)).withCountDenied(true));
		Demands demands = new Demand(counting, "key", 1);
		for (int i = 0; i < 5; i++) {
			assertThat(this.engine.acquire(demands).decision().origin()).isEqualTo(Decision.Origin.REDIS);
		}
	}

	@Test
	void refundAndResetAreSeenAtOnce() {
		drain();
		assertThat(acquire(1).allowed()).isFalse();
		this.engine.keys().refund(demands(1).get(0));
		assertThat(acquire(1).allowed()).isTrue();
		assertThat(acquire(1).allowed()).isFalse();
		this.engine.keys().reset(RuleCounts.of(RULE), "key");
		assertThat(acquire(1).allowed()).isTrue();
	}

	@Test
	void denialThatWasOnItsWayDuringARefundIsNotRemembered() {
		drain();
		long sent = this.cache.now();
		RuleAnswer denial = this.store.acquire(demands(1)).get(0);
		this.clock.incrementAndGet();
		this.engine.keys().refund(demands(1).get(0));
		this.cache.remember(denial, sent);
		assertThat(acquire(1).allowed()).isTrue();
	}

	@Test
	void denialThatWasOnItsWayWhileACallUnderAPlanWasAdmittedIsNotRemembered() {
		RuleCounts own = planned();
		Demand demand = new Demand(own, "planned", 3);
		long sent = this.cache.now();
		RuleAnswer denial = this.store.acquire(demand).get(0);
		this.clock.incrementAndGet();
		assertThat(acquire(RuleVariants.of(own).under("pro"), 1).allowed()).isTrue();
		this.cache.remember(denial, sent);
		assertThat(this.cache.find(demand)).isNull();
		this.clock.incrementAndGet();
		this.cache.remember(denial, this.cache.now());
		assertThat(this.cache.find(demand)).isNotNull();
	}

	/**
	 * Of two concurrent refunds, the earlier one notes its time last.
	 */
	@Test
	void refundThatIsNotedLateHidesNoLaterOne() {
		List<Runnable> meanwhile = new ArrayList<>();
		DenyCache slow = new DenyCache(100, MAX_TTL, () -> {
			long now = this.clock.get();
			List.copyOf(meanwhile).forEach(Runnable::run);
			return now;
		});
		RuleAnswer denial = this.store.acquire(demands(3)).get(0);
		meanwhile.add(() -> {
			meanwhile.clear();
			this.clock.set(20);
			slow.forget(RuleCounts.of(RULE), StoredKey.of("key"));
		});
		this.clock.set(10);
		slow.forget(RuleCounts.of(RULE), StoredKey.of("key"));
		slow.remember(denial, 15);
		assertThat(slow.find(demands(3))).isNull();
	}

	@Test
	void callThatCanNeverBeAdmittedIsRememberedAsSuch() {
		assertThat(acquire(3).retryAfter()).isEqualTo(Decision.NEVER);
		Decision known = acquire(3);
		assertThat(known.origin()).isEqualTo(Decision.Origin.DENY_CACHE);
		assertThat(known.retryAfter()).isEqualTo(Decision.NEVER);
	}

	@Test
	void refundedReservationIsSeenAtOnce() {
		RateLimitRule queue = RateLimitRule.named("queue")
			.limit(Limit.of(1, Duration.ofMinutes(1)).withAlgorithm(Algorithm.LEAKY_BUCKET))
			.maxWait(Duration.ofSeconds(60))
			.build();
		Demands demands = new Demand(queue, "key", 1);
		this.engine.acquire(demands);
		DecidedCall waiting = this.engine.acquire(demands);
		assertThat(waiting.decision().delay()).isPositive();
		assertThat(this.engine.acquire(demands).decision().allowed()).isFalse();
		waiting.refund();
		assertThat(this.engine.acquire(demands).decision().allowed()).isTrue();
	}

	@Test
	void admitsJustAsManyAsTheStoreAlone() {
		Seeds.seeds().forEach((seed) -> {
			Random random = new Random(seed);
			FailingStore alone = new FailingStore();
			RateLimitRule rule = rule(Limit.of(5, Duration.ofHours(1)));
			for (int i = 0; i < 1_000; i++) {
				Demands demands = new Demand(rule, seed + "-" + random.nextInt(50), random.nextInt(4));
				this.clock.addAndGet(random.nextInt(100_000_000));
				boolean expected = alone.acquire(demands).get(0).outcomes().get(0).admitted();
				assertThat(this.engine.acquire(demands).decision().allowed()).as("seed %d, call %d", seed, i)
					.isEqualTo(expected);
			}
		});
	}

	private void drain() {
		assertThat(acquire(2).allowed()).isTrue();
	}

	private Decision acquire(long cost) {
		return this.engine.acquire(demands(cost)).decision();
	}

	private static Demands demands(long cost) {
		return Demands.of(new Demand(RULE, "key", cost));
	}

	private static RateLimitRule rule(Limit limit) {
		return RateLimitRule.named("rule").limit(log(limit)).build();
	}

	private static Limit log(Limit limit) {
		return limit.withAlgorithm(Algorithm.SLIDING_LOG);
	}

}
