package io.github.ratelimit.store.local;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.ratelimit.Ban;
import io.github.ratelimit.CollidingKeys;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.Retained;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.tck.AlgorithmUnderTest;
import io.github.ratelimit.store.tck.Seeds;
import io.github.ratelimit.store.tck.StoreUnderTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Life of the entries of the local store: law 6, and the bound on its keys.
 */
class LocalRateLimitStoreTests {

	private static final Duration PERIOD = Duration.ofMinutes(1);

	private long clock = 1_000_000_000;

	private final LocalRateLimitStore store = new LocalRateLimitStore(100, () -> this.clock);

	@ParameterizedTest
	@EnumSource
	void keepsStateAsLongAsItDiffersFromAnUnusedOne(AlgorithmUnderTest algorithm) {
		Limit limit = algorithm.limit(5, PERIOD);
		long resetAfter = acquire(limit, 2).resetAfter();
		this.clock += resetAfter - 1;
		assertThat(kept()).isOne();
		assertThat(acquire(limit, 0).resetAfter()).isOne();
		this.clock += 100_000;
		assertThat(kept()).isZero();
		assertThat(acquire(limit, 0)).isEqualTo(new LimitOutcome(5, 0, 0));
	}

	/**
	 * After the year 2112, microseconds have more than 52 bits.
	 */
	@Test
	void secondRefundOfACallRefundsNoUnitsOfAnOlderOneAtAnyTime() {
		this.clock = Instant.parse("2200-01-01T00:00:00Z").getEpochSecond() * 1_000_000;
		RateLimitRule rule = RateLimitRule.named("rule").limit(AlgorithmUnderTest.SLIDING_LOG.limit(5, PERIOD)).build();
		Demand demand = new Demand(rule, "key", 1);
		this.store.acquire(demand);
		this.clock += 1_000_000;
		Correction newer = this.store.acquire(demand).get(0).refund();
		AlgorithmOnStore.correct(this.store, List.of(newer));
		AlgorithmOnStore.correct(this.store, List.of(newer));
		assertThat(this.store.peek(demand).outcomes().get(0).remaining()).isEqualTo(4);
	}

	@ParameterizedTest
	@EnumSource
	void neitherDenialNorPeekLengthensTheLifeOfAState(AlgorithmUnderTest algorithm) {
		Limit limit = algorithm.limit(5, PERIOD);
		long resetAfter = acquire(limit, 5).resetAfter();
		this.clock += resetAfter / 2;
		acquire(limit, 6);
		acquire(limit, 0);
		this.clock += resetAfter - resetAfter / 2;
		assertThat(kept()).isZero();
	}

	/**
	 * Tests of applications stop the clock.
	 */
	@ParameterizedTest
	@EnumSource
	void callAfterAResetInTheSameMicrosecondRefundsItsUnits(AlgorithmUnderTest algorithm) {
		RateLimitRule rule = RateLimitRule.named("rule").limit(algorithm.limit(10, PERIOD)).build();
		for (long before : new long[] { 1, 1_000_000 }) {
			Demand call = new Demand(rule, "key", 3, Duration.ofHours(1));
			this.store.acquire(call);
			this.clock += before;
			this.store.reset(call.counts(), call.key());
			long unused = this.store.peek(call).remaining();
			AlgorithmOnStore.correct(this.store, List.of(this.store.acquire(call).get(0).refund()));
			assertThat(this.store.peek(call).remaining()).isEqualTo(unused);
		}
	}

	/**
	 * Only the entry that was reset knows of a call whose turn is later.
	 */
	@ParameterizedTest
	@EnumSource
	void callThatWaitedUntilAfterAResetRefundsNoUnitsOfNewerCallsHoweverIdleItsKeyWas(AlgorithmUnderTest algorithm) {
		RateLimitRule rule = RateLimitRule.named("rule").limit(algorithm.limit(10, PERIOD)).build();
		for (boolean untilTurn : new boolean[] { false, true }) {
			Demand call = new Demand(rule, "key-" + untilTurn, 8, Duration.ofHours(1));
			this.store.acquire(call);
			Correction older = this.store.acquire(call).get(0).refund();
			this.store.reset(call.counts(), call.key());
			this.clock = untilTurn ? older.countedAt() : this.clock + 1_000_000;
			demands(rule, 10).forEach((other) -> this.store.acquire(other));
			this.store.acquire(call);
			this.clock = this.store.acquire(call).get(0).refund().countedAt();
			RuleAnswer before = this.store.peek(call);
			AlgorithmOnStore.correct(this.store, List.of(older));
			assertThat(this.store.peek(call)).isEqualTo(before);
		}
	}

