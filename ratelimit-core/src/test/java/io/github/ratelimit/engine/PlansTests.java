package io.github.ratelimit.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;

import io.github.ratelimit.Adaptive;
import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.adaptive.LoadAdaptation;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.attribute.LimitAttributes;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.tck.LocalStoreUnderTest;
import io.github.ratelimit.store.tck.StoreUnderTest;
import io.github.ratelimit.store.local.LocalFallbackStore;
import io.github.ratelimit.store.local.LocalRateLimitStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Calls under plans: other numbers of the rule, and one counter per key.
 */
class PlansTests {

	static final List<StoreUnderTest> STORES = AlgorithmOnStore.STORES;

	private static final Duration HOUR = Duration.ofHours(1);

	private static final Limit OWN = Limit.of(60, HOUR);

	private final String key = AlgorithmOnStore.freshKey();

	private final RecordingListener listener = new RecordingListener();

	@ParameterizedTest
	@FieldSource("STORES")
	void keyHasOneCounterUnderAllPlans(StoreUnderTest store) {
		RateLimiter limiter = registry(store).register(search().build());
		RateLimiter free = limiter.withPlan("free");
		assertThat(free.tryAcquire(this.key, 2).allowed()).isTrue();
		assertThat(free.tryAcquire(this.key).allowed()).isFalse();
		Decision pro = limiter.withPlan("pro").peek(this.key);
		assertThat(pro.limit()).isEqualTo(600);
		assertThat(pro.remaining()).isEqualTo(598);
		assertThat(limiter.peek(this.key).remaining()).isEqualTo(58);
		assertThat(free.peek(this.key).remaining()).isZero();
	}

	@ParameterizedTest
	@FieldSource("STORES")
	void numbersRaisedAndLoweredAreThoseOfTheCall(StoreUnderTest store) {
		RateLimiter limiter = registry(store).register(RateLimitRule.named("quota")
			.limit(30, HOUR)
			.plan("none", Limit.of(1, HOUR))
			.plan("large", Limit.of(150, HOUR))
			.build());
		assertThat(limiter.tryAcquire(this.key, 30).allowed()).isTrue();
		assertThat(limiter.withPlan("none").tryAcquire(this.key).allowed()).isFalse();
		assertThat(limiter.withPlan("large").tryAcquire(this.key, 120).allowed()).isTrue();
		assertThat(limiter.withPlan("large").tryAcquire(this.key).allowed()).isFalse();
	}

	@ParameterizedTest
	@FieldSource("STORES")
	void denialsDoNotUseUpALargerPlan(StoreUnderTest store) {
		RateLimiter limiter = registry(store).register(search().build());
		RateLimiter free = limiter.withPlan("free");
		for (int i = 0; i < 100; i++) {
			free.tryAcquire(this.key);
		}
		assertThat(limiter.withPlan("pro").tryAcquire(this.key, 598).allowed()).isTrue();
		assertThat(limiter.withPlan("pro").tryAcquire(this.key).allowed()).isFalse();
	}

	@ParameterizedTest
	@FieldSource("STORES")
	void ofSeveralLimitsThePlanChangesThoseItNames(StoreUnderTest store) {
		RateLimiter limiter = registry(store).register(RateLimitRule.named("sms")
			.limit(Limit.of(1, Duration.ofMinutes(1)).withName("minute"))
			.limit(Limit.of(10, Duration.ofDays(1)).withName("day"))
			.plan("pro", List.of(Limit.of(7, Duration.ofMinutes(1)).withName("minute")))
			.build());
		Decision decision = limiter.withPlan("pro").tryAcquire(this.key, 3);
		assertThat(decision.limits()).extracting(LimitStatus::max, LimitStatus::remaining)
			.containsExactly(tuple(7L, 4L), tuple(10L, 7L));
		assertThat(limiter.tryAcquire(this.key).violated()).containsExactly("sms-minute");
	}

	@ParameterizedTest
	@FieldSource("STORES")
	void everyOperationIsUnderThePlan(StoreUnderTest store) throws Exception {
		RateLimiter limiter = registry(store).register(search().build());
		RateLimiter pro = limiter.withPlan("pro");
		assertThat(pro.tryAcquireAsync(this.key, 100).toCompletableFuture().get().remaining()).isEqualTo(500);
		assertThat(pro.acquire(this.key, 100, Duration.ZERO).remaining()).isEqualTo(400);
		pro.refund(this.key, 50);
		assertThat(pro.peek(this.key).remaining()).isEqualTo(450);
		assertThat(pro.rule().limits()).extracting(Limit::max).containsExactly(600L);
		assertThat(pro.withPlan("free").rule().limits()).extracting(Limit::max).containsExactly(2L);
		pro.reset(this.key);
		assertThat(limiter.peek(this.key).remaining()).isEqualTo(60);
	}

