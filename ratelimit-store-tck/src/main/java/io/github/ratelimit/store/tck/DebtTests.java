package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Align;
import io.github.ratelimit.Ban;
import io.github.ratelimit.CalendarUnit;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.LimitOutcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Units that a call owes count as if it had taken them with the others: in its window,
 * regardless of the limit, and until they are paid.
 */
class DebtTests {

	private static final long SECOND = 1_000_000;

	/**
	 * Start of a minute.
	 */
	private static final long BEGINNING = 1_699_999_980 * SECOND;

	private static final Duration PERIOD = Duration.ofSeconds(10);

	private static final Limit BUCKET = Limit.of(10, PERIOD).withAlgorithm(Algorithm.TOKEN_BUCKET);

	private static final Limit WEIGHTED = Limit.of(10, PERIOD).withAlgorithm(Algorithm.WEIGHTED_WINDOW);

	private static final Limit HUGE = WEIGHTED.withMax(Limit.MAX_UNITS);

	private static final Limit WINDOW = Limit.of(10, PERIOD).withAlgorithm(Algorithm.FIXED_WINDOW);

	private static final Limit FIRST_REQUEST = WINDOW.withAlign(Align.FIRST_REQUEST);

	private static final Limit CALENDAR = Limit.ofCalendar(10, CalendarUnit.HOUR, ZoneId.of("UTC"));

	private static final Limit SEGMENTS = Limit.of(10, PERIOD).withAlgorithm(Algorithm.SLIDING_WINDOW);