	@Test
	void clearedStoreHasCountedNothing() {
		Limit limit = AlgorithmUnderTest.SLIDING_LOG.limit(5, PERIOD);
		for (int i = 0; i < 50; i++) {
			this.store.acquire(new Demand(RateLimitRule.named("rule-" + i % 3).limit(limit).build(), "key-" + i, 5));
		}
		this.store.clear();
		assertThat(this.store.isEmpty()).isTrue();
		for (int i = 0; i < 200; i++) {
			Demand demand = new Demand(RateLimitRule.named("rule-" + i % 3).limit(limit).build(), "key-" + i, 5);
			assertThat(this.store.acquire(demand).isAdmitted()).isTrue();
		}
	}

	@Test
	void storeWhoseClockMayBeSetBackKeepsUnusedStates() {
		Limit limit = AlgorithmUnderTest.SLIDING_LOG.limit(5, PERIOD);
		Demand demand = new Demand(RateLimitRule.named("rule").limit(limit).build(), "key", 5);
		Demand other = new Demand(RateLimitRule.named("rule").limit(limit).build(), "other", 1);
		LocalRateLimitStore settable = LocalRateLimitStore.withSettableClock(100, () -> this.clock);
		settable.acquire(demand);
		this.clock += 2 * PERIOD.toNanos() / 1000;
		settable.acquire(other);
		this.clock -= 2 * PERIOD.toNanos() / 1000;
		assertThat(settable.acquire(demand).isAdmitted()).isFalse();
	}

	@ParameterizedTest
	@EnumSource
	void keepsStateThatAClockTookBackForItsNewTime(AlgorithmUnderTest algorithm) {
		Limit limit = algorithm.limit(5, PERIOD);
		acquire(limit, 5);
		this.clock -= PERIOD.toNanos() / 1000;
		this.clock += acquire(limit, 1).resetAfter() - 1;
		assertThat(kept()).isOne();
	}

	@Test
	void keepsStateUnderALoweredLimitUntilItsUnitsAreBackByTheLimitThatCountedThem() {
		long resetAfter = acquire(AlgorithmUnderTest.TOKEN_BUCKET.limit(100, PERIOD), 100).resetAfter();
		Limit lowered = AlgorithmUnderTest.TOKEN_BUCKET.limit(10, Duration.ofDays(1));
		long retryAfter = acquire(lowered, 10).retryAfter();
		assertThat(retryAfter).isEqualTo(resetAfter);
		this.clock += retryAfter - 1;
		assertThat(kept()).isOne();
		assertThat(acquire(lowered, 10).retryAfter()).isOne();
		this.clock++;
		Demand call = new Demand(RateLimitRule.named("rule").limit(lowered).build(), "key", 10);
		assertThat(this.store.peek(call).outcomes()).containsExactly(new LimitOutcome(10, 0, 0));
		this.clock += 100_000;
		assertThat(kept()).isZero();
	}

	@Test
	void keepsConsumedUnitsOfAnAlgorithmThatIsNotInForceForTheMoment() {
		acquire(AlgorithmUnderTest.SLIDING_LOG.limit(5, PERIOD), 5);
		acquire(AlgorithmUnderTest.FIXED_WINDOW.limit(5, Duration.ofSeconds(1)), 1);
		this.clock += PERIOD.toNanos() / 1000 - 1;
		assertThat(kept()).isOne();
		assertThat(acquire(AlgorithmUnderTest.SLIDING_LOG.limit(5, PERIOD), 0).remaining()).isZero();
	}

	@Test
	void keepsABannedKeyUntilTheBanEnds() {
		RateLimitRule rule = RateLimitRule.named("rule")
			.limit(AlgorithmUnderTest.SLIDING_LOG.limit(1, Duration.ofSeconds(1)))
			.ban(new Ban(1, Duration.ofSeconds(1), PERIOD))
			.build();
		Demand call = new Demand(rule, "key", 1);
		this.store.acquire(call);
		this.store.acquire(call);
		this.clock += PERIOD.toNanos() / 1000 - 1;
		this.store.acquire(new Demand(rule, "other", 0));
		assertThat(this.store.acquire(call).get(0).isBanned()).isTrue();
	}

	@Test
	void lookMakesNoEntry() {
		acquire(AlgorithmUnderTest.SLIDING_LOG.limit(5, PERIOD), 0);
		assertThat(this.store.counted()).isEmpty();
	}

	@Test
	void keyThatIsCalledOutlivesThoseThatAreNot() {
		Limit limit = AlgorithmUnderTest.SLIDING_LOG.limit(5, PERIOD);
		acquire(limit, "called", 5);
		for (int i = 0; i < 10_000; i++) {
			acquire(limit, "key-" + i, 1);
			assertThat(acquire(limit, "called", 1).admitted()).isFalse();
		}
	}

	@Test
	void longKeysAreNotKept() {
		Limit limit = AlgorithmUnderTest.SLIDING_LOG.limit(5, PERIOD);
		assertThat(Retained.longKeys((key) -> acquire(limit, key, 1))).isZero();
		assertThat(this.store.counted()).hasSize(10)
			.allSatisfy((counted) -> assertThat(counted.key()).hasSize("sha256:".length() + 64));
	}

