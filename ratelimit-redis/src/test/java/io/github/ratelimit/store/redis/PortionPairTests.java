package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Align;
import io.github.ratelimit.Ban;
import io.github.ratelimit.CalendarUnit;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.algorithm.CountType;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleCounts;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Portions in Redis, call by call. A second has 1,000,000 microseconds, a portion is held
 * for 20,000 of them.
 */
@Tag("every-redis")
class PortionPairTests {

	private static final long SECOND = 1_000_000;

	private static final long PREFETCH = 20_000;

	private PortionsUnderTest portions = portions(Algorithm.SLIDING_LOG);

	@Test
	void unitsCountAsOfTheEndOfTheirPortion() {
		assertThat(fetch(0, 1, 10).portion()).isEqualTo(new LimitOutcome(10, 0, PREFETCH));
		assertThat(remainingAt(1)).isEqualTo(89);
		assertThat(remainingAt(SECOND)).isEqualTo(90);
		assertThat(remainingAt(SECOND + PREFETCH - 1)).isEqualTo(90);
		assertThat(remainingAt(SECOND + PREFETCH)).isEqualTo(100);
	}

	@Test
	void portionsShrinkToSingleUnitsNearTheLimit() {
		assertThat(fetch(0, 0, 1_000).portion().remaining()).isEqualTo(25);
		assertThat(fetch(1, 50, 1_000).portion().remaining()).isEqualTo(6);
		assertThat(fetch(2, 14, 1_000).portion().remaining()).isOne();
		assertThat(fetch(3, 1, 1_000).portion().remaining()).isZero();
		assertThat(fetch(4, 3, 0).outcome().retryAfter()).isZero();
		assertThat(fetch(5, 1, 0).outcome().retryAfter()).isPositive();
	}

	@ParameterizedTest
	@MethodSource
	void waitingForTheRetryAfterOfADenialAdmits(Algorithm algorithm, long cost, long time) {
		this.portions = portions(algorithm);
		fetch(0, 50, 1_000);
		fetch(5_000, 10, 1_000);
		long retryAfter = fetch(time, cost, 0).outcome().retryAfter();
		assertThat(retryAfter).isPositive();
		assertThat(peek(time + retryAfter - 1, cost)).isPositive();
		assertThat(peek(time + retryAfter, cost)).isZero();
	}

	static Stream<Arguments> waitingForTheRetryAfterOfADenialAdmits() {
		return Stream
			.of(Algorithm.SLIDING_LOG, Algorithm.SLIDING_WINDOW, Algorithm.WEIGHTED_WINDOW, Algorithm.FIXED_WINDOW,
					Algorithm.TOKEN_BUCKET)
			.flatMap((algorithm) -> Stream.of(30L, 45L, 60L, 100L)
				.flatMap((cost) -> Stream.of(6_000L, PREFETCH).map((time) -> Arguments.of(algorithm, cost, time))));
	}

	@Test
	void deniedCallsChangeNothingAlsoWhenPortionsHaveEnded() {
		fetch(0, 60, 10);
		fetch(1, 20, 0);
		List<String> stored = stored();
		assertThat(fetch(PREFETCH, 50, 0).outcome().retryAfter()).isPositive();
		assertThat(fetch(PREFETCH + 1, 0, 0).outcome().remaining()).isEqualTo(10);
		assertThat(stored()).isEqualTo(stored);
	}

	@Test
	void unitsLeftComeBackBeforeTheEndOnce() {
		long id = fetch(0, 1, 10).id();
		refundUnused(10_000, id, 4);
		refundUnused(10_001, id, 4);
		assertThat(remainingAt(10_002)).isEqualTo(93);
		assertThat(remainingAt(SECOND)).isEqualTo(94);
		assertThat(remainingAt(SECOND + PREFETCH)).isEqualTo(100);
	}

	@Test
	void unitsLeftComeBackAfterTheEndOnce() {
		long id = fetch(0, 1, 10).id();
		fetch(PREFETCH + 100, 1, 0);
		refundUnused(PREFETCH + 200, id, 4);
		refundUnused(PREFETCH + 300, id, 4);
		assertThat(remainingAt(PREFETCH + 400)).isEqualTo(92);
		assertThat(remainingAt(SECOND)).isEqualTo(93);
		assertThat(remainingAt(SECOND + PREFETCH)).isEqualTo(99);
	}

