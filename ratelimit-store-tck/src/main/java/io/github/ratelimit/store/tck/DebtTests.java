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
import io.github.ratelimit.store.Demand;
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
		Key key = new Key(store, owed.limit);
		long taken = -1;
		for (Call call : owed.calls) {
			assertThat(key.at(call.second * SECOND).acquire(call.cost).admitted()).isTrue();
			taken = (call.second == owed.second) ? call.cost : taken;
		}
		key.at(owed.at * SECOND).owe(owed.units, owed.second * SECOND, taken == 0);
		LimitOutcome outcome = key.peek();
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
			Key key = new Key(store, BUCKET);
			key.settled = settled;
			key.acquire(10);
			key.maxWait = PERIOD;
			assertThat(key.at(9 * SECOND).acquire(10).retryAfter()).isEqualTo(SECOND);
			key.owe(5, 0, false);
			assertThat(key.at(12 * SECOND).peek().retryAfter()).isEqualTo(4 * SECOND);
		}
	}

	@ParameterizedTest
	@MethodSource("limitsOnStores")
	void debtIsHonest(StoreUnderTest store, Limit limit) {
		Key key = new Key(store, limit);
		key.acquire(3);
		key.owe(40, 0, false);
		long retryAfter = key.peek().retryAfter();
		assertThat(key.at(retryAfter - 1).acquire(1).admitted()).isFalse();
		assertThat(key.at(retryAfter).acquire(1).admitted()).isTrue();
	}

	@ParameterizedTest
	@MethodSource("limitsOnStores")
	void debtOutlivesAChangedLimitAndAClockSetBack(StoreUnderTest store, Limit limit) {
		Key key = new Key(store, limit);
		key.acquire(3);
		key.owe(40, 0, false);
		long before = key.at(SECOND).peek().retryAfter();
		assertThat(key.acquire(1).admitted()).isFalse();
		key.limit = limit.withMax(9);
		assertThat(key.acquire(1).retryAfter()).isGreaterThanOrEqualTo(before);
		key.limit = limit;
		key.at(-SECOND);
		assertThat(key.acquire(1).admitted()).isFalse();
		assertThat(key.peek().retryAfter()).isGreaterThan(limit.periodMicros() / 2);
	}

	@ParameterizedTest
	@MethodSource("limitsOnStores")
	void debtIsAsLongAsTheStateCanHold(StoreUnderTest store, Limit limit) {
		Key key = new Key(store, limit);
		key.acquire(3);
		for (int i = 0; i < 3; i++) {
			key.owe(Long.MAX_VALUE, 0, false);
			key.owe(1L << 33, 0, false);
		}
		LimitOutcome outcome = key.peek();
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
		Key key = new Key(store, limit);
		long period = limit.periodMicros();
		for (int i = 1; i <= 3; i++) {
			key.at(i * period - 1).owe(Long.MAX_VALUE, i * period - 1, true);
			key.at(i * period).owe(Long.MAX_VALUE, i * period, true);
			assertThat(key.at(i * period - 1).acquire(1).admitted()).isFalse();
			assertThat(key.peek().retryAfter()).isPositive();
		}
	}

	/**
	 * Both windows of ten seconds fall into the last one of seven seconds, a fifth of
	 * which counts.
	 */
	@StoreTest
	void longestDebtsOfTwoWindowsAreAsLongInOneOfAnotherPeriod(StoreUnderTest store) {
		Key key = new Key(store, HUGE);
		key.at(9 * SECOND).owe(Long.MAX_VALUE, 9 * SECOND, true);
		key.at(13 * SECOND).owe(Long.MAX_VALUE, 13 * SECOND, true);
		key.limit = Limit.of(Limit.MAX_UNITS, Duration.ofSeconds(7)).withAlgorithm(Algorithm.WEIGHTED_WINDOW);
		assertThat(key.at(19_600_000).acquire(1).remaining()).isEqualTo(785_251_634);
		assertThat(key.acquire(1).remaining()).isEqualTo(785_251_633);
	}

	/**
	 * A call that waits until all earlier units have left its sub-windows shares one with
	 * them if the clock is set back three times.
	 */
	@StoreTest
	void mostUnitsOfManySubWindowsCanMeetInOne(StoreUnderTest store) {
		Key key = new Key(store, SEGMENTS.withSegments(2).withMax(Limit.MAX_UNITS));
		for (int setBacks = 0; setBacks < 18; setBacks++) {
			key.maxWait = (setBacks % 3 == 0) ? Duration.ofMinutes(10) : Duration.ZERO;
			key.at(-setBacks * 49 * SECOND / 10).acquire(Limit.MAX_UNITS);
		}
		key.maxWait = Duration.ZERO;
		assertThat(key.acquire(1).admitted()).isFalse();
		assertThat(key.peek().remaining()).isZero();
	}

	@ParameterizedTest
	@MethodSource("limitsOnStores")
	void debtOfAForgottenKeyIsForgotten(StoreUnderTest store, Limit limit) {
		Key key = new Key(store, limit);
		key.acquire(3);
		store.reset(key.rule(), key.name);
		key.owe(40, 0, false);
		assertThat(key.peek().remaining()).isEqualTo(10);
	}

	@ParameterizedTest
	@MethodSource("limitsOnStores")
	void debtLeavesTheIntervalAlone(StoreUnderTest store, Limit limit) {
		Key key = new Key(store, limit.withMinInterval(Duration.ofMillis(200)));
		key.acquire(1);
		key.at(SECOND / 10).owe(2, 0, false);
		assertThat(key.peek().retryAfter()).isEqualTo(SECOND / 10);
	}

	/**
	 * The key has a denial that counts, and the next one bans it.
	 */
	@ParameterizedTest
	@MethodSource("limitsOnStores")
	void debtLeavesTheBanAlone(StoreUnderTest store, Limit limit) {
		Key key = new Key(store, limit);
		key.ban = new Ban(2, PERIOD, PERIOD);
		key.acquire(5);
		assertThat(key.acquire(6).admitted()).isFalse();
		key.owe(2, 0, false);
		assertThat(key.peek().remaining()).isEqualTo(3);
		key.owe(2, 0, true);
		assertThat(key.peek().remaining()).isEqualTo(1);
		key.acquire(2);
		key.acquire(1);
		assertThat(key.peek().remaining()).as("of the banned key").isEqualTo(1);
	}

	static Stream<Arguments> limitsOnStores() {
		return AlgorithmOnStore.STORES.stream()
			.flatMap((store) -> Stream.of(BUCKET, WINDOW, FIRST_REQUEST, WEIGHTED, SEGMENTS)
				.map((limit) -> Arguments.of(store, limit)));
	}

	/**
	 * Key whose clock is set relative to the beginning.
	 */
	private static final class Key {

		private final String name = AlgorithmOnStore.freshKey();

		private final StoreUnderTest store;

		private Limit limit;

		private Ban ban;

		private boolean settled;

		private Duration maxWait = Duration.ZERO;

		Key(StoreUnderTest store, Limit limit) {
			this.store = store;
			this.limit = limit;
			at(0);
		}

		Key at(long micros) {
			this.store.setClock(BEGINNING + micros);
			return this;
		}

		LimitOutcome acquire(long cost) {
			return this.store.acquire(List.of(demand(cost))).get(0);
		}

		LimitOutcome peek() {
			return this.store.peek(demand(1));
		}

		void owe(long units, long slot, boolean first) {
			this.store.correct(List.of(AlgorithmOnStore.debt(demand(units), BEGINNING + slot, first)));
		}

		RateLimitRule rule() {
			RateLimitRule rule = RateLimitRule.named("rule").limit(this.limit).ban(this.ban).build();
			return this.settled ? rule.withSettling(true, null) : rule;
		}

		private Demand demand(long cost) {
			return new Demand(rule(), this.name, cost, this.maxWait);
		}

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