	@Test
	void keysWithEqualHashCodesAreFoundInAFewSteps() {
		LocalRateLimitStore large = new LocalRateLimitStore(100_000, () -> this.clock);
		RateLimitRule rule = rule("rule", 5);
		assertThat(CollidingKeys.slowdown((key) -> large.acquire(new Demand(rule, key, 1)))).isLessThan(50);
	}

	/**
	 * The result does not depend on the order of the keys.
	 */
	@Test
	void eachRuleKeepsItsShare() {
		Seeds.seeds().forEach((seed) -> {
			Random random = new Random(seed);
			LocalRateLimitStore shared = new LocalRateLimitStore(100, () -> this.clock);
			List<Demand> few = IntStream.range(0, 4)
				.mapToObj((i) -> rule("few-" + i, 1))
				.flatMap((rule) -> demands(rule, 19).stream())
				.toList();
			List<Demand> all = new ArrayList<>(few);
			all.addAll(demands(rule("many", 1), 10_000));
			Collections.shuffle(all, random);
			all.forEach((demand) -> shared.acquire(demand));
			assertThat(shared.counted()).as("seed " + seed).hasSize(100);
			assertThat(few).as("seed " + seed)
				.allSatisfy((demand) -> assertThat(shared.peek(demand).outcomes().get(0).remaining()).isZero());
		});
	}

	/**
	 * Unused entries are dropped first, regardless of their rule.
	 */
	@Test
	void unusedEntriesOfOneRuleMakeRoomForAnother() {
		demands(rule("first", 1), 100).forEach((demand) -> this.store.acquire(demand));
		this.clock += PERIOD.toNanos() / 1000;
		List<Demand> others = demands(rule("second", 1), 60);
		others.forEach((demand) -> this.store.acquire(demand));
		assertThat(this.store.counted()).allMatch((counted) -> counted.ruleName().equals("second")).hasSize(60);
	}

	@Test
	void callOverMoreRulesThanThereAreKeysIsDecided() {
		LocalRateLimitStore tiny = new LocalRateLimitStore(1, () -> this.clock);
		Demands demands = Demands.of(IntStream.range(0, 20)
			.mapToObj((i) -> RateLimitRule.named("rule-" + i).limit(AlgorithmUnderTest.SLIDING_LOG.limit(5, PERIOD)))
			.map((rule) -> new Demand(rule.build(), "key", 1))
			.toList());
		assertThat(StoreUnderTest.outcomes(tiny.acquire(demands))).hasSize(20)
			.allMatch((outcome) -> outcome.remaining() == 4);
		assertThat(tiny.counted()).hasSize(1);
	}

	@Test
	void algorithmsDoNotShareState() {
		acquire(AlgorithmUnderTest.SLIDING_LOG.limit(5, PERIOD), 5);
		assertThat(acquire(AlgorithmUnderTest.TOKEN_BUCKET.limit(5, PERIOD), 0).remaining()).isEqualTo(5);
	}

	@Test
	void asynchronousAnswerIsThereAtOnce() {
		RateLimitRule rule = RateLimitRule.named("rule").limit(AlgorithmUnderTest.SLIDING_LOG.limit(5, PERIOD)).build();
		assertThat(this.store.acquireAsync(new Demand(rule, "key", 2))).isCompletedWithValueMatching(
				(answer) -> answer.get(0).outcomes().equals(List.of(new LimitOutcome(3, 0, 60_000_000))));
	}

	@Test
	void decidesInTheNameOfThisProcess() {
		assertThat(this.store.origin()).isEqualTo(Decision.Origin.LOCAL);
	}

	/**
	 * Return how many entries are left after unused ones are dropped.
	 */
	private int kept() {
		acquire(AlgorithmUnderTest.SLIDING_LOG.limit(5, PERIOD), "other", 0);
		return this.store.counted().size();
	}

	private static RateLimitRule rule(String name, long max) {
		return RateLimitRule.named(name).limit(AlgorithmUnderTest.SLIDING_LOG.limit(max, PERIOD)).build();
	}

	private static List<Demand> demands(RateLimitRule rule, int keys) {
		return IntStream.range(0, keys).mapToObj((key) -> new Demand(rule, "key-" + key, 1)).toList();
	}

	private long remaining(Demand demand) {
		return this.store.peek(demand).outcomes().get(0).remaining();
	}

	private LimitOutcome acquire(Limit limit, long cost) {
		return acquire(limit, "key", cost);
	}

	private LimitOutcome acquire(Limit limit, String key, long cost) {
		RateLimitRule rule = RateLimitRule.named("rule").limit(limit).build();
		return this.store.acquire(new Demand(rule, key, cost)).get(0).outcomes().get(0);
	}

}
