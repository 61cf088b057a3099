package io.github.ratelimit.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Headroom;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.Mode;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.RuleDecision.Outcome;
import io.github.ratelimit.attribute.LimitAttributes;
import io.github.ratelimit.engine.CandidateFigures.Sum;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.FigureStore.Figures;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.local.LocalFallbackStore;
import io.github.ratelimit.store.local.LocalRateLimitStore;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.tck.LocalStoreUnderTest;
import io.github.ratelimit.store.tck.StoreUnderTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Candidates of rules in the engine: which calls they decide, and their figures.
 */
class CandidatesTests {

	static final List<StoreUnderTest> STORES = AlgorithmOnStore.STORES;

	private static final Duration HOUR = Duration.ofHours(1);

	private final String key = AlgorithmOnStore.freshKey();

	private final String name = "rule-" + this.key;

	private RateLimitEngine engine;

	private RuleRegistry registry;

	private RateLimitRule.Builder rule() {
		return RateLimitRule.named(this.name).limit(2, HOUR).candidate("tight", Limit.of(1, HOUR));
	}

	private RuleLimiter limiter(StoreUnderTest store, RateLimitRule rule) {
		this.engine = Engines.over(store.instancesOnTheRealClock().get(0), OnStoreFailure.DENY,
				new DenyCache(100, HOUR));
		this.engine.start();
		this.registry = new RuleRegistry(this.engine, Algorithm.SLIDING_LOG, List.of());
		return (RuleLimiter) this.registry.register(rule);
	}

	private String figures(RuleLimiter limiter) {
		Sum sum = this.registry.figures(limiter.rule().name(), null).get("tight");
		return sum.calls() + " calls, " + sum.denied() + " denied of " + sum.deniedKeys() + " keys, " + sum.liveDenied()
				+ " by the rule";
	}

	@ParameterizedTest
	@FieldSource("STORES")
	void candidateChangesNoDecisionAndSeesCallsThatAreDeniedAgain(StoreUnderTest store) {
		RuleLimiter limiter = limiter(store, rule().build());
		List<Boolean> allowed = IntStream.range(0, 5).mapToObj((i) -> limiter.tryAcquire(this.key).allowed()).toList();
		assertThat(allowed).containsExactly(true, true, false, false, false);
		Decision denied = limiter.tryAcquire(this.key);
		assertThat(denied.limits()).hasSize(1);
		assertThat(denied.violated()).containsExactly(this.name);
		assertThat(denied.origin()).isNotEqualTo(Decision.Origin.DENY_CACHE);
		assertThat(figures(limiter)).isEqualTo("6 calls, 5 denied of 1 keys, 4 by the rule");
	}

	@ParameterizedTest
	@FieldSource("STORES")
	void candidateSeesCallsThatAnotherRuleDenies(StoreUnderTest store) {
		RuleLimiter limiter = limiter(store, rule().build());
		RuleLimiter other = (RuleLimiter) this.registry
			.register(RateLimitRule.named("other-" + this.key).limit(1, HOUR).build());
		for (int i = 0; i < 3; i++) {
			this.engine.acquire(Demands.of(limiter.demand(this.key, 1), other.demand(this.key, 1)));
		}
		assertThat(figures(limiter)).isEqualTo("3 calls, 2 denied of 1 keys, 0 by the rule");
		assertThat(limiter.peek(this.key).remaining()).isEqualTo(1);
	}

	@ParameterizedTest
	@FieldSource("STORES")
	void refundedCallIsNotCountedByTheCandidateEither(StoreUnderTest store) {
		RuleLimiter limiter = limiter(store, rule().build());
		try (Reservation reservation = limiter.reserve(this.key, 1)) {
			reservation.cancel();
		}
		limiter.tryAcquire(this.key);
		limiter.refund(this.key, 1);
		limiter.tryAcquire(this.key);
		assertThat(figures(limiter)).isEqualTo("3 calls, 0 denied of 0 keys, 0 by the rule");
		limiter.reset(this.key);
		limiter.tryAcquire(this.key);
		assertThat(figures(limiter)).isEqualTo("4 calls, 0 denied of 0 keys, 0 by the rule");
	}