	@Test
	void chargeLeavesTheUnitsThatInstancesHold() {
		long id = fetch(0, 1, 10).id();
		this.portions.charge(1, 100);
		assertThat(remainingAt(2)).isZero();
		refundUnused(10_000, id, 10);
		assertThat(remainingAt(10_001)).isEqualTo(10);
	}

	@ParameterizedTest
	@EnumSource(names = { "SLIDING_LOG", "SLIDING_WINDOW", "WEIGHTED_WINDOW", "FIXED_WINDOW", "TOKEN_BUCKET" })
	void unitsHeldCountAlsoWhenAllOthersAreRefunded(Algorithm algorithm) {
		this.portions = portions(algorithm);
		fetch(0, 1, 10);
		this.portions.refund(1, 1, 0);
		assertThat(remainingAt(2)).isEqualTo(90);
		assertThat(remainingAt(PREFETCH)).isEqualTo(90);
	}

	@Test
	void callThatAPortionPaidIsRefundedFromTheCountOnceThePortionHasEnded() {
		fetch(0, 1, 10);
		this.portions.refund(PREFETCH - 1, 1, PREFETCH);
		this.portions.refund(PREFETCH, 2, PREFETCH);
		assertThat(remainingAt(PREFETCH + 1)).isEqualTo(92);
		assertThat(remainingAt(SECOND)).isEqualTo(93);
		assertThat(remainingAt(SECOND + PREFETCH)).isEqualTo(100);
	}

	@Test
	void unitsLeftComeBackAfterTheEndAlsoIfNobodyHasCalledSince() {
		long id = fetch(0, 1, 10).id();
		refundUnused(PREFETCH, id, 1);
		refundUnused(PREFETCH + 300, id, 1);
		assertThat(remainingAt(PREFETCH + 400)).isEqualTo(90);
		assertThat(remainingAt(SECOND)).isEqualTo(91);
		assertThat(remainingAt(SECOND + PREFETCH)).isEqualTo(100);
	}

	@Test
	void callIsRefundedFromThePortionThatPaidIt() {
		fetch(0, 1, 10);
		fetch(5_000, 0, 10);
		this.portions.refund(6_000, 2, PREFETCH + 5_000);
		assertThat(remainingAt(6_001)).isEqualTo(81);
		assertThat(remainingAt(SECOND + PREFETCH)).isEqualTo(92);
		assertThat(remainingAt(SECOND + PREFETCH + 5_000)).isEqualTo(100);
	}

	@Test
	void callThatTookAWholePortionIsRefunded() {
		fetch(0, 1, 10);
		this.portions.refund(1, 10, PREFETCH);
		assertThat(remainingAt(2)).isEqualTo(99);
	}

	@Test
	void bucketRefillsWhileAPortionIsHeld() {
		this.portions = portions(Algorithm.TOKEN_BUCKET);
		assertThat(fetch(0, 95, 10).portion().remaining()).isOne();
		fetch(1, 4, 0);
		assertThat(fetch(2, 1, 0).outcome().retryAfter()).isEqualTo(9_998);
		assertThat(peek(9_999, 1)).isOne();
		assertThat(peek(10_000, 1)).isZero();
	}

	@Test
	void resetAfterIsThatOfTheUnitsHeldAndOfThoseThatCountSinceTheEndOfTheirs() {
		this.portions = portions(Algorithm.TOKEN_BUCKET);
		fetch(0, 1, 10);
		fetch(5_000, 0, 10);
		assertThat(fetch(PREFETCH + 1, 0, 0).outcome().resetAfter()).isEqualTo(199_999);
	}

	@Test
	void unitsLeftOfTheLastPortionAreFreeForTheNextOne() {
		PortionsUnderTest.Answer first = fetch(0, 0, 80);
		assertThat(first.portion().remaining()).isEqualTo(25);
		assertThat(this.portions.fetchNext(1, 80, first.id(), 25).portion().remaining()).isEqualTo(25);
	}

	@Test
	void portionMayBeASingleUnit() {
		assertThat(fetch(0, 1, 1).portion()).isEqualTo(new LimitOutcome(1, 0, PREFETCH));
	}