	/**
	 * Each of these calls is made at a second and costs some units. One owes units, and
	 * then some remain and a unit has to wait for some seconds.
	 */
	static List<Owed> debts() {
		return List.of(new Owed("units that are left", BUCKET, List.of(new Call(0, 2)), 0, 3, 0, 5, 0),
				new Owed("as of the call", BUCKET, List.of(new Call(0, 2)), 0, 3, 1, 6, 0),
				new Owed("more than the capacity, to be refilled", BUCKET, List.of(new Call(0, 2)), 0, 28, 0, 0, 21),
				new Owed("which the bucket refills meanwhile", BUCKET, List.of(new Call(0, 9)), 0, 21, 5, 0, 16),
				new Owed("nothing if the bucket has been full since", BUCKET, List.of(new Call(0, 2)), 0, 30, 2, 10, 0),
				new Owed("nothing of a call before the bucket was full", BUCKET,
						List.of(new Call(0, 2), new Call(5, 2)), 0, 30, 5, 8, 0),
				new Owed("all if the call took nothing", BUCKET, List.of(new Call(0, 0)), 0, 30, 0, 0, 21),
				new Owed("units of the window", WINDOW, List.of(new Call(1, 4)), 1, 3, 3, 3, 0),
				new Owed("more than the window holds, until its end", WINDOW, List.of(new Call(1, 4)), 1, 300, 3, 0, 7),
				new Owed("nothing if the window is over", WINDOW, List.of(new Call(1, 4), new Call(11, 2)), 1, 30, 12,
						8, 0),
				new Owed("all if the call took nothing", WINDOW, List.of(new Call(1, 0)), 1, 30, 2, 0, 8),
				new Owed("nothing if that window is over", WINDOW, List.of(new Call(1, 0)), 1, 30, 10, 10, 0),
				new Owed("units of the window", FIRST_REQUEST, List.of(new Call(1, 4)), 1, 30, 3, 0, 8),
				new Owed("nothing if the window is over", FIRST_REQUEST, List.of(new Call(1, 4)), 1, 30, 11, 10, 0),
				new Owed("units of a window that begins with the call", FIRST_REQUEST, List.of(new Call(1, 0)), 1, 30,
						4, 0, 7),
				new Owed("nothing if that is over", FIRST_REQUEST, List.of(new Call(1, 0)), 1, 30, 11, 10, 0),
				new Owed("all in a window that began later", FIRST_REQUEST, List.of(new Call(1, 0), new Call(3, 2)), 1,
						3, 5, 5, 0),
				new Owed("until that is over", FIRST_REQUEST, List.of(new Call(1, 0), new Call(3, 2)), 1, 30, 5, 0, 8),
				new Owed("nothing a period after the call", FIRST_REQUEST, List.of(new Call(1, 0), new Call(3, 2)), 1,
						30, 11, 8, 0),
				new Owed("units of a window that begins with the call after another one", FIRST_REQUEST,
						List.of(new Call(1, 4), new Call(9, 0)), 9, 30, 12, 0, 7),
				new Owed("units of the month or hour", CALENDAR, List.of(new Call(1, 4)), 1, 3, 3, 3, 0),
				new Owed("until its end", CALENDAR, List.of(new Call(1, 4)), 1, 30, 100, 0, 3_600 - 780 - 100),
				new Owed("nothing if it is over", CALENDAR, List.of(new Call(1, 4)), 1, 30, 3_000, 10, 0),
				new Owed("units of the current window", WEIGHTED, List.of(new Call(1, 4)), 1, 6, 1, 0, 10),
				new Owed("units of the window before, by its weight", WEIGHTED, List.of(new Call(1, 4)), 1, 4, 15, 6,
						0),
				new Owed("more than fits, until the weight is low enough", WEIGHTED, List.of(new Call(1, 4)), 1, 14, 2,
						0, 13),
				new Owed("nothing of an older window", WEIGHTED, List.of(new Call(1, 4), new Call(11, 2)), 1, 30, 21, 8,
						0),
				new Owed("all beside a full window before", HUGE,
						List.of(new Call(1, 600_000_000), new Call(19, 510_000_000)), 19, 40_000_000, 19, 390_000_000,
						0),
				new Owed("all of the window before, by its weight", HUGE,
						List.of(new Call(1, 600_000_000), new Call(19, 510_000_000)), 1, 40_000_000, 19, 426_000_000,
						0),
				new Owed("units of the segment", SEGMENTS, List.of(new Call(1, 4), new Call(5, 2)), 1, 3, 6, 1, 0),
				new Owed("more than fits, until the segment is over", SEGMENTS, List.of(new Call(1, 4)), 1, 30, 6, 0,
						6),
				new Owed("nothing if the segment is over", SEGMENTS, List.of(new Call(1, 4), new Call(12, 2)), 1, 30,
						12, 8, 0),
				new Owed("all if the call took nothing", SEGMENTS, List.of(new Call(1, 0)), 1, 7, 6, 3, 0));
	}

	@ParameterizedTest
	@MethodSource("onStores")
	void owesUnits(StoreUnderTest store, Owed owed) {
		Counter counter = counter(store, owed.limit);
		long taken = -1;
		for (Call call : owed.calls) {
			assertThat(counter.setClock(BEGINNING + call.second * SECOND).acquire(call.cost).admitted()).isTrue();
			taken = (call.second == owed.second) ? call.cost : taken;
		}
		counter.setClock(BEGINNING + owed.at * SECOND).owe(owed.units, BEGINNING + owed.second * SECOND, taken == 0);
		LimitOutcome outcome = counter.peek(1);
		assertThat(outcome.remaining()).isEqualTo(owed.remaining);
		assertThat(outcome.retryAfter()).isEqualTo(owed.retryAfter * SECOND);
	}

	static Stream<Arguments> onStores() {
		return AlgorithmOnStore.STORES.stream()
			.flatMap((store) -> debts().stream().map((owed) -> Arguments.of(store, owed)));
	}

