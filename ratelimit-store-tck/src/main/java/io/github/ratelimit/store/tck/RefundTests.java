package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A refund returns no units that have expired since the call, and never units of newer
 * calls.
 */
class RefundTests {

	private static final long SECOND = 1_000_000;

	/**
	 * Start of a minute.
	 */
	private static final long BEGINNING = 1_699_999_980 * SECOND;

	private static final Limit BUCKET = Limit.of(10, Duration.ofSeconds(10)).withAlgorithm(Algorithm.TOKEN_BUCKET);

	private static final Limit WEIGHTED = Limit.of(10, Duration.ofSeconds(10)).withAlgorithm(Algorithm.WEIGHTED_WINDOW);

	private static final Limit WINDOW = Limit.of(10, Duration.ofSeconds(10)).withAlgorithm(Algorithm.FIXED_WINDOW);

	private static final Limit SEGMENTS = Limit.of(10, Duration.ofSeconds(10)).withAlgorithm(Algorithm.SLIDING_WINDOW);

	private static final Limit LOG = Limit.of(10, Duration.ofSeconds(10)).withAlgorithm(Algorithm.SLIDING_LOG);

	static List<Refunded> refunds() {
		return List.of(new Refunded("all of the last call", BUCKET, List.of(new Call(0, 5)), 0, 5, 0, 10),
				new Refunded("what is still missing of the last call", BUCKET, List.of(new Call(0, 5)), 0, 5, 3, 10),
				new Refunded("a part of the last call, however late", BUCKET, List.of(new Call(0, 10)), 0, 2, 5, 7),
				new Refunded("the last call of a bucket that was not full", BUCKET,
						List.of(new Call(0, 6), new Call(1, 2)), 1, 2, 3, 7),
				new Refunded("nothing of a bucket that was full since", BUCKET, List.of(new Call(0, 1), new Call(5, 4)),
						0, 1, 5, 6),
				new Refunded("nothing that came back before a newer call", BUCKET,
						List.of(new Call(0, 1), new Call(1, 1)), 0, 1, 1, 9),
				new Refunded("what the bucket has not refilled since", BUCKET, List.of(new Call(0, 5), new Call(2, 3)),
						0, 5, 2, 7),
				new Refunded("the newest units of a bucket", BUCKET, List.of(new Call(0, 5), new Call(2, 3)), -1, 4, 2,
						8),
				new Refunded("the current window", WEIGHTED, List.of(new Call(0, 3), new Call(5, 3)), 0, 3, 5, 7),
				new Refunded("the window before", WEIGHTED, List.of(new Call(0, 8)), 0, 8, 15, 10),
				new Refunded("nothing of an older window", WEIGHTED, List.of(new Call(0, 2), new Call(10, 8)), 0, 2, 20,
						2),
				new Refunded("nothing of the current window for one before", WEIGHTED,
						List.of(new Call(0, 2), new Call(10, 5)), 0, 4, 15, 5),
				new Refunded("units of the same window", WINDOW, List.of(new Call(1, 4), new Call(2, 3)), 1, 4, 3, 7),
				new Refunded("nothing of a window that is over", WINDOW, List.of(new Call(1, 4), new Call(11, 3)), 1, 4,
						12, 7),
				new Refunded("units of the same segment", SEGMENTS, List.of(new Call(1, 4), new Call(2, 3)), 1, 5, 3,
						7),
				new Refunded("nothing of a segment that is over", SEGMENTS, List.of(new Call(1, 4), new Call(12, 3)), 1,
						4, 12, 7),
				new Refunded("units of that time", LOG, List.of(new Call(1, 4), new Call(2, 3)), 1, 5, 3, 7),
				new Refunded("nothing that expired", LOG, List.of(new Call(1, 4), new Call(11, 3)), 1, 4, 11, 7),
				new Refunded("the newest units of a log", LOG, List.of(new Call(1, 4), new Call(2, 3)), -1, 5, 3, 8));
	}

	@StoreTest
	void refundsAllOfTheLastCallOfABucketWhoseRateChanged(StoreUnderTest store) {
		Counter counter = new Counter(store, BUCKET, BEGINNING);
		counter.acquire(5);
		counter.advance(SECOND).change(BUCKET.withMax(20)).refund(4, BEGINNING);
		assertThat(counter.peek().remaining()).isEqualTo(20);
	}

	@ParameterizedTest
	@MethodSource("onStores")
	void refundsUnits(StoreUnderTest store, Refunded refund) {
		Counter counter = new Counter(store, refund.limit, BEGINNING);
		for (Call call : refund.calls) {
			assertThat(counter.setClock(BEGINNING + call.second * SECOND).acquire(call.cost).admitted()).isTrue();
		}
		long slot = (refund.slot < 0) ? Correction.NEWEST : BEGINNING + refund.slot * SECOND;
		counter.setClock(BEGINNING + refund.at * SECOND).refund(refund.cost, slot);
		assertThat(counter.peek().remaining()).isEqualTo(refund.remaining);
	}

	static Stream<Arguments> onStores() {
		return AlgorithmOnStore.STORES.stream()
			.flatMap((store) -> refunds().stream().map((refund) -> Arguments.of(store, refund)));
	}