	@Test
	void noPortionIsLentOfAFullKey() {
		assertThat(fetch(0, 99, 0).portion()).isEqualTo(new LimitOutcome(0, 0, 0));
		assertThat(fetch(0, 1, 10).portion()).isEqualTo(new LimitOutcome(0, 0, 0));
	}

	@Test
	void portionsAreStoredInOrderOfTheirEnds() {
		PortionsUnderTest longer = new PortionsUnderTest(RuleCounts.of(RateLimitRule.named("rule")
			.limit(Limit.of(100, Duration.ofSeconds(1)).withAlgorithm(Algorithm.SLIDING_LOG))
			.prefetch(Duration.ofMillis(200))
			.build()), this.portions.key());
		longer.fetch(0, 1, 10);
		fetch(1, 0, 10);
		longer.fetch(2, 0, 10);
		fetch(3, 0, 10);
		assertThat(this.portions.storedEnds()).containsExactly(PREFETCH + 1, PREFETCH + 3, 200_000L, 200_002L);
		assertThat(fetch(4, 0, 1).portion()).as("until its own end").isEqualTo(new LimitOutcome(1, 0, PREFETCH));
	}

	@Test
	void portionIsStoredUntilItsUnitsCanNoLongerBeRefunded() {
		long id = fetch(0, 1, 10).id();
		fetch(PREFETCH, 1, 0);
		assertThat(this.portions.storedUntil()).isEqualTo(PREFETCH + SECOND);
		fetch(PREFETCH + SECOND - 1, 1, 0);
		assertThat(this.portions.storedEnds()).containsExactly(PREFETCH);
		refundUnused(PREFETCH + SECOND - 1, id, 0);
		assertThat(this.portions.storedEnds()).isEmpty();
	}

	@Test
	void portionThatNobodyHoldsAnyMoreIsNotStored() {
		long id = fetch(0, 1, 10).id();
		refundUnused(1, id, 10);
		assertThat(stored().get(1)).isEqualTo("null");
	}

	@Test
	void portionIsStoredAsLongAsItsUnitsWouldCount() {
		this.portions = portions(Limit.of(100, Duration.ofHours(1)).withAlgorithm(Algorithm.SLIDING_LOG));
		fetch(0, 1, 1);
		assertThat(this.portions.storedUntil()).isEqualTo(3600 * SECOND + PREFETCH);
		fetch(PREFETCH, 1, 0);
		assertThat(this.portions.storedUntil()).as("once they count").isEqualTo(PREFETCH + SECOND);
	}

	@ParameterizedTest
	@CsvSource({ "1000000, 1073741824, true", "1000001, 1, false", "1, 1073741825, false" })
	void impossiblePortionsAreRefused(long end, long units, boolean possible) {
		this.portions = portions(Algorithm.FIXED_WINDOW);
		this.portions.store(end, units);
		if (possible) {
			assertThat(fetch(0, 1, 0).outcome().retryAfter()).isPositive();
		}
		else {
			assertThat(this.portions.failureOfACall()).contains("the numbers of the stored state are impossible");
		}
	}

	@Test
	void callBehindOneWhosePortionsAreRefusedCountsAtItsTime() {
		this.portions.store(-SECOND, 10_001);
		assertThat(this.portions.timeOfACallBehindOneThatFails()).isZero();
	}

	@Test
	void noMoreThan256PortionsAreHeld() {
		this.portions = portions(Limit.of(10_000, Duration.ofSeconds(1)).withAlgorithm(Algorithm.SLIDING_LOG));
		for (int i = 0; i < 256; i++) {
			assertThat(fetch(i, 0, 1).portion().remaining()).isOne();
		}
		assertThat(fetch(256, 0, 1).portion().remaining()).isZero();
	}

	@Test
	void noPortionIsLentInTheLastMicrosecondOfAWindow() {
		this.portions = portions(Algorithm.FIXED_WINDOW);
		assertThat(fetch(SECOND - 1, 1, 10).portion()).isEqualTo(new LimitOutcome(0, 0, 0));
		assertThat(fetch(SECOND - 2, 1, 10).portion()).isEqualTo(new LimitOutcome(10, 0, 1));
	}

	@Test
	void callThatIsNeverAdmittedIsNotAdmittedWithoutTheUnitsHeldEither() {
		fetch(0, 1, 10);
		assertThat(fetch(1, 101, 0).outcome().retryAfter()).isEqualTo(-1);
	}

