package io.github.ratelimit.store.local;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.Adaptive;
import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.Retained;
import io.github.ratelimit.algorithm.AlgorithmUnderTest;
import io.github.ratelimit.store.AlgorithmOnStore;
import io.github.ratelimit.store.Charge;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.Uncharged;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Counts of the fallback, and their charges to the store.
 */
class LocalFallbackStoreTests {

	private static final Duration DAY = Duration.ofDays(1);

	private final LocalRateLimitStore back = new LocalRateLimitStore(1_000);

	private final LocalFallbackStore fallback = new LocalFallbackStore(1_000, 1);

	private long now = AlgorithmOnStore.NOW;

	private final LocalFallbackStore clocked = LocalStores.fallback(() -> this.now, 1);

	@ParameterizedTest
	@EnumSource
	void allThatStillCountsIsCharged(AlgorithmUnderTest algorithm) {
		RateLimitRule rule = rule(algorithm.limit(10, DAY));
		take(this.fallback, rule, "key", 10);
		charge(this.fallback, this.back);
		assertThat(this.back.peek(new Demand(rule, "key", 1)).outcomes().get(0).admitted()).isFalse();
		assertThat(this.fallback.uncharged()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void fallbackKeepsItsCountsWhateverComesOfTheCharge(AlgorithmUnderTest algorithm) {
		RateLimitRule rule = rule(algorithm.limit(10, DAY));
		take(this.fallback, rule, "key", 10);
		Uncharged uncharged = this.fallback.uncharged().iterator().next();
		assertThat(uncharged.begin()).isNotNull();
		assertThat(this.fallback.peek(new Demand(rule, "key", 1)).outcomes().get(0).admitted()).isFalse();
		uncharged.failed();
		assertThat(this.fallback.peek(new Demand(rule, "key", 1)).outcomes().get(0).admitted()).isFalse();
		charge(this.fallback, this.back);
		assertThat(this.fallback.peek(new Demand(rule, "key", 1)).outcomes().get(0).admitted()).isFalse();
	}

	/**
	 * A key hashed by the fallback is the same key in the store.
	 */
	@Test
	void longKeyIsChargedAsTheSameKey() {
		RateLimitRule rule = rule(log(10, DAY));
		List<String> keys = List.of("x".repeat(65_536), "sha256:" + "0".repeat(64), "\uD800");
		keys.forEach((key) -> take(this.fallback, rule, key, 3));
		charge(this.fallback, this.back);
		assertThat(keys).allSatisfy((key) -> assertThat(peek(this.back, rule, key)).isEqualTo(7));
	}

	@Test
	void longKeysAreNotKept() {
		RateLimitRule rule = rule(log(10, DAY));
		assertThat(Retained.longKeys((key) -> take(this.fallback, rule, key, 1))).isZero();
	}

	@Test
	void ruleWithFewKeysLosesNoneHoweverManyAnotherIsCalledWith() {
		RateLimitRule logIn = RateLimitRule.named("log-in").limit(log(10, DAY)).build();
		List<String> attempts = IntStream.range(0, 499).mapToObj((i) -> "user-" + i).toList();
		attempts.forEach((key) -> take(this.fallback, logIn, key, 4));
		IntStream.range(0, 1_000_000).parallel().forEach((i) -> take(this.fallback, rule(log(10, DAY)), "key-" + i, 1));
		assertThat(attempts).allSatisfy((key) -> assertThat(peek(this.fallback, logIn, key)).isEqualTo(6));
	}

	@Test
	void storeCountsChargesBesideItsOwnUnits() {
		RateLimitRule rule = rule(log(10, DAY));
		take(this.back, rule, "key", 4);
		take(this.fallback, rule, "key", 3);
		charge(this.fallback, this.back);
		assertThat(peek(this.back, rule, "key")).isEqualTo(3);
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "WARM_UP")
	void onlyUnitsSinceTheLastChargeAreCharged(AlgorithmUnderTest algorithm) {
		RateLimitRule rule = rule(algorithm.limit(10, DAY));
		take(this.fallback, rule, "key", 3);
		assertThat(charge(this.fallback, this.back)).extracting(Charge::units).containsExactly(List.of(3L));
		assertThat(charge(this.fallback, this.back)).isEmpty();
		take(this.fallback, rule, "key", 2);
		assertThat(charge(this.fallback, this.back)).extracting(Charge::units).containsExactly(List.of(2L));
		assertThat(peek(this.back, rule, "key")).isEqualTo(5);
	}

	@Test
	void failedChargeIsRepeatedTogetherWithLaterCounts() {
		RateLimitRule rule = rule(log(10, DAY));
		take(this.fallback, rule, "key", 3);
		Uncharged uncharged = this.fallback.uncharged().iterator().next();
		assertThat(uncharged.begin().units()).containsExactly(3L);
		take(this.fallback, rule, "key", 2);
		assertThat(uncharged.begin()).isNull();
		uncharged.failed();
		assertThat(charge(this.fallback, this.back)).extracting(Charge::units).containsExactly(List.of(5L));
	}

	@Test
	void unitsCountedWhileAChargeIsUnderWayAreChargedByTheNextOne() {
		RateLimitRule rule = rule(log(10, DAY));
		take(this.fallback, rule, "key", 3);
		Uncharged uncharged = this.fallback.uncharged().iterator().next();
		uncharged.begin();
		take(this.fallback, rule, "key", 2);
		uncharged.succeeded();
		assertThat(charge(this.fallback, this.back)).extracting(Charge::units).containsExactly(List.of(2L));
	}

	@Test
	void expiredUnitsAreNotCharged() {
		RateLimitRule rule = rule(log(10, Duration.ofSeconds(60)));
		take(this.clocked, rule, "key", 3);
		this.now += 59_000_000;
		take(this.clocked, rule, "key", 2);
		this.now += 1_000_000;
		assertThat(charge(this.clocked, this.back)).extracting(Charge::units).containsExactly(List.of(2L));
		this.now += 59_000_000;
		take(this.clocked, rule, "key", 1);
		assertThat(charge(this.clocked, this.back)).extracting(Charge::units).containsExactly(List.of(1L));
	}

	@Test
	void deniedForgottenAndRefundedCallsAreNotCharged() {
		RateLimitRule rule = rule(log(10, DAY));
		take(this.fallback, rule, "denied", 11);
		take(this.fallback, rule, "forgotten", 3);
		this.fallback.reset(RuleCounts.of(rule), StoredKey.of("forgotten"));
		take(this.fallback, rule, "refunded", 3);
		this.fallback.refund(List.of(new Refund(new Demand(rule, "refunded", 3), Refund.NEWEST)));
		assertThat(charge(this.fallback, this.back)).isEmpty();
	}

	@Test
	void unitsRefundedAfterTheirChargeAreLeftOutOfTheNextOne() {
		RateLimitRule rule = rule(log(10, DAY));
		take(this.fallback, rule, "key", 3);
		charge(this.fallback, this.back);
		this.fallback.refund(List.of(new Refund(new Demand(rule, "key", 1), Refund.NEWEST)));
		take(this.fallback, rule, "key", 3);
		assertThat(charge(this.fallback, this.back)).extracting(Charge::units).containsExactly(List.of(2L));
	}

	@Test
	void resetForgetsAChargeThatIsUnderWay() {
		RateLimitRule rule = rule(log(10, DAY));
		take(this.fallback, rule, "key", 3);
		Uncharged uncharged = this.fallback.uncharged().iterator().next();
		uncharged.begin();
		this.fallback.reset(RuleCounts.of(rule), StoredKey.of("key"));
		uncharged.succeeded();
		take(this.fallback, rule, "key", 3);
		assertThat(charge(this.fallback, this.back)).extracting(Charge::units).containsExactly(List.of(3L));
	}

	@Test
	void queueEndsNoEarlierInTheStoreThanInTheFallback() {
		Demand waiting = new Demand(rule(Limit.of(5, Duration.ofSeconds(1)).withAlgorithm(Algorithm.LEAKY_BUCKET)),
				"key", 1, Duration.ofSeconds(2));
		LocalRateLimitStore store = LocalStores.store(() -> this.now);
		for (int i = 0; i < 8; i++) {
			this.clocked.acquire(waiting);
		}
		charge(this.clocked, store);
		assertThat(store.acquire(waiting).get(0).outcomes().get(0).retryAfter()).isEqualTo(8 * 200_000);
	}

	@Test
	void changedRuleIsChargedByItsNewLimits() {
		RateLimitRule before = rule(log(10, DAY));
		take(this.fallback, before, "key", 3);
		RateLimitRule after = RateLimitRule.named("rule")
			.limit(log(5, DAY).withName("day"))
			.limit(log(2, Duration.ofHours(1)).withName("hour"))
			.build();
		take(this.fallback, after, "key", 1);
		assertThat(charge(this.fallback, this.back)).singleElement().satisfies((charge) -> {
			assertThat(charge.counts().rule()).isSameAs(after);
			assertThat(charge.units()).containsExactly(1L, 1L);
		});
	}

	@ParameterizedTest
	@EnumSource
	void fallbackLearnsTheUnitsLeftInTheStore(AlgorithmUnderTest algorithm) {
		RateLimitRule rule = rule(algorithm.limit(10, DAY));
		Demand one = new Demand(rule, "key", 1);
		take(this.fallback, rule, "key", 1);
		charge(this.fallback, this.back);
		while (this.back.acquire(one).get(0).outcomes().get(0).admitted()) {
			continue;
		}
		this.fallback.learn(this.back.acquire(one));
		assertThat(this.fallback.peek(one).outcomes().get(0).admitted()).isFalse();
		take(this.fallback, rule, "key", 1);
		assertThat(charge(this.fallback, this.back)).isEmpty();
	}

	/**
	 * The fallback counted as many units as the store, but earlier.
	 */
	@ParameterizedTest
	@EnumSource(names = { "SLIDING_LOG", "SLIDING_WINDOW", "WEIGHTED_WINDOW", "FIXED_WINDOW" })
	void fallbackHasNoUnitsBackBeforeTheStoreHas(AlgorithmUnderTest algorithm) {
		RateLimitRule rule = rule(algorithm.limit(10, Duration.ofSeconds(60)));
		LocalRateLimitStore store = LocalStores.store(() -> this.now);
		Demand one = new Demand(rule, "key", 1);
		IntStream.range(0, 10).forEach((i) -> this.clocked.acquire(one));
		charge(this.clocked, LocalStores.store(() -> this.now));
		this.now += 35_000_000;
		IntStream.range(0, 10).forEach((i) -> this.clocked.learn(store.acquire(one)));
		assertThat(this.clocked.uncharged()).isEmpty();
		for (int i = 0; i < 120; i++) {
			assertThat(peek(this.clocked, rule, "key")).as("after %d s", i)
				.isLessThanOrEqualTo(peek(store, rule, "key"));
			this.now += 1_000_000;
		}
		assertThat(peek(this.clocked, rule, "key")).isEqualTo(peek(store, rule, "key"));
	}

	@Test
	void fallbackAdmitsNoMoreThanTheStoreHasLeftBesideUnchargedUnits() {
		RateLimitRule rule = rule(log(10, DAY));
		take(this.back, rule, "key", 4);
		take(this.fallback, rule, "key", 3);
		this.fallback.learn(this.back.acquire(new Demand(rule, "key", 1)));
		assertThat(peek(this.fallback, rule, "key")).isEqualTo(2);
		assertThat(charge(this.fallback, this.back)).extracting(Charge::units).containsExactly(List.of(3L));
	}

	@Test
	void nothingIsLearnedOfKeysThatHaveNotFailed() {
		RateLimitRule rule = rule(log(10, DAY));
		this.fallback.learn(this.back.acquire(new Demand(rule, "key", 4)));
		assertThat(peek(this.fallback, rule, "key")).isEqualTo(10);
	}

	@Test
	void keysThatAreEvictedAreForgotten() {
		RateLimitRule rule = rule(log(10, DAY));
		LocalFallbackStore small = new LocalFallbackStore(10, 1);
		IntStream.range(0, 1_000).forEach((i) -> take(small, rule, "key-" + i, 1));
		assertThat(small.uncharged().size()).isLessThanOrEqualTo(21);
		assertThat(charge(small, this.back)).hasSizeBetween(1, 10);
	}

	@ParameterizedTest
	@CsvSource({ "100, 1, 100", "100, 0.25, 25", "10, 0.25, 2", "3, 0.25, 1", "1, 0.01, 1" })
	void instanceAdmitsItsShareAndAtLeastOneUnit(long max, double share, long admitted) {
		LocalFallbackStore shared = new LocalFallbackStore(100, share);
		RateLimitRule rule = rule(log(max, DAY));
		assertThat(peek(shared, rule, "key")).isEqualTo(admitted);
	}

	@Test
	void shareOfABucketIsAShareOfItsBurst() {
		LocalFallbackStore shared = new LocalFallbackStore(100, 0.5);
		assertThat(peek(shared, rule(bucket(Algorithm.TOKEN_BUCKET).withBurst(40)), "a")).isEqualTo(20);
		assertThat(peek(shared, rule(bucket(Algorithm.TOKEN_BUCKET)), "b")).isEqualTo(50);
		assertThat(peek(shared, rule(bucket(Algorithm.LEAKY_BUCKET)), "c")).isEqualTo(1);
		assertThat(peek(shared, rule(bucket(Algorithm.LEAKY_BUCKET).withBurst(10)), "d")).isEqualTo(5);
	}

	@Test
	void unitsOfAShareAreChargedToTheWholeLimit() {
		LocalFallbackStore shared = new LocalFallbackStore(100, 0.25);
		RateLimitRule rule = rule(bucket(Algorithm.TOKEN_BUCKET));
		take(this.back, rule, "key", 60);
		take(shared, rule, "key", 20);
		charge(shared, this.back);
		assertThat(peek(this.back, rule, "key")).isEqualTo(20);
	}

	static Stream<Limit> limitsOfWhichHalfIsNone() {
		Limit warmUp = Limit.of(10, Duration.ofMinutes(1)).withAlgorithm(Algorithm.WARM_UP);
		Limit adaptive = Limit.of(100, Duration.ofMinutes(1))
			.withAlgorithm(Algorithm.WARM_UP)
			.withWarmUpPeriod(Duration.ofSeconds(10))
			.withAdaptive(new Adaptive("cpu", new Adaptive.Point(0.5, 100), new Adaptive.Point(0.9, 10)));
		return Stream.of(warmUp.withWarmUpPeriod(Duration.ofSeconds(10)),
				Limit.of(3, Duration.ofDays(366)).withAlgorithm(Algorithm.TOKEN_BUCKET).withBurst(32), adaptive);
	}

	@ParameterizedTest
	@MethodSource("limitsOfWhichHalfIsNone")
	void ruleOfWhichTheShareIsNoneIsRefused(Limit limit) {
		RateLimitRule rule = rule(limit);
		assertThatExceptionOfType(RateLimitConfigurationException.class)
			.isThrownBy(() -> new LocalFallbackStore(100, 0.5).judge(rule))
			.withMessageStartingWith("ratelimit.redis.fallback-share = 0.5 is invalid: while Redis cannot answer, one "
					+ "instance would count the rule \"rule\", ")
			.withMessageEndingWith("Write a larger share, or on-store-failure: allow or deny for this rule.");
		assertThatNoException().isThrownBy(() -> new LocalFallbackStore(100, 1).judge(rule));
	}

	@Test
	void maxAndBurstAreSharedTogether() {
		RateLimitRule rule = rule(
				Limit.of(4, Duration.ofDays(366)).withAlgorithm(Algorithm.TOKEN_BUCKET).withBurst(40));
		LocalFallbackStore half = new LocalFallbackStore(100, 0.5);
		half.judge(rule);
		assertThat(peek(half, rule, "key")).isEqualTo(20);
	}

	private static List<Charge> charge(LocalFallbackStore fallback, RateLimitStore store) {
		List<Charge> charges = new ArrayList<>();
		for (Uncharged uncharged : fallback.uncharged()) {
			Charge charge = uncharged.begin();
			if (charge != null) {
				store.charge(List.of(charge)).toCompletableFuture().join();
				uncharged.succeeded();
				charges.add(charge);
			}
		}
		return charges;
	}

	private static Limit log(long max, Duration period) {
		return Limit.of(max, period).withAlgorithm(Algorithm.SLIDING_LOG);
	}

	private static Limit bucket(Algorithm algorithm) {
		return Limit.of(100, DAY).withAlgorithm(algorithm);
	}

	private static void take(LocalFallbackStore store, RateLimitRule rule, String key, long cost) {
		store.acquire(new Demand(rule, key, cost));
	}

	private static void take(LocalRateLimitStore store, RateLimitRule rule, String key, long cost) {
		store.acquire(new Demand(rule, key, cost));
	}

	private static long peek(LocalFallbackStore store, RateLimitRule rule, String key) {
		return store.peek(new Demand(rule, key, 1)).outcomes().get(0).remaining();
	}

	private static long peek(LocalRateLimitStore store, RateLimitRule rule, String key) {
		return store.peek(new Demand(rule, key, 1)).outcomes().get(0).remaining();
	}

	private static RateLimitRule rule(Limit limit) {
		return RateLimitRule.named("rule").limit(limit).build();
	}

}