	@CommonTest
	void refundChargesNothing(AlgorithmOnStore on) {
		Demand demand = new Demand(AlgorithmOnStore.rule(on.algorithm().limit(10, Duration.ofSeconds(20))),
				AlgorithmOnStore.freshKey(), 2);
		on.store().setClock(BEGINNING);
		on.store().answer(demand);
		assertThat(AlgorithmOnStore.correct(on.store().store(), List.of(Correction.refund(demand, BEGINNING))))
			.containsExactly(new long[] { 0 });
	}

	@CommonTest
	void refundsUnitsOfSeveralKeys(AlgorithmOnStore on) {
		RateLimitRule rule = AlgorithmOnStore.rule(on.algorithm().limit(10, Duration.ofSeconds(20)));
		on.store().setClock(BEGINNING);
		List<Demand> calls = Stream.generate(() -> new Demand(rule, AlgorithmOnStore.freshKey(), 2)).limit(3).toList();
		long unused = on.store().peek(calls.get(0).withCost(0)).remaining();
		calls.forEach(on.store()::answer);
		on.store().correct(calls.stream().map((call) -> Correction.refund(call, BEGINNING)).toList());
		assertThat(calls).extracting((call) -> on.store().peek(call.withCost(0)).remaining()).containsOnly(unused);
	}

	@UnitByUnitTest
	void refundsUnitsOfSeveralCallsOfOneKey(AlgorithmOnStore on) {
		Demand call = new Demand(AlgorithmOnStore.rule(on.algorithm().limit(10, Duration.ofSeconds(20))),
				AlgorithmOnStore.freshKey(), 2);
		on.store().setClock(BEGINNING);
		List<Correction> taken = Stream.generate(() -> on.store().answer(call).get(0).refund()).limit(3).toList();
		assertThat(on.store().peek(call.withCost(0)).remaining()).isEqualTo(4);
		on.store().correct(taken);
		assertThat(on.store().peek(call.withCost(0)).remaining()).isEqualTo(10);
	}

	@CommonTest
	void refundsUnitsInTheYear2200(AlgorithmOnStore on) {
		for (boolean newest : new boolean[] { true, false }) {
			Counter counter = on.counter(10, Duration.ofSeconds(20))
				.setClock(Instant.parse("2200-01-01T00:00:00Z").getEpochSecond() * SECOND);
			long unused = counter.peek(0).remaining();
			Correction taken = counter.take(2);
			counter.correct(newest ? Correction.refund(taken.demand(), Correction.NEWEST) : taken);
			assertThat(counter.peek(0).remaining()).isEqualTo(unused);
		}
	}

	@CommonTest
	void refundLeavesTheIntervalAlone(AlgorithmOnStore on) {
		for (boolean newest : new boolean[] { true, false }) {
			Limit limit = on.algorithm().limit(1_000, Duration.ofSeconds(1)).withMinInterval(Duration.ofMillis(200));
			Counter counter = new Counter(on.store(), limit, BEGINNING);
			counter.acquire(1);
			counter.refund(1, newest ? Correction.NEWEST : BEGINNING);
			assertThat(counter.acquire(1).retryAfter()).isEqualTo(200_000);
		}
	}

	@CommonTest
	void clockSetBackAfterRefundLetsNoCallWaitTwice(AlgorithmOnStore on) {
		Limit limit = on.algorithm().limit(1_000, Duration.ofSeconds(5)).withMinInterval(Duration.ofSeconds(1));
		Counter counter = new Counter(on.store(), limit, BEGINNING).waiting(Duration.ofSeconds(5));
		counter.acquire(1);
		counter.acquire(1);
		counter.setClock(BEGINNING + SECOND * 3 / 2).refund(1);
		counter.setClock(BEGINNING + SECOND * 9 / 10).waiting(Duration.ZERO);
		assertThat(counter.acquire(1).retryAfter()).isLessThanOrEqualTo(SECOND);
	}

	@CommonTest
	void refundTakesNoTurnFromWaitingCalls(AlgorithmOnStore on) {
		Counter counter = on.counter(1, Duration.ofSeconds(1)).setClock(BEGINNING).waiting(Duration.ofHours(3));
		counter.acquire(1);
		long wait = counter.acquire(1).retryAfter();
		assertThat(wait).isPositive();
		assertThat(counter.refund(1).acquire(1).retryAfter()).isGreaterThan(wait);
	}

	/**
	 * The result is the same for any number of refunded units.
	 */
	@CommonTest
	void refundTakesNoUnitsOfCallsThatWaitInTheSameWindow(AlgorithmOnStore on) {
		Limit limit = on.algorithm().limit(10, Duration.ofSeconds(10)).withMinInterval(Duration.ofMillis(10));
		Counter counter = new Counter(on.store(), limit, BEGINNING).waiting(Duration.ofMinutes(1));
		for (int i = 0; i < 3; i++) {
			counter.acquire(3);
		}
		counter.refund(30).advance(SECOND / 50);
		if (on.algorithm().admitsUnitByUnit()) {
			assertThat(counter.peek().remaining()).isBetween(1L, 4L);
		}
	}

	/**
	 * Call and its time.
	 */
	private record Call(long second, long cost) {

	}

	/**
	 * Calls, the units refunded, their second (-1: the newest units), the time of the
	 * refund, and the units remaining then.
	 */
	private record Refunded(String title, Limit limit, List<Call> calls, long slot, long cost, long at,
			long remaining) {

		@Override
		public String toString() {
			return this.limit.algorithm() + ": " + this.title;
		}

	}

}
