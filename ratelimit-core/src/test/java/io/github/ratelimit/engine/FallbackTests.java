package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Headroom;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.Limit;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.local.LocalFallbackStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Counts of the fallback are charged to the store once, and no caller gets a second
 * quota.
 */
class FallbackTests {

	private static final StoreException SILENT = new StoreException("silent", null, "timeout", true, null);

	private final FailingStore store = new FailingStore();

	@AutoClose
	private final RateLimitEngine engine = new RateLimitEngine(this.store, () -> OnStoreFailure.LOCAL,
			new LocalFallbackStore(1_000, 1));

	private static final Duration HOUR = Duration.ofHours(1);

	@Test
	void storeThatFailsEveryOtherCallGrantsOneUnitBeyond() {
		this.store.failing = (call) -> call % 2 == 1;
		int admitted = 0;
		for (int i = 0; i < 20; i++) {
			int used = Math.min(5, admitted);
			await().until(() -> this.store.delegate.peek(demand(1)).outcomes().get(0).remaining() == 5 - used);
			admitted += admits() ? 1 : 0;
		}
		assertThat(admitted).isEqualTo(6);
	}

	@Test
	void fallbackDecidesByAllCountsUntilTheirChargeHasSucceeded() {
		CompletableFuture<Void> charging = new CompletableFuture<>();
		this.store.charging = charging;
		fail();
		assertThat(admitted(10)).isEqualTo(5);
		this.store.failure = null;
		await().until(() -> !this.store.charged.isEmpty());
		this.store.failing = (call) -> true;
		assertThat(admitted(10)).isZero();
		charging.completeExceptionally(SILENT);
		assertThat(admitted(10)).isZero();
	}

	@Test
	void chargeThatFailsIsTriedAgain() {
		fail();
		assertThat(admitted(3)).isEqualTo(3);
		this.store.charging = CompletableFuture.failedStage(SILENT);
		this.store.failure = null;
		await().until(() -> !this.store.charged.isEmpty());
		this.store.charging = CompletableFuture.completedStage(null);
		await().untilAsserted(
				() -> assertThat(this.store.delegate.peek(demand(1)).outcomes().get(0).remaining()).isEqualTo(2));
	}

	@Test
	void chargeThatReachesTheStoreDuringAResetIsResetAsWell() {
		CompletableFuture<Void> charging = new CompletableFuture<>();
		this.store.charging = charging;
		this.store.failing = (call) -> call == 0;
		assertThat(admits()).isTrue();
		await().until(() -> !this.store.charged.isEmpty());
		this.store.afterReset = () -> {
			this.store.afterReset = () -> {
			};
			charging.complete(null);
			await().until(() -> this.store.delegate.peek(demand(1)).outcomes().get(0).remaining() == 4);
		};
		this.engine.keys().reset(demand(1).counts(), "key");
		assertThat(this.store.delegate.peek(demand(1)).outcomes().get(0).remaining()).isEqualTo(5);
	}

	@Test
	void timeOutOfACallWithSeveralRulesIsOneFailure() {
		this.store.failure = SILENT;
		this.engine.acquire(Demands.of(IntStream.range(0, 10).mapToObj((i) -> demand("rule-" + i, 1)).toList()));
		this.store.failure = null;
		assertThat(this.engine.acquire(demand(1)).decision().origin()).isEqualTo(Decision.Origin.REDIS);
	}

	/**
	 * A class leaves a part of the numbers free, and a charge has to fit into all of
	 * them.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "low", "other" })
	void debtUnderAPlanIsChargedByTheNumbersOfThePlan(String priority) {
		RateLimiter pro = limiter().withPlan("pro");
		assertDebtIsCharged(pro, pro.withPriority(priority));
	}

	@ParameterizedTest
	@ValueSource(strings = { "low", "other" })
	void debtOfAKeyWithNumbersOfItsOwnIsChargedByThese(String priority) {
		RateLimiter limiter = limiter();
		this.engine.keys().verdicts().put("tokens", "key", KeyOverride.max(600));
		assertDebtIsCharged(limiter, limiter.withPriority(priority));
	}

	private RateLimiter limiter() {
		return new RuleRegistry(this.engine, Algorithm.FIXED_WINDOW, List.of()).register(RateLimitRule.named("tokens")
			.limit(60, HOUR)
			.plan("pro", Limit.of(600, HOUR))
			.headroom("low", Headroom.ofPercent(10))
			.build());
	}

	private void assertDebtIsCharged(RateLimiter limiter, RateLimiter ofClass) {
		this.store.failure = SILENT;
		Reservation call = ofClass.reserve("key", 50);
		assertThat(call.decision().origin()).isEqualTo(Decision.Origin.FALLBACK);
		call.settle(500);
		this.store.failure = null;
		await().untilAsserted(() -> assertThat(limiter.peek("key")).extracting(Decision::origin, Decision::remaining)
			.containsExactly(Decision.Origin.REDIS, 100L));
	}

	private void fail() {
		this.store.failure = SILENT;
		for (int i = 0; i < CircuitRegistry.FAILURES; i++) {
			this.engine.acquire(demand("other", 1));
		}
	}

	private long admitted(int calls) {
		return IntStream.range(0, calls).filter((i) -> admits()).count();
	}

	private boolean admits() {
		return this.engine.acquire(demand(1)).decision().allowed();
	}

	private static Demand demand(long cost) {
		return demand("rule", cost);
	}

	private static Demand demand(String rule, long cost) {
		return new Demand(
				RateLimitRule.named(rule).limit(5, Duration.ofHours(1)).algorithm(Algorithm.SLIDING_LOG).build(), "key",
				cost);
	}

}