	@ParameterizedTest
	@FieldSource("STORES")
	void callThatGivesUpReturnsTheUnitsOfItsPlan(StoreUnderTest store) {
		RateLimitEngine engine = engine(store);
		RuleRegistry registry = new RuleRegistry(engine, Algorithm.SLIDING_LOG, List.of());
		registry.register(search().build());
		RuleLimiter limiter = registry.limiter("search");
		DecidedCall decided = engine.acquire(limiter.demand(this.key, 500, "pro"));
		assertThat(decided.isAllowed()).isTrue();
		registry.register(search().plan("pro", Limit.of(900, HOUR)).build());
		decided.refund();
		assertThat(limiter.withPlan("pro").peek(this.key).remaining()).isEqualTo(900);
	}

	@ParameterizedTest
	@FieldSource("STORES")
	void limitOfOneCallerIsUsedAsItIs(StoreUnderTest store) {
		RateLimitEngine engine = engine(store);
		RuleRegistry registry = new RuleRegistry(engine, Algorithm.TOKEN_BUCKET, List.of());
		registry.register(RateLimitRule.named("search").limit(OWN).burst(15).plan("#plan").build());
		RuleLimiter limiter = registry.limiter("search");
		Decision decision = engine.acquire(limiter.demand(this.key, 40, Limit.of(90, HOUR))).decision();
		assertThat(decision.allowed()).isTrue();
		assertThat(decision.limits()).extracting(LimitStatus::max, LimitStatus::capacity, LimitStatus::remaining)
			.containsExactly(tuple(90L, 90L, 50L));
	}

	/**
	 * At the rate of the small plan, the burst of the large one takes too long to refill.
	 */
	@ParameterizedTest
	@FieldSource("STORES")
	void plansMayHaveBurstsThatOthersCannotHave(StoreUnderTest store) {
		RateLimitEngine engine = engine(store);
		RuleRegistry registry = new RuleRegistry(engine, Algorithm.TOKEN_BUCKET, List.of());
		Limit large = Limit.of(1_000_000, Duration.ofSeconds(1)).withBurst(Limit.MAX_UNITS);
		registry.register(RateLimitRule.named("search")
			.limit(OWN)
			.plan("large", large)
			.plan("small", Limit.of(1, Limit.MAX_PERIOD))
			.build());
		RuleLimiter limiter = registry.limiter("search");
		assertThat(limiter.withPlan("small").tryAcquire(this.key).limit()).isOne();
		assertThat(limiter.withPlan("large").peek(this.key).limit()).isEqualTo(Limit.MAX_UNITS);
		assertThat(limiter.withPlan("large").rule().plans()).isEqualTo(limiter.rule().plans());
		assertThat(limiter.tryAcquire(this.key, 9).limit()).isEqualTo(60);
		Limit own = large.withBurst(Limit.MAX_UNITS - 1);
		assertThat(engine.acquire(limiter.demand(this.key, 1, own)).decision().limit()).isEqualTo(Limit.MAX_UNITS - 1);
	}

	@Test
	void equalLimitsOfCallersShareOnePreparedRule() {
		RuleRegistry registry = registry();
		registry.register(search().build());
		RuleLimiter limiter = registry.limiter("search");
		assertThat(limiter.demand("a", 1, Limit.of(90, HOUR)).counts())
			.isSameAs(limiter.demand("b", 1, Limit.of(90, HOUR)).counts())
			.isNotSameAs(limiter.demand("b", 1, Limit.of(91, HOUR)).counts());
		assertThat(limiter.demand("a", 1, "pro").counts()).isSameAs(limiter.demand("b", 1, "pro").counts());
	}

	@Test
	void limitThatTheRuleCannotHaveIsRefused() {
		RuleRegistry registry = registry();
		registry.register(search().build());
		RuleLimiter limiter = registry.limiter("search");
		assertThatExceptionOfType(RateLimitConfigurationException.class)
			.isThrownBy(() -> limiter.demand("a", 1, OWN.withMax(10_001)))
			.withMessageContaining("sliding-log keeps one entry");
		assertThatExceptionOfType(RateLimitConfigurationException.class)
			.isThrownBy(() -> limiter.demand("a", 1, OWN.withBurst(5)))
			.withMessageContaining("burst = 5 is invalid");
		registry.register(RateLimitRule.named("sms").limit(OWN.withName("a")).limit(OWN.withName("b")).build());
		assertThatExceptionOfType(RateLimitConfigurationException.class)
			.isThrownBy(() -> registry.limiter("sms").demand("a", 1, OWN))
			.withMessageContaining("rule \"sms\" has several limits");
	}

	@Test
	void planThatThereIsNotMeansTheRulesOwnNumbers() {
		RuleRegistry registry = registry();
		RateLimiter limiter = registry.register(search().build());
		try (RecordedLog log = new RecordedLog(UnknownNames.class)) {
			assertThat(limiter.withPlan("por").tryAcquire("a").limit()).isEqualTo(60);
			assertThat(limiter.withPlan("por").tryAcquire("b").limit()).isEqualTo(60);
			assertThat(limiter.withPlan("").tryAcquire("b").limit()).isEqualTo(60);
			assertThat(limiter.withPlan(null).tryAcquire("b").limit()).isEqualTo(60);
			assertThat(log.lines())
				.containsExactly("WARNING Rule \"search\" has no plan \"por\", so the numbers of the "
						+ "rule apply. Known: free, pro. Did you mean pro?");
		}
		assertThat(this.listener.events).filteredOn((event) -> event.startsWith("no plan")).hasSize(2);
	}

