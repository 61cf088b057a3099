package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.ratelimit.Adaptive;
import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Headroom;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.Limit;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.RuleDecision;
import io.github.ratelimit.adaptive.LoadAdaptation;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.local.LocalFallbackStore;
import io.github.ratelimit.store.local.LocalRateLimitStore;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.tck.LocalStoreUnderTest;
import io.github.ratelimit.store.tck.StoreUnderTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

/**
 * Calls of classes, which leave a part of the capacity free.
 */
class PrioritiesTests {

	static final List<StoreUnderTest> STORES = AlgorithmOnStore.STORES;

	private static final Duration HOUR = Duration.ofHours(1);

	private final String key = AlgorithmOnStore.freshKey();

	private final RecordingListener listener = new RecordingListener();

	private static RateLimitRule.Builder api() {
		return RateLimitRule.named("api")
			.limit(10, HOUR)
			.headroom("low", Headroom.ofPercent(30))
			.headroom("other", Headroom.ofPercent(50));
	}

	private RateLimitEngine engine(StoreUnderTest store, DenyCache denyCache) {
		RateLimitEngine engine = new RateLimitEngine(store.instancesOnTheRealClock().get(0), () -> OnStoreFailure.DENY,
				new LocalFallbackStore(100, 1), new LoadAdaptation(Map.of(), HOUR), denyCache);
		engine.listen(List.of(this.listener));
		engine.start();
		return engine;
	}

	private RuleRegistry registry(StoreUnderTest store, DenyCache denyCache) {
		return new RuleRegistry(engine(store, denyCache), Algorithm.SLIDING_LOG, List.of());
	}

	private RateLimiter limiter(StoreUnderTest store, RateLimitRule rule) {
		return registry(store, null).register(rule);
	}

	@ParameterizedTest
	@FieldSource("STORES")
	void everyOperationIsOfTheClass(StoreUnderTest store) throws Exception {
		RateLimiter low = limiter(store, api().build()).withPriority("low");
		assertThat(low.tryAcquire(this.key, 8).retryAfter()).isEqualTo(Decision.NEVER);
		assertThat(low.tryAcquire(this.key, 2).remaining()).isEqualTo(5);
		assertThat(low.tryAcquireAsync(this.key, 2).toCompletableFuture().get().remaining()).isEqualTo(3);
		assertThat(low.acquire(this.key, 2, Duration.ZERO).remaining()).isEqualTo(1);
		try (Reservation reservation = low.reserve(this.key, 1)) {
			assertThat(reservation.decision().remaining()).isZero();
		}
		assertThat(low.reserve(this.key, 1).decision().allowed()).isFalse();
		assertThat(low.peek(this.key).remaining()).isZero();
		low.refund(this.key, 2);
		assertThat(low.peek(this.key).remaining()).isEqualTo(2);
		low.reset(this.key);
		assertThat(low.peek(this.key).remaining()).isEqualTo(7);
	}

	@ParameterizedTest
	@FieldSource("STORES")
	void callsOfNoClassAreOtherAndHighMayTakeAll(StoreUnderTest store) {
		RateLimiter limiter = limiter(store, api().build());
		assertThat(limiter.tryAcquire(this.key, 5).allowed()).isTrue();
		for (String named : new String[] { null, "", "unknown", "other" }) {
			assertThat(limiter.withPriority(named).tryAcquire(this.key).allowed()).isFalse();
		}
		assertThat(limiter.withPriority("low").tryAcquire(this.key, 2).allowed()).isTrue();
		assertThat(limiter.withPriority("high").tryAcquire(this.key, 3).allowed()).isTrue();
		assertThat(limiter.withPriority("high").tryAcquire(this.key).allowed()).isFalse();
	}

	@Test
	void listenersGetTheClassThatDecided() {
		RateLimiter limiter = limiter(new LocalStoreUnderTest(), api().build());
		Stream.of("low", "high", "whatever a caller sends")
			.forEach((named) -> limiter.withPriority(named).tryAcquire("a"));
		limiter.tryAcquire("a");
		assertThat(this.listener.decisions).extracting("priority").containsExactly("low", "high", "other", "other");
	}

	@ParameterizedTest
	@FieldSource("STORES")
	void headroomIsAShareOfThePlan(StoreUnderTest store) {
		RateLimiter limiter = limiter(store, api().plan("pro", Limit.of(100, HOUR)).build());
		assertThat(limiter.withPlan("pro").withPriority("low").tryAcquire(this.key).remaining()).isEqualTo(69);
		assertThat(limiter.withPriority("low").withPlan("pro").tryAcquire(this.key).remaining()).isEqualTo(68);
	}