	@ParameterizedTest
	@FieldSource("STORES")
	void callThatARuleInShadowModeWouldDenyIsRefundedByTheCandidate(StoreUnderTest store) {
		RuleLimiter limiter = limiter(store,
				RateLimitRule.named(this.name)
					.limit(1, HOUR)
					.mode(Mode.SHADOW)
					.candidate("tight", Limit.of(2, HOUR))
					.build());
		limiter.tryAcquire(this.key);
		try (Reservation reservation = limiter.reserve(this.key, 1)) {
			reservation.cancel();
		}
		limiter.tryAcquire(this.key);
		assertThat(figures(limiter)).isEqualTo("3 calls, 0 denied of 0 keys, 2 by the rule");
	}

	@ParameterizedTest
	@FieldSource("STORES")
	void callThatARuleInShadowModeWouldDenyIsSettledByTheCandidate(StoreUnderTest store) {
		assertThat(figuresAfterSettling(store, RateLimitRule.named(this.name).limit(1, HOUR).mode(Mode.SHADOW)))
			.isEqualTo("2 calls, 1 denied of 1 keys, 2 by the rule");
	}

	@ParameterizedTest
	@FieldSource("STORES")
	void unitsOfACallThatEstimatedNoneAreOwedByTheCandidateToo(StoreUnderTest store) {
		Limit limit = Limit.of(10, HOUR).withAlgorithm(Algorithm.FIXED_WINDOW);
		RuleLimiter limiter = limiter(store,
				RateLimitRule.named(this.name).limit(limit).settle("#result").candidate("tight", limit).build());
		try (Reservation reservation = limiter.reserve(this.key, 0)) {
			reservation.settle(16);
		}
		assertThat(limiter.tryAcquire(this.key).allowed()).isFalse();
		assertThat(figures(limiter)).isEqualTo("1 calls, 1 denied of 1 keys, 1 by the rule");
	}

	@ParameterizedTest
	@FieldSource("STORES")
	void settledUnitsAreThoseOfTheCandidateToo(StoreUnderTest store) {
		assertThat(figuresAfterSettling(store, RateLimitRule.named(this.name).limit(10, HOUR)))
			.isEqualTo("2 calls, 1 denied of 1 keys, 0 by the rule");
	}

	private String figuresAfterSettling(StoreUnderTest store, RateLimitRule.Builder rule) {
		RuleLimiter limiter = limiter(store,
				rule.algorithm(Algorithm.FIXED_WINDOW).settle("#result").candidate("tight", Limit.of(8, HOUR)).build());
		try (Reservation reservation = limiter.reserve(this.key, 5)) {
			reservation.settle(7);
		}
		limiter.tryAcquire(this.key, 2);
		return figures(limiter);
	}

	@ParameterizedTest
	@FieldSource("STORES")
	void candidateHasItsOwnNumbersUnderEveryPlanAndNoCallsOfKeysWithNumbersOfTheirOwn(StoreUnderTest store) {
		RuleLimiter limiter = limiter(store, rule().plan("pro", Limit.of(100, HOUR)).build());
		limiter.withPlan("pro").tryAcquire(this.key);
		limiter.withPlan("pro").tryAcquire(this.key);
		assertThat(figures(limiter)).isEqualTo("2 calls, 1 denied of 1 keys, 0 by the rule");
		this.engine.keys().verdicts().put(this.name, this.key, KeyOverride.max(50));
		limiter.tryAcquire(this.key);
		this.engine.keys().verdicts().put(this.name, this.key, KeyOverride.blocked());
		limiter.tryAcquire(this.key);
		assertThat(figures(limiter)).isEqualTo("2 calls, 1 denied of 1 keys, 0 by the rule");
	}