	@Test
	void denialMovesPortionsBackByAMicrosecond() {
		this.portions = portions(Algorithm.FIXED_WINDOW);
		fetch(10, 0, 4);
		assertThat(fetch(9, 97, 0).outcome().retryAfter()).isPositive();
		assertThat(this.portions.storedEnds()).containsExactly(PREFETCH + 9);
	}

	@Test
	void nothingComesBackAfterAReset() {
		long id = fetch(0, 1, 10).id();
		this.portions.reset();
		fetch(PREFETCH + 1, 5, 0);
		refundUnused(PREFETCH + 2, id, 10);
		assertThat(remainingAt(PREFETCH + 3)).isEqualTo(95);
	}

	@Test
	void callPaidByAPortionRefundsNothingAfterAReset() {
		this.portions = portions(Algorithm.FIXED_WINDOW);
		fetch(0, 1, 10);
		this.portions.reset();
		fetch(PREFETCH + 1, 5, 0);
		this.portions.refund(PREFETCH + 2, 2, PREFETCH);
		assertThat(remainingAt(PREFETCH + 3)).isEqualTo(95);
	}

	@Test
	void unitsOfAnInstanceThatVanishedComeBackAsIfUsed() {
		fetch(0, 1, 10);
		assertThat(remainingAt(SECOND + PREFETCH - 1)).isEqualTo(90);
		assertThat(remainingAt(SECOND + PREFETCH)).isEqualTo(100);
	}

	@ParameterizedTest
	@EnumSource(names = { "FIXED_WINDOW", "WEIGHTED_WINDOW" })
	void portionEndsWithItsWindow(Algorithm algorithm) {
		this.portions = portions(algorithm);
		assertThat(fetch(SECOND - 5_000, 1, 10).portion()).isEqualTo(new LimitOutcome(10, 0, 4_999));
		assertThat(remainingAt(SECOND - 1)).isEqualTo(89);
		assertThat(remainingAt(SECOND)).isEqualTo((algorithm == Algorithm.FIXED_WINDOW) ? 100 : 89);
	}

	@Test
	void portionEndsWithItsWindowThatBeganWithTheFirstRequest() {
		this.portions = portions(Limit.of(100, Duration.ofSeconds(1))
			.withAlgorithm(Algorithm.FIXED_WINDOW)
			.withAlign(Align.FIRST_REQUEST));
		fetch(SECOND / 2, 1, 0);
		assertThat(fetch(SECOND - 5_000, 1, 10).portion()).isEqualTo(new LimitOutcome(10, 0, PREFETCH));
		long end = SECOND / 2 + SECOND;
		assertThat(fetch(end - 5_000, 1, 10).portion()).isEqualTo(new LimitOutcome(10, 0, 4_999));
		assertThat(remainingAt(end - 1)).isEqualTo(77);
		assertThat(remainingAt(end)).isEqualTo(100);
	}

	@Test
	void portionEndsWithItsWindowOfACalendar() {
		this.portions = portions(Limit.ofCalendar(100, CalendarUnit.HOUR, ZoneOffset.UTC));
		long end = SECOND * (46 * 60 + 40);
		assertThat(fetch(end - 5_000, 1, 10).portion()).isEqualTo(new LimitOutcome(10, 0, 4_999));
		assertThat(remainingAt(end - 1)).isEqualTo(89);
		assertThat(remainingAt(end)).isEqualTo(100);
		assertThat(fetch(end, 1, 10).portion()).isEqualTo(new LimitOutcome(10, 0, PREFETCH));
	}

	@Test
	void limitWithTheLeastRoomBoundsAPortion() {
		this.portions = new PortionsUnderTest(RuleCounts.of(RateLimitRule.named("rule")
			.limit(Limit.of(100, Duration.ofSeconds(1)).withAlgorithm(Algorithm.SLIDING_LOG).withName("second"))
			.limit(Limit.of(1_000, Duration.ofMinutes(1)).withAlgorithm(Algorithm.TOKEN_BUCKET).withName("minute"))
			.prefetch(Duration.ofMillis(20))
			.build()));
		PortionsUnderTest.Answer answer = fetch(0, 1, 1_000);
		assertThat(answer.outcomes()).extracting(LimitOutcome::remaining).containsExactly(75L, 975L, 24L);
		assertThat(fetch(PREFETCH, 0, 0).outcomes()).extracting(LimitOutcome::remaining).containsExactly(75L, 975L, 0L);
	}