	/**
	 * The bucket would be full when the second call goes on.
	 */
	@StoreTest
	void debtCountsWhileALaterCallWaitsForAFullBucket(StoreUnderTest store) {
		for (boolean settled : new boolean[] { true, false }) {
			Counter counter = counter(store, BUCKET)
				.by(settled ? AlgorithmOnStore::settledRule : AlgorithmOnStore::rule);
			counter.acquire(10);
			assertThat(counter.advance(9 * SECOND).waiting(PERIOD).acquire(10).retryAfter()).isEqualTo(SECOND);
			counter.owe(5, BEGINNING, false);
			assertThat(counter.advance(3 * SECOND).peek(1).retryAfter()).isEqualTo(4 * SECOND);
		}
	}

	@ParameterizedTest
	@MethodSource("limitsOnStores")
	void debtIsHonest(StoreUnderTest store, Limit limit) {
		Counter counter = owing(store, limit);
		long retryAfter = counter.peek(1).retryAfter();
		assertThat(counter.advance(retryAfter - 1).acquire(1).admitted()).isFalse();
		assertThat(counter.advance(1).acquire(1).admitted()).isTrue();
	}

	@ParameterizedTest
	@MethodSource("limitsOnStores")
	void debtOutlivesAChangedLimitAndAClockSetBack(StoreUnderTest store, Limit limit) {
		Counter counter = owing(store, limit);
		long before = counter.advance(SECOND).peek(1).retryAfter();
		assertThat(counter.acquire(1).admitted()).isFalse();
		assertThat(counter.change(limit.withMax(9)).acquire(1).retryAfter()).isGreaterThanOrEqualTo(before);
		assertThat(counter.change(limit).advance(-2 * SECOND).acquire(1).admitted()).isFalse();
		assertThat(counter.peek(1).retryAfter()).isGreaterThan(limit.periodMicros() / 2);
	}

	@ParameterizedTest
	@MethodSource("limitsOnStores")
	void debtIsAsLongAsTheStateCanHold(StoreUnderTest store, Limit limit) {
		Counter counter = counter(store, limit);
		counter.acquire(3);
		for (int i = 0; i < 3; i++) {
			counter.owe(Long.MAX_VALUE, BEGINNING, false).owe(1L << 33, BEGINNING, false);
		}
		LimitOutcome outcome = counter.peek(1);
		assertThat(outcome.remaining()).isZero();
		assertThat(outcome.retryAfter()).isBetween(limit.periodMicros() / 2, Duration.ofDays(3_661).toNanos() / 1_000);
		assertThat(outcome.resetAfter()).isBetween(outcome.retryAfter(), Duration.ofDays(3_661).toNanos() / 1_000);
	}

	/**
	 * The debts of two windows count at the same time.
	 */
	@ParameterizedTest
	@MethodSource("limitsOnStores")
	void longestDebtsAreStillOwedAfterTheClockWasSetBack(StoreUnderTest store, Limit limit) {
		Counter counter = counter(store, limit);
		for (int i = 1; i <= 3; i++) {
			long end = BEGINNING + i * limit.periodMicros();
			counter.setClock(end - 1).owe(Long.MAX_VALUE, end - 1, true);
			counter.setClock(end).owe(Long.MAX_VALUE, end, true);
			assertThat(counter.setClock(end - 1).acquire(1).admitted()).isFalse();
			assertThat(counter.peek(1).retryAfter()).isPositive();
		}
	}

	/**
	 * Both windows of ten seconds fall into the last one of seven seconds, a fifth of
	 * which counts.
	 */
	@StoreTest
	void longestDebtsOfTwoWindowsAreAsLongInOneOfAnotherPeriod(StoreUnderTest store) {
		Counter counter = counter(store, HUGE);
		counter.advance(9 * SECOND).owe(Long.MAX_VALUE, counter.now(), true);
		counter.advance(4 * SECOND).owe(Long.MAX_VALUE, counter.now(), true);
		counter.change(Limit.of(Limit.MAX_UNITS, Duration.ofSeconds(7)).withAlgorithm(Algorithm.WEIGHTED_WINDOW));
		assertThat(counter.setClock(BEGINNING + 19_600_000).acquire(1).remaining()).isEqualTo(785_251_634);
		assertThat(counter.acquire(1).remaining()).isEqualTo(785_251_633);
	}

