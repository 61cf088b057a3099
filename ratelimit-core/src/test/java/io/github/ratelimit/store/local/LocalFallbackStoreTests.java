package io.github.ratelimit.store.local;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.Retained;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.FallbackStore.Uncharged;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.tck.AlgorithmUnderTest;

import static io.github.ratelimit.store.local.FallbackCalls.DAY;
import static io.github.ratelimit.store.local.FallbackCalls.charge;
import static io.github.ratelimit.store.local.FallbackCalls.log;
import static io.github.ratelimit.store.local.FallbackCalls.peek;
import static io.github.ratelimit.store.local.FallbackCalls.rule;
import static io.github.ratelimit.store.local.FallbackCalls.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Counts of the fallback, and their charges to the store.
 */
class LocalFallbackStoreTests {

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
	void fallbackKeepsItsCountsAfterAnyCharge(AlgorithmUnderTest algorithm) {
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

	/** The time is read for the units of the charge, and for the copy of the counts. */
	@ParameterizedTest
	@ValueSource(ints = { 1, 2 })
	void keyStaysInTheFallbackIfItsChargeCannotBegin(int failingRead) {
		AtomicInteger readsUntilFailure = new AtomicInteger();
		LocalFallbackStore failing = LocalStores.fallback(() -> {
			if (readsUntilFailure.getAndDecrement() == 1) {
				throw new OutOfMemoryError("Java heap space");
			}
			return this.now;
		}, 1);
		RateLimitRule rule = rule(log(10, DAY));
		take(failing, rule, "key", 10);
		Uncharged uncharged = failing.uncharged().iterator().next();
		readsUntilFailure.set(failingRead);
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(uncharged::begin);
		uncharged.failed();
		assertThat(failing.hasUncharged(new Demand(rule, "key", 1))).isTrue();
		charge(failing, this.back);
		assertThat(peek(this.back, rule, "key")).isZero();
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
	void rulesAreNotKept() {
		AtomicLong clock = new AtomicLong();
		LocalRateLimitStore store = new LocalRateLimitStore(100, clock::get);
		LocalFallbackStore fallback = new LocalFallbackStore(100, 1, clock::get);
		assertThat(Retained.objects((i) -> {
			RateLimitRule rule = RateLimitRule.named("rule-" + i).limit(log(10, DAY)).build();
			take(fallback, rule, "key", 3);
			charge(fallback, store);
			clock.addAndGet(3 * DAY.toNanos() / 1000);
			store.tidy();
			fallback.tidy();
			return rule;
		})).isZero();
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
		assertThat(charge(this.fallback, this.back)).extracting(Correction::charged).containsExactly(List.of(3L));
		assertThat(charge(this.fallback, this.back)).isEmpty();
		take(this.fallback, rule, "key", 2);
		assertThat(charge(this.fallback, this.back)).extracting(Correction::charged).containsExactly(List.of(2L));
		assertThat(peek(this.back, rule, "key")).isEqualTo(5);
	}

	/**
	 * Take units of the key, and begin to charge them.
	 */
	private static Uncharged beginCharge(LocalFallbackStore fallback, RateLimitRule rule, long units) {
		take(fallback, rule, "key", units);
		Uncharged uncharged = fallback.uncharged().iterator().next();
		uncharged.begin();
		return uncharged;
	}

	@Test
	void failedChargeIsRepeatedTogetherWithLaterCounts() {
		RateLimitRule rule = rule(log(10, DAY));
		take(this.fallback, rule, "key", 3);
		Uncharged uncharged = this.fallback.uncharged().iterator().next();
		assertThat(uncharged.begin().charged()).containsExactly(3L);
		take(this.fallback, rule, "key", 2);
		assertThat(uncharged.begin()).isNull();
		uncharged.failed();
		assertThat(charge(this.fallback, this.back)).extracting(Correction::charged).containsExactly(List.of(5L));
	}

	@Test
	void keyIsUnchargedUntilItsFirstChargeHasSucceededAndTheNextOneHasBegun() {
		RateLimitRule rule = rule(log(10, DAY));
		Demand demand = new Demand(rule, "key", 1);
		assertThat(this.fallback.hasUncharged(demand)).isFalse();
		take(this.fallback, rule, "key", 1);
		Uncharged uncharged = this.fallback.uncharged().iterator().next();
		assertThat(this.fallback.hasUncharged(demand)).isTrue();
		uncharged.begin();
		assertThat(this.fallback.hasUncharged(demand)).isTrue();
		uncharged.failed();
		assertThat(this.fallback.hasUncharged(demand)).isTrue();
		uncharged.begin();
		take(this.fallback, rule, "key", 1);
		uncharged.succeeded(new long[] { 1 });
		assertThat(this.fallback.hasUncharged(demand)).isTrue();
		uncharged.begin();
		assertThat(this.fallback.hasUncharged(demand)).isFalse();
		uncharged.succeeded(new long[] { 1 });
		assertThat(this.fallback.hasUncharged(demand)).isFalse();
		assertThat(this.fallback.uncharged()).isEmpty();
		take(this.fallback, rule, "key", 1);
		uncharged.begin();
		assertThat(this.fallback.hasUncharged(demand)).isTrue();
		assertThat(this.fallback.hasUncharged(new Demand(rule, "other", 1))).isFalse();
	}

	@Test
	void keyIsChargedAfterAReset() {
		RateLimitRule rule = rule(log(10, DAY));
		Demand demand = new Demand(rule, "key", 1);
		Uncharged uncharged = beginCharge(this.fallback, rule, 1);
		this.fallback.reset(RuleCounts.of(rule), StoredKey.of("key"));
		uncharged.succeeded(new long[] { 1 });
		assertThat(this.fallback.hasUncharged(demand)).isFalse();
		assertThat(this.fallback.uncharged()).isEmpty();
	}

	/**
	 * A store that fails now and then grants no more with each call that fails.
	 */
	@Test
	void limitThatHasNothingLeftInTheStoreHasNothingLeftHere() {
		RateLimitRule rule = RateLimitRule.named("rule")
			.limit(log(10, Duration.ofHours(1)).withName("hour"))
			.limit(log(10, DAY).withName("day"))
			.build();
		Uncharged uncharged = beginCharge(this.fallback, rule, 2);
		take(this.fallback, rule, "key", 1);
		uncharged.succeeded(new long[] { 1, 2 });
		assertThat(this.fallback.peek(new Demand(rule, "key", 1)).outcomes()).extracting(LimitOutcome::remaining)
			.containsExactly(0L, 7L);
		assertThat(charge(this.fallback, this.back)).extracting(Correction::charged).containsExactly(List.of(0L, 1L));
	}

	@Test
	void whatAChargeLackedIsChargedAgainWhenTheStoreHasRefundedUnits() {
		RateLimitRule rule = rule(log(10, DAY));
		Demand demand = new Demand(rule, "key", 1);
		take(this.fallback, rule, "key", 3);
		take(this.back, rule, "key", 9);
		assertThat(charge(this.fallback, this.back)).hasSize(1);
		assertThat(peek(this.fallback, rule, "key")).isZero();
		AlgorithmOnStore.correct(this.back, List.of(Correction.refund(demand.withCost(5), Correction.NEWEST)));
		assertThat(this.fallback.chargeAgain(demand)).isTrue();
		assertThat(peek(this.fallback, rule, "key")).isEqualTo(7);
		assertThat(charge(this.fallback, this.back)).extracting(Correction::charged).containsExactly(List.of(2L));
		assertThat(peek(this.back, rule, "key")).isEqualTo(3);
		assertThat(this.fallback.chargeAgain(demand)).isFalse();
	}

	@ParameterizedTest
	@EnumSource
	void unitsCountedAfterAChargeStayCountedWhenWhatItLackedIsChargedAgain(AlgorithmUnderTest algorithm) {
		RateLimitRule rule = rule(algorithm.limit(10, Duration.ofSeconds(60)));
		Uncharged uncharged = beginCharge(this.clocked, rule, 3);
		uncharged.succeeded(new long[] { 1 });
		assertThat(peek(this.clocked, rule, "key")).isZero();
		this.now += 10 * rule.limits().get(0).period().toNanos() / 1000;
		take(this.clocked, rule, "key", 1);
		long remaining = peek(this.clocked, rule, "key");
		this.clocked.chargeAgain(new Demand(rule, "key", 1));
		assertThat(peek(this.clocked, rule, "key")).isEqualTo(remaining);
	}

	/**
	 * Its last seconds: the first three units have expired, those that exhausted it have
	 * not.
	 */
	@Test
	void unitsCountedWhileAnExhaustedLogExpiresStayCounted() {
		RateLimitRule rule = rule(log(10, Duration.ofSeconds(60)));
		take(this.clocked, rule, "key", 3);
		this.now += 50_000_000;
		Uncharged uncharged = this.clocked.uncharged().iterator().next();
		uncharged.begin();
		uncharged.succeeded(new long[] { 1 });
		this.now += 11_000_000;
		take(this.clocked, rule, "key", 2);
		this.clocked.chargeAgain(new Demand(rule, "key", 1));
		assertThat(peek(this.clocked, rule, "key")).isEqualTo(8);
	}

	@Test
	void whatAChargeOfAChangedRuleLackedIsForgotten() {
		Limit hour = log(10, Duration.ofHours(1)).withName("hour");
		Limit day = log(10, DAY).withName("day");
		RateLimitRule two = RateLimitRule.named("rule").limit(hour).limit(day).build();
		RateLimitRule one = RateLimitRule.named("rule").limit(hour).build();
		Uncharged uncharged = beginCharge(this.fallback, two, 3);
		take(this.fallback, one, "key", 1);
		uncharged.succeeded(new long[] { 1, 1 });
		assertThat(peek(this.fallback, one, "key")).isEqualTo(9);
		assertThat(charge(this.fallback, this.back)).extracting(Correction::charged).containsExactly(List.of(1L));
	}

	@Test
	void unitsRefundedDuringAChargeAreChargedByTheNextOne() {
		RateLimitRule rule = rule(log(10, DAY));
		Uncharged uncharged = beginCharge(this.fallback, rule, 3);
		assertThat(this.fallback.chargeAgain(new Demand(rule, "key", 1))).as("a further pass is needed").isTrue();
		uncharged.succeeded(new long[] { 1 });
		assertThat(charge(this.fallback, this.back)).extracting(Correction::charged).containsExactly(List.of(2L));
	}

	@Test
	void unitsCountedWhileAChargeIsUnderWayAreChargedByTheNextOne() {
		RateLimitRule rule = rule(log(10, DAY));
		Uncharged uncharged = beginCharge(this.fallback, rule, 3);
		take(this.fallback, rule, "key", 2);
		uncharged.succeeded(new long[] { 3 });
		assertThat(charge(this.fallback, this.back)).extracting(Correction::charged).containsExactly(List.of(2L));
	}

	@Test
	void expiredUnitsAreNotCharged() {
		RateLimitRule rule = rule(log(10, Duration.ofSeconds(60)));
		take(this.clocked, rule, "key", 3);
		this.now += 59_000_000;
		take(this.clocked, rule, "key", 2);
		this.now += 1_000_000;
		assertThat(charge(this.clocked, this.back)).extracting(Correction::charged).containsExactly(List.of(2L));
		this.now += 59_000_000;
		take(this.clocked, rule, "key", 1);
		assertThat(charge(this.clocked, this.back)).extracting(Correction::charged).containsExactly(List.of(1L));
	}

	@Test
	void deniedForgottenAndRefundedCallsAreNotCharged() {
		RateLimitRule rule = rule(log(10, DAY));
		take(this.fallback, rule, "denied", 11);
		take(this.fallback, rule, "forgotten", 3);
		this.fallback.reset(RuleCounts.of(rule), StoredKey.of("forgotten"));
		take(this.fallback, rule, "refunded", 3);
		this.fallback.correct(List.of(Correction.refund(new Demand(rule, "refunded", 3), Correction.NEWEST)));
		assertThat(charge(this.fallback, this.back)).isEmpty();
	}

	@Test
	void unitsRefundedAfterTheirChargeAreLeftOutOfTheNextOne() {
		RateLimitRule rule = rule(log(10, DAY));
		take(this.fallback, rule, "key", 3);
		charge(this.fallback, this.back);
		this.fallback.correct(List.of(Correction.refund(new Demand(rule, "key", 1), Correction.NEWEST)));
		take(this.fallback, rule, "key", 3);
		assertThat(charge(this.fallback, this.back)).extracting(Correction::charged).containsExactly(List.of(2L));
	}

	@Test
	void chargedUnitsThatAreAllRefundedAreRememberedForTheNextCharge() {
		RateLimitRule rule = rule(log(10, DAY));
		take(this.clocked, rule, "key", 3);
		charge(this.clocked, this.back);
		this.clocked.correct(List.of(Correction.refund(new Demand(rule, "key", 3), Correction.NEWEST)));
		this.now += Duration.ofMinutes(1).toMillis() * 1_000;
		take(this.clocked, rule, "other", 1);
		take(this.clocked, rule, "key", 4);
		assertThat(charge(this.clocked, this.back)).extracting(Correction::charged).containsOnly(List.of(1L));
	}

	@Test
	void chargedUnitsThatAreAllRefundedAreForgottenWhenTheyHaveExpired() {
		LocalRateLimitStore counts = LocalStores.store(() -> this.now);
		LocalFallbackStore refunding = new LocalFallbackStore(counts, 1_000, 1);
		RateLimitRule rule = rule(log(10, DAY));
		take(refunding, rule, "key", 3);
		charge(refunding, this.back);
		refunding.correct(List.of(Correction.refund(new Demand(rule, "key", 3), Correction.NEWEST)));
		this.now += DAY.toMillis() * 1_000;
		take(refunding, rule, "other", 1);
		assertThat(counts.counted()).extracting(Entry::key).containsExactly("other");
	}

	@Test
	void countsThatHaveExpiredAreForgottenWithoutCalls() {
		LocalRateLimitStore counts = LocalStores.store(() -> this.now);
		LocalFallbackStore unused = new LocalFallbackStore(counts, 1_000, 1);
		RateLimitRule rule = rule(log(10, Duration.ofSeconds(60)));
		take(unused, rule, "key", 3);
		charge(unused, this.back);
		this.now += 30_000_000;
		unused.tidy();
		assertThat(counts.isEmpty()).isFalse();
		this.now += 30_000_000;
		unused.tidy();
		assertThat(counts.isEmpty()).isTrue();
	}

	@Test
	void resetForgetsAChargeThatIsUnderWay() {
		RateLimitRule rule = rule(log(10, DAY));
		Uncharged uncharged = beginCharge(this.fallback, rule, 3);
		this.fallback.reset(RuleCounts.of(rule), StoredKey.of("key"));
		uncharged.succeeded(new long[] { 3 });
		take(this.fallback, rule, "key", 3);
		assertThat(charge(this.fallback, this.back)).extracting(Correction::charged).containsExactly(List.of(3L));
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
			assertThat(charge.demand().counts().rule()).isSameAs(after);
			assertThat(charge.charged()).containsExactly(1L, 1L);
		});
	}

	@Test
	void keysThatAreEvictedAreForgotten() {
		RateLimitRule rule = rule(log(10, DAY));
		LocalFallbackStore small = new LocalFallbackStore(10, 1);
		IntStream.range(0, 1_000).forEach((i) -> take(small, rule, "key-" + i, 1));
		assertThat(small.uncharged().size()).isLessThanOrEqualTo(21);
		assertThat(charge(small, this.back)).hasSize(10);
	}

}