	@Test
	void rulesWithoutPlansHaveTheirOwnNumbersUnderAny() {
		RateLimiter limiter = registry().register(RateLimitRule.named("search").limit(OWN).build());
		assertThat(limiter.withPlan("pro").tryAcquire("a").limit()).isEqualTo(60);
	}

	@Test
	void overrideAtRunTimeWinsOverThePlan() {
		RuleRegistry registry = registry();
		RateLimiter limiter = registry.register(search().build());
		assertThat(limiter.withPlan("pro").tryAcquire("a", 100).allowed()).isTrue();
		registry.override(List.of(override(LimitAttributes.NONE.with(LimitAttribute.MAX, 300L))), List.of());
		assertThat(limiter.withPlan("pro").peek("a").limit()).isEqualTo(300);
		assertThat(limiter.withPlan("pro").peek("a").remaining()).isEqualTo(200);
		assertThat(limiter.withPlan("free").peek("a").limit()).isEqualTo(300);
		registry.override(List.of(), List.of());
		assertThat(limiter.withPlan("pro").peek("a").remaining()).isEqualTo(500);
		assertThat(limiter.withPlan("free").peek("a").limit()).isEqualTo(2);
	}

	@Test
	void overrideAtRunTimeWinsOverTheLimitOfOneCaller() {
		RuleRegistry registry = registry();
		registry.register(search().build());
		RuleLimiter limiter = registry.limiter("search");
		registry.override(List.of(override(LimitAttributes.NONE.with(LimitAttribute.MAX, 17L))), List.of());
		assertThat(limiter.demand("a", 1, Limit.of(33, HOUR)).rule().limits())
			.containsExactly(limiter.rule().limits().get(0).toBuilder().max(17).period(HOUR).build());
		registry.override(List.of(), List.of());
		assertThat(limiter.demand("a", 1, Limit.of(33, HOUR)).rule().limits().get(0).max()).isEqualTo(33);
	}

	private static RuleOverride override(LimitAttributes attributes) {
		return new RuleOverride("search", null, new TreeMap<>(Map.of(RuleOverride.ONLY_LIMIT, attributes)),
				Instant.EPOCH);
	}

	@Test
	void planIsReportedWithItsDecisions() {
		RateLimiter limiter = registry().register(search().build());
		limiter.tryAcquire("a");
		limiter.withPlan("pro").tryAcquire("a");
		limiter.withPlan("free").tryAcquire("a");
		assertThat(this.listener.decisions).extracting((decision) -> decision.plan() + " " + decision.outcome())
			.containsExactly("null ALLOWED", "pro ALLOWED", "free DENIED");
	}

	@ParameterizedTest
	@EnumSource(names = { "SLIDING_LOG", "TOKEN_BUCKET" })
	void adaptiveMaxIsTheSameUnderEachPlan(Algorithm algorithm) {
		try (LoadAdaptation rules = new LoadAdaptation(Map.of("queue", () -> () -> 1536), HOUR)) {
			Adaptive adaptive = new Adaptive("queue", new Adaptive.Point(1024, 1000), new Adaptive.Point(2048, 100));
			Limit limit = Limit.builder().algorithm(algorithm).adaptive(adaptive).period(HOUR).build();
			RuleRegistry registry = new RuleRegistry(new RateLimitEngine(new LocalRateLimitStore(100),
					() -> OnStoreFailure.DENY, new LocalFallbackStore(100, 1), rules, null), algorithm, List.of());
			RateLimiter limiter = registry.register(RateLimitRule.named("export")
				.limit(limit)
				.plan("slow", limit.toBuilder().period(Duration.ofDays(1)).build())
				.build());
			Decision slow = limiter.withPlan("slow").tryAcquire("a", 50);
			assertThat(slow.limits()).extracting(LimitStatus::max, LimitStatus::period, LimitStatus::remaining)
				.containsExactly(tuple(550L, Duration.ofDays(1), 500L));
			assertThat(limiter.peek("a").limits()).extracting(LimitStatus::max, LimitStatus::period)
				.containsExactly(tuple(550L, HOUR));
		}
	}

	private RuleRegistry registry() {
		return registry(new LocalStoreUnderTest());
	}

	private RuleRegistry registry(StoreUnderTest store) {
		return new RuleRegistry(engine(store), Algorithm.SLIDING_LOG, List.of());
	}

	private RateLimitEngine engine(StoreUnderTest store) {
		RateLimitEngine engine = Engines.over(store.instancesOnTheRealClock().get(0), OnStoreFailure.DENY);
		engine.listen(List.of(this.listener));
		engine.start();
		return engine;
	}

	private static RateLimitRule.Builder search() {
		return RateLimitRule.named("search")
			.limit(OWN)
			.plan("free", Limit.of(2, HOUR))
			.plan("pro", Limit.of(600, HOUR));
	}

}