	@ParameterizedTest
	@FieldSource("STORES")
	void eachLimitHasItsOwnShare(StoreUnderTest store) {
		RateLimiter low = limiter(store, RateLimitRule.named("sms")
			.limit(Limit.of(10, HOUR).withName("hour"))
			.limit(Limit.of(20, Duration.ofDays(1)).withAlgorithm(Algorithm.TOKEN_BUCKET).withBurst(40).withName("day"))
			.headroom("low", Headroom.ofPercent(25))
			.build()).withPriority("low");
		assertThat(low.tryAcquire(this.key).limits()).extracting("remaining").containsExactly(6L, 29L);
	}

	@Test
	void headroomIsAShareOfTheNumbersOfTheKey() {
		RateLimitEngine engine = engine(new LocalStoreUnderTest(), null);
		RateLimiter limiter = new RuleRegistry(engine, Algorithm.SLIDING_LOG, List.of()).register(api().build());
		engine.keys().verdicts().put("api", this.key, KeyOverride.max(100));
		assertThat(limiter.withPriority("low").tryAcquire(this.key).remaining()).isEqualTo(69);
		assertThat(limiter.withPriority("high").peek(this.key).remaining()).isEqualTo(99);
		engine.keys().verdicts().put("api", "one", KeyOverride.max(1));
		assertThat(limiter.withPriority("low").tryAcquire("one").retryAfter()).isEqualTo(Decision.NEVER);
		assertThat(limiter.withPriority("high").tryAcquire("one").allowed()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "SLIDING_LOG", "TOKEN_BUCKET" })
	void headroomIsAShareOfWhatTheLoadLeaves(Algorithm algorithm) {
		try (LoadAdaptation load = new LoadAdaptation(Map.of("queue", () -> () -> 1536), HOUR)) {
			Limit limit = Limit.builder()
				.algorithm(algorithm)
				.adaptive(new Adaptive("queue", new Adaptive.Point(1024, 1000), new Adaptive.Point(2048, 100)))
				.period(HOUR)
				.build();
			RateLimiter limiter = new RuleRegistry(new RateLimitEngine(new LocalRateLimitStore(100),
					() -> OnStoreFailure.DENY, new LocalFallbackStore(100, 1), load, null), algorithm, List.of())
				.register(RateLimitRule.named("export").limit(limit).headroom("low", Headroom.ofPercent(10)).build());
			assertThat(limiter.withPriority("low").tryAcquire("a", 50).remaining()).isEqualTo(550 - 55 - 50);
			assertThat(limiter.peek("a").remaining()).isEqualTo(500);
		}
	}

	@Test
	void rememberedDenialOfOneClassDeniesNoOther() {
		RateLimiter limiter = registry(new LocalStoreUnderTest(), new DenyCache(100, HOUR)).register(api().build());
		RateLimiter low = limiter.withPriority("low");
		low.tryAcquire("a", 7);
		assertThat(low.tryAcquire("a").allowed()).isFalse();
		assertThat(low.tryAcquire("a").origin()).isEqualTo(Decision.Origin.DENY_CACHE);
		assertThat(limiter.withPriority("high").tryAcquire("a").allowed()).isTrue();
		assertThat(low.tryAcquire("a").allowed()).isFalse();
	}

	@Test
	void whatAClassTookInTheFallbackIsChargedToTheWholeCapacity() {
		FailingStore store = new FailingStore();
		try (RateLimitEngine engine = new RateLimitEngine(store, () -> OnStoreFailure.LOCAL,
				new LocalFallbackStore(1_000, 1))) {
			RateLimiter limiter = new RuleRegistry(engine, Algorithm.SLIDING_LOG, List.of()).register(api().build());
			assertThat(limiter.withPriority("high").tryAcquire("a", 3).allowed()).isTrue();
			store.failure = new StoreException("silent", null, "timeout", true, null);
			assertThat(limiter.withPriority("low").tryAcquire("a", 7).allowed()).isTrue();
			store.failure = null;
			await().untilAsserted(() -> assertThat(limiter.withPriority("high").peek("a"))
				.extracting(Decision::origin, Decision::remaining)
				.isEqualTo(tuple(Decision.Origin.REDIS, 0L).toList()));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "LOW", "Low", " low " })
	void caseOfAClassDoesNotMatter(String low) {
		RateLimiter limiter = limiter(new LocalStoreUnderTest(), api().build());
		assertThat(limiter.withPriority(low).tryAcquire("a", 1).remaining()).isEqualTo(6);
		assertThat(limiter.withPriority(low).peek("a").remaining()).isEqualTo(6);
		assertThat(limiter.rule().classOf(low)).isEqualTo("low");
		assertThat(this.listener.decisions).last().extracting(RuleDecision::priority).isEqualTo("low");
	}