	@ParameterizedTest
	@FieldSource("STORES")
	void callsOfAClassLeaveItsHeadroomToTheCandidate(StoreUnderTest store) {
		RuleLimiter limiter = limiter(store,
				RateLimitRule.named(this.name)
					.limit(10, HOUR)
					.headroom("low", Headroom.ofPercent(50))
					.candidate("tight", Limit.of(4, HOUR))
					.build());
		for (int i = 0; i < 3; i++) {
			limiter.withPriority("low").tryAcquire(this.key);
		}
		limiter.tryAcquire(this.key);
		assertThat(figures(limiter)).isEqualTo("4 calls, 1 denied of 1 keys, 0 by the rule");
	}

	@ParameterizedTest
	@ValueSource(strings = { "SHADOW", "OFF" })
	void candidateOfARuleInShadowModeDecidesItsCallsAndOneOfARuleThatIsOffNone(Mode mode) {
		RuleLimiter limiter = limiter(new LocalStoreUnderTest(), rule().mode(mode).build());
		for (int i = 0; i < 4; i++) {
			assertThat(limiter.tryAcquire(this.key).allowed()).isTrue();
		}
		assertThat(figures(limiter)).isEqualTo((mode == Mode.OFF) ? "0 calls, 0 denied of 0 keys, 0 by the rule"
				: "4 calls, 3 denied of 1 keys, 2 by the rule");
	}

	@Test
	void callsOfTheFallbackAreNotOffered() {
		FailingStore store = new FailingStore();
		RateLimitEngine engine = Engines.over(store);
		this.registry = new RuleRegistry(engine, Algorithm.SLIDING_LOG, List.of());
		RuleLimiter limiter = (RuleLimiter) this.registry.register(rule().build());
		limiter.tryAcquire(this.key);
		store.failure = new StoreException("silent", null, "timeout", true, null);
		limiter.tryAcquire(this.key);
		limiter.tryAcquire(this.key);
		assertThat(figures(limiter)).isEqualTo("1 calls, 0 denied of 0 keys, 0 by the rule");
		engine.close();
	}

	@Test
	void refundsAndDebtsOfTheFallbackAreThoseOfTheRuleAlone() {
		FailingStore store = new FailingStore();
		RateLimitEngine engine = new RateLimitEngine(store, () -> OnStoreFailure.LOCAL,
				new LocalFallbackStore(100, 0.5));
		this.registry = new RuleRegistry(engine, Algorithm.FIXED_WINDOW, List.of());
		RateLimiter limiter = this.registry.register(RateLimitRule.named(this.name)
			.limit(40, HOUR)
			.settle("#result")
			.candidate("tight", Limit.of(30, HOUR))
			.build());
		store.failure = new StoreException("silent", null, "timeout", true, null);
		limiter.tryAcquire(this.key, 8);
		limiter.refund(this.key, 3);
		assertThat(limiter.peek(this.key).remaining()).isEqualTo(15);
		try (Reservation reservation = limiter.reserve(this.key, 0)) {
			reservation.settle(4);
		}
		assertThat(limiter.peek(this.key).remaining()).isEqualTo(11);
		engine.close();
	}

	@Test
	void changedCandidateHasNewFiguresAndAnUnchangedOneKeepsThem() {
		RuleLimiter limiter = limiter(new LocalStoreUnderTest(), rule().build());
		limiter.tryAcquire(this.key);
		this.registry
			.register(RateLimitRule.named(this.name).limit(7, HOUR).candidate("tight", Limit.of(1, HOUR)).build());
		limiter.tryAcquire(this.key);
		assertThat(figures(limiter)).isEqualTo("2 calls, 1 denied of 1 keys, 0 by the rule");
		this.registry.register(rule().candidate("tight", Limit.of(3, HOUR)).build());
		limiter.tryAcquire(this.key);
		assertThat(figures(limiter)).startsWith("1 calls, 0 denied");
	}