	@Test
	void callThatWaitsGoesOnWhenPortionsLeaveRoom() {
		fetch(0, 75, 1_000);
		assertThat(this.portions.take(10, 30, SECOND).outcome().retryAfter()).isEqualTo(SECOND - 10);
		assertThat(fetch(SECOND, 64, 0).outcome().retryAfter()).isZero();
		assertThat(fetch(SECOND, 1, 0).outcome().retryAfter()).isEqualTo(PREFETCH);
	}

	@ParameterizedTest
	@ValueSource(longs = { 10_000, PREFETCH + 200 })
	void unitsLeftComeBackWhileTheKeyIsBanned(long time) {
		Limit limit = Limit.of(100, Duration.ofSeconds(1)).withAlgorithm(Algorithm.SLIDING_LOG);
		this.portions = new PortionsUnderTest(RuleCounts.of(RateLimitRule.named("rule")
			.limit(limit)
			.prefetch(Duration.ofMillis(20))
			.ban(new Ban(1, Duration.ofSeconds(1), Duration.ofMinutes(1)))
			.build()));
		long id = fetch(0, 1, 10).id();
		fetch(1, 100, 0);
		assertThat(fetch(2, 1, 0).portion().remaining()).as("of the ban").isZero();
		refundUnused(time, id, 4);
		refundUnused(time + 1, id, 4);
		assertThat(this.portions.peek(time + 2, 1).remaining()).isEqualTo(93);
	}

	@Test
	void portionsMoveBackWithTheClock() {
		fetch(0, 1, 10);
		assertThat(remainingAt(-100 * SECOND)).isEqualTo(89);
		fetch(-100 * SECOND, 1, 0);
		assertThat(remainingAt(-100 * SECOND + PREFETCH - 1)).isEqualTo(88);
		assertThat(remainingAt(-99 * SECOND)).isEqualTo(90);
		assertThat(remainingAt(-99 * SECOND + PREFETCH)).isEqualTo(100);
	}

	@Test
	void nothingIsStoredLongerThanItMatters() {
		PortionsUnderTest.Answer fetched = fetch(0, 1, 10);
		assertThat(fetched.outcome().resetAfter()).isEqualTo(SECOND + PREFETCH);
		fetch(SECOND + PREFETCH, 0, 0);
		assertThat(stored()).containsExactly("null", "null");
	}

	@Test
	void ruleWithoutPrefetchHasNoFurtherKeyAndNoFurtherScript() {
		RuleCounts plain = RuleCounts.of(RateLimitRule.named("rule")
			.limit(Limit.of(5, Duration.ofSeconds(1)).withAlgorithm(Algorithm.SLIDING_LOG))
			.build());
		EncodedCounts encoded = RedisUnderTest.keys("portions").encoded(CallerClock.of(() -> 0), 1).get(plain);
		assertThat(encoded.names().size()).isOne();
		assertThat(encoded.call(new Demand(plain, "key", 1), 0, Fetch.NOTHING).algorithms())
			.containsExactly(CountType.SLIDING_LOG);
	}

	private PortionsUnderTest.Answer fetch(long time, long cost, long wanted) {
		return this.portions.fetch(time, cost, wanted);
	}

	private void refundUnused(long time, long id, long unused) {
		this.portions.refundUnused(time, id, unused);
	}

	private long peek(long time, long cost) {
		return this.portions.peek(time, cost).retryAfter();
	}

	private long remainingAt(long time) {
		return fetch(time, 0, 0).outcome().remaining();
	}

	private List<String> stored() {
		return this.portions.stored();
	}

	private static PortionsUnderTest portions(Algorithm algorithm) {
		return portions(Limit.of(100, Duration.ofSeconds(1)).withAlgorithm(algorithm));
	}

	private static PortionsUnderTest portions(Limit limit) {
		return new PortionsUnderTest(
				RuleCounts.of(RateLimitRule.named("rule").limit(limit).prefetch(Duration.ofMillis(20)).build()));
	}

}