	/**
	 * A call that waits until all earlier units have left its sub-windows shares one with
	 * them if the clock is set back three times.
	 */
	@StoreTest
	void mostUnitsOfManySubWindowsCanMeetInOne(StoreUnderTest store) {
		Counter counter = counter(store, SEGMENTS.withSegments(2).withMax(Limit.MAX_UNITS));
		for (int setBacks = 0; setBacks < 18; setBacks++) {
			counter.waiting((setBacks % 3 == 0) ? Duration.ofMinutes(10) : Duration.ZERO);
			counter.setClock(BEGINNING - setBacks * 49 * SECOND / 10).acquire(Limit.MAX_UNITS);
		}
		assertThat(counter.waiting(Duration.ZERO).acquire(1).admitted()).isFalse();
		assertThat(counter.peek(1).remaining()).isZero();
	}

	@ParameterizedTest
	@MethodSource("limitsOnStores")
	void debtOfAForgottenKeyIsForgotten(StoreUnderTest store, Limit limit) {
		Counter counter = counter(store, limit);
		counter.acquire(3);
		counter.reset();
		assertThat(counter.owe(40, BEGINNING, false).peek(1).remaining()).isEqualTo(10);
	}

	@ParameterizedTest
	@MethodSource("limitsOnStores")
	void debtLeavesTheIntervalAlone(StoreUnderTest store, Limit limit) {
		Counter counter = counter(store, limit.withMinInterval(Duration.ofMillis(200)));
		counter.acquire(1);
		counter.advance(SECOND / 10).owe(2, BEGINNING, false);
		assertThat(counter.peek(1).retryAfter()).isEqualTo(SECOND / 10);
	}

	/**
	 * The key has a denial that counts, and the next one bans it.
	 */
	@ParameterizedTest
	@MethodSource("limitsOnStores")
	void debtLeavesTheBanAlone(StoreUnderTest store, Limit limit) {
		Ban ban = new Ban(2, PERIOD, PERIOD);
		Counter counter = counter(store, limit)
			.by((banned) -> RateLimitRule.named("rule").limit(banned).ban(ban).build());
		counter.acquire(5);
		assertThat(counter.acquire(6).admitted()).isFalse();
		assertThat(counter.owe(2, BEGINNING, false).peek(1).remaining()).isEqualTo(3);
		assertThat(counter.owe(2, BEGINNING, true).peek(1).remaining()).isEqualTo(1);
		counter.acquire(2);
		counter.acquire(1);
		assertThat(counter.peek(1).remaining()).as("of the banned key").isEqualTo(1);
	}

	static Stream<Arguments> limitsOnStores() {
		return AlgorithmOnStore.STORES.stream()
			.flatMap((store) -> Stream.of(BUCKET, WINDOW, FIRST_REQUEST, WEIGHTED, SEGMENTS)
				.map((limit) -> Arguments.of(store, limit)));
	}

	private static Counter counter(StoreUnderTest store, Limit limit) {
		return new Counter(store, limit, BEGINNING);
	}

	/**
	 * Return a counter of which a call has taken three units and owes forty more.
	 */
	private static Counter owing(StoreUnderTest store, Limit limit) {
		Counter counter = counter(store, limit);
		counter.acquire(3);
		return counter.owe(40, BEGINNING, false);
	}

	private record Call(long second, long cost) {

	}

	/**
	 * Calls, the units that the call of a second owes, the time of the debt, and the
	 * remaining units and the wait then.
	 */
	private record Owed(String title, Limit limit, List<Call> calls, long second, long units, long at, long remaining,
			long retryAfter) {

		@Override
		public String toString() {
			return this.limit + ": " + this.title;
		}

	}

}