	@Test
	void unitsThatClassesLeaveFreeAreNotOwed() {
		RateLimitEngine engine = engine(new LocalStoreUnderTest(), null);
		RateLimitRule rule = api().algorithm(Algorithm.TOKEN_BUCKET).settle("#result").build();
		RateLimiter limiter = new RuleRegistry(engine, Algorithm.SLIDING_LOG, List.of()).register(rule);
		limiter.withPriority("high").tryAcquire("a", 9);
		assertThat(engine.keys().state(new Demand(limiter.rule(), "a", 1).withPriority("low")).owed()).isEmpty();
	}

	@Test
	void callsDoNotWaitSinceTheyWouldComeBeforeAllClasses() throws Exception {
		RateLimiter limiter = limiter(new LocalStoreUnderTest(), api().build());
		for (RateLimiter each : List.of(limiter, limiter.withPriority("low"), limiter.withPriority("high"))) {
			assertThatExceptionOfType(IllegalStateException.class)
				.isThrownBy(() -> each.acquire("a", 1, Duration.ofSeconds(1)))
				.withMessageContaining("Call tryAcquire");
		}
		assertThat(limiter.peek("a").remaining()).isEqualTo(5);
	}

	static Stream<Arguments> withoutMeaning() {
		return Stream.of(refused("max-wait 1s", (rule) -> rule.maxWait(Duration.ofSeconds(1))),
				refused("prefetch", (rule) -> rule.prefetch(Duration.ofMillis(20))),
				refused("leaky-bucket", (rule) -> rule.algorithm(Algorithm.LEAKY_BUCKET)),
				refused("warm-up", (rule) -> rule.algorithm(Algorithm.WARM_UP)),
				refused("count-denied", (rule) -> rule.algorithm(Algorithm.SLIDING_LOG).countDenied(true)),
				refused("headroom.normal = 10 is invalid", (rule) -> rule.headroom("normal", Headroom.ofUnits(10))),
				refused("headroom.normal = 95% is invalid", (rule) -> rule.headroom("normal", Headroom.ofPercent(95))),
				refused("Use 1 to 100 lower case letters", (rule) -> rule.headroom("Very Low", Headroom.ofUnits(1))));
	}

	private static Arguments refused(String message, UnaryOperator<RateLimitRule.Builder> change) {
		return Arguments.of(message, change);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("withoutMeaning")
	void ruleWithoutMeaningIsRefused(String message, UnaryOperator<RateLimitRule.Builder> change) {
		assertThatExceptionOfType(RateLimitConfigurationException.class).isThrownBy(() -> change.apply(api()).build())
			.withMessageContaining(message);
	}

	@Test
	void priorityWithoutHeadroomIsRefused() {
		assertThatExceptionOfType(RateLimitConfigurationException.class)
			.isThrownBy(() -> RateLimitRule.named("api").limit(1, HOUR).priority("#p").build())
			.withMessageContaining("headroom.low: 30%");
	}

	@ParameterizedTest
	@ValueSource(strings = { "100%", "120%", "-1", "abc", "30 %%", "", "1.5" })
	void headroomIsAShareOrUnits(String text) {
		assertThatExceptionOfType(RateLimitConfigurationException.class).isThrownBy(() -> Headroom.of(text))
			.withMessageContaining("headroom");
	}

	@Test
	void shareIsRoundedUp() {
		assertThat(Headroom.of("30%").of(10)).isEqualTo(3);
		assertThat(Headroom.of("30 %").of(11)).isEqualTo(4);
		assertThat(Headroom.of("1%").of(1)).isEqualTo(1);
		assertThat(Headroom.of("99%").of(Limit.MAX_UNITS)).isEqualTo((Limit.MAX_UNITS * 99 + 99) / 100);
		assertThat(Headroom.of("0%").of(10)).isZero();
		assertThat(Headroom.of(" 7 ").of(10)).isEqualTo(7);
	}

}