	@Test
	void changesAtRunTimeHaveTheSameResultInEveryOrder() {
		RuleLimiter limiter = limiter(new LocalStoreUnderTest(),
				rule().candidate("smooth", Limit.of(3, HOUR))
					.candidate("strict", Limit.of(4, HOUR))
					.candidate("small", Limit.of(5, HOUR))
					.build());
		CandidateOverride removed = new CandidateOverride(this.name, "smooth", null, Instant.EPOCH.plusSeconds(3));
		CandidateOverride first = added("wide", 1);
		CandidateOverride second = added("loose", 2);
		for (List<CandidateOverride> order : List.of(List.of(removed, first, second), List.of(removed, second, first),
				List.of(first, removed, second), List.of(first, second, removed), List.of(second, removed, first),
				List.of(second, first, removed))) {
			this.registry.override(List.of(), order);
			assertThat(limiter.rule().candidates()).containsOnlyKeys("tight", "strict", "small", "wide");
			this.registry.override(List.of(), List.of());
		}
	}

	private CandidateOverride added(String candidate, long second) {
		return new CandidateOverride(this.name, candidate,
				new TreeMap<>(Map.of(RuleOverride.ONLY_LIMIT, LimitAttributes.NONE.with(LimitAttribute.MAX, 20L))),
				Instant.EPOCH.plusSeconds(second));
	}

	@Test
	void listenersGetTheDecisionOfEachCandidate() {
		RuleLimiter limiter = limiter(new LocalStoreUnderTest(), rule().candidate("loose", Limit.of(9, HOUR)).build());
		List<String> tried = new ArrayList<>();
		this.engine.listen(List.of(new RateLimitListener() {

			@Override
			public void tried(String rule, String candidate, Outcome outcome) {
				tried.add(candidate + ' ' + outcome);
			}

		}));
		limiter.tryAcquire(this.key);
		limiter.tryAcquireAsync(this.key, 1).toCompletableFuture().join();
		assertThat(tried).containsExactly("tight ALLOWED", "loose ALLOWED", "tight DENIED", "loose ALLOWED");
	}

	@Test
	void figuresThatAreReadWhileCallsAreMadeHaveNoDenialWithoutItsCall() throws InterruptedException {
		RuleLimiter limiter = limiter(new LocalStoreUnderTest(), rule().build());
		limiter.tryAcquire(this.key);
		AtomicBoolean isOver = new AtomicBoolean();
		Thread caller = new Thread(() -> {
			while (!isOver.get()) {
				limiter.tryAcquire(this.key);
			}
		});
		caller.start();
		try {
			Sum sum;
			do {
				sum = this.registry.figures(this.name, null).get("tight");
				assertThat(sum.denied()).isLessThan(sum.calls());
				assertThat(sum.liveDenied()).isLessThan(sum.calls());
				assertThat(caller.isAlive()).isTrue();
			}
			while (sum.calls() < 100_000);
		}
		finally {
			isOver.set(true);
			caller.join();
		}
	}

	@Test
	void deniedKeysAreEstimatedWithinTwoPercent() {
		for (int size : new int[] { 1, 10, 1_000, 20_000, 50_000, 100_000, 1_000_000 }) {
			DistinctKeys keys = new DistinctKeys();
			for (int i = 0; i < size; i++) {
				keys.add(StoredKey.of("user-" + i));
				keys.add(StoredKey.of("user-" + i / 2));
			}
			byte[] all = Figures.NONE.with(new Figures(0, 0, 0, 0, keys.takeChanges(Integer.MAX_VALUE))).keys();
			assertThat((double) DistinctKeys.estimate(all)).isCloseTo(size, within(Math.max(0.4, size * 0.02)));
		}
		assertThat(DistinctKeys.estimate(new byte[0])).isZero();
	}

	@Test
	void ruleWithoutCandidatesIsPlainAndOneWithCandidatesIsNot() {
		LocalRateLimitStore store = new LocalRateLimitStore(100);
		RateLimitEngine engine = Engines.over(store);
		RuleRegistry registry = new RuleRegistry(engine, Algorithm.TOKEN_BUCKET, List.of());
		assertThat(((RuleLimiter) registry.register(rule().build())).plain()).isNull();
		assertThat(((RuleLimiter) registry.register(RateLimitRule.named(this.name).limit(2, HOUR).build())).plain())
			.isNotNull();
	}

}
