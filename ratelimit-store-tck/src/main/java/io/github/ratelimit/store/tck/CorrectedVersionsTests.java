package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.CalendarUnit;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls of instances with different numbers of one rule that are refunded or settled
 * late: no more units are left than if they had cost that from the beginning, and calls
 * that no longer count owe nothing.
 */
@Tag("every-redis")
class CorrectedVersionsTests {

	private static final int WALKS = Seeds.steps(6_000) / 30;

	private static final int STEPS_PER_WALK = 30;

	private static final long SECOND = 1_000_000;

	/**
	 * Start of a minute, of an hour and of a day.
	 */
	private static final long BEGINNING = 1_699_920_000 * SECOND;

	private static final Limit FIXED = limit(Algorithm.FIXED_WINDOW, 10, 10_000);

	private static final Limit WEIGHTED = limit(Algorithm.WEIGHTED_WINDOW, 10, 10_000);

	private static final Limit SEGMENTS = limit(Algorithm.SLIDING_WINDOW, 10, 10_000);

	private static final Limit CALENDAR = Limit.ofCalendar(10, CalendarUnit.DAY, ZoneOffset.UTC);

	private static final Limit LEAKY = limit(Algorithm.LEAKY_BUCKET, 100, 1_000).withBurst(100);

	private static final Limit BUCKET = limit(Algorithm.TOKEN_BUCKET, 100, 1_000);

	/**
	 * A call by other numbers has dropped the units of the first call, or they have come
	 * back before the numbers changed. The call after that is not refunded.
	 */
	static List<Change> changes() {
		return List.of(
				new Change("a lower rate", LEAKY,
						List.of(new Call(LEAKY, 0, 100),
								new Call(limit(Algorithm.LEAKY_BUCKET, 1, 1_000).withBurst(100), 2_000, 100)),
						0),
				new Change("a lower rate", BUCKET,
						List.of(new Call(BUCKET, 0, 100),
								new Call(limit(Algorithm.TOKEN_BUCKET, 1, 1_000).withBurst(100), 2_000, 100)),
						0),
				new Change("a lower rate of a bucket that is not full", BUCKET,
						List.of(new Call(BUCKET, 0, 90), new Call(BUCKET, 500, 60),
								new Call(limit(Algorithm.TOKEN_BUCKET, 1, 1_000).withBurst(100), 1_000, 50)),
						0),
				new Change("a shorter window", FIXED,
						List.of(new Call(FIXED, 0, 5), new Call(limit(Algorithm.FIXED_WINDOW, 10, 2_500), 8_500, 1),
								new Call(FIXED, 8_500, 4)),
						5),
				new Change("a shorter window that is over", FIXED,
						List.of(new Call(FIXED, 0, 5), new Call(limit(Algorithm.FIXED_WINDOW, 10, 500), 1_000, 1),
								new Call(FIXED, 8_500, 4)),
						6),
				new Change("a shorter window", WEIGHTED, List.of(new Call(WEIGHTED, 0, 5),
						new Call(limit(Algorithm.WEIGHTED_WINDOW, 10, 2_500), 8_500, 1), new Call(WEIGHTED, 8_500, 4)),
						5),
				new Change("a shorter window that is over", WEIGHTED,
						List.of(new Call(WEIGHTED, 0, 5), new Call(limit(Algorithm.WEIGHTED_WINDOW, 10, 500), 1_000, 1),
								new Call(WEIGHTED, 8_500, 4)),
						6),
				new Change("a window shorter than a sub-window", SEGMENTS,
						List.of(new Call(SEGMENTS, 0, 5), new Call(limit(Algorithm.SLIDING_WINDOW, 10, 300), 600, 1),
								new Call(SEGMENTS, 600, 4)),
						5),
				new Change("a shorter calendar", CALENDAR,
						List.of(new Call(CALENDAR, 0, 5),
								new Call(Limit.ofCalendar(10, CalendarUnit.HOUR, ZoneOffset.UTC), 3_600_000, 1),
								new Call(CALENDAR, 3_600_000, 4)),
						5));
	}

	@ParameterizedTest(name = "{0}, {1}")
	@MethodSource("onStores")
	void lateRefundChangesNothing(StoreUnderTest store, Change change) {
		change.check(store, (counter) -> counter.refund(change.calls.get(0).cost, BEGINNING));
	}

	@ParameterizedTest(name = "{0}, {1}")
	@MethodSource("windowsOnStores")
	void lateDebtChangesNothing(StoreUnderTest store, Change change) {
		change.check(store, (counter) -> counter.owe(3, BEGINNING, false));
	}

	static Stream<Arguments> onStores() {
		return AlgorithmOnStore.STORES.stream()
			.flatMap((store) -> changes().stream().map((change) -> Arguments.of(store, change)));
	}

	static Stream<Arguments> windowsOnStores() {
		return onStores().filter((arguments) -> !((Change) arguments.get()[1]).isOfBucket());
	}

	/**
	 * The rate of a call that ends late does not apply, but that of the newest call.
	 */
	@StoreTest
	void lateCorrectionsDoNotChangeTheRate(StoreUnderTest store) {
		for (boolean owes : new boolean[] { true, false }) {
			Counter counter = new Counter(store, BUCKET, BEGINNING);
			counter.take(100);
			Limit slow = limit(Algorithm.TOKEN_BUCKET, 1, 1_000).withBurst(100);
			counter.advance(SECOND / 2).change(slow).take(50);
			counter.change(BUCKET);
			Counter corrected = owes ? counter.owe(1, BEGINNING, false) : counter.refund(1, BEGINNING);
			assertThat(corrected.change(slow).advance(10 * SECOND).peek().remaining()).isEqualTo(owes ? 9 : 10);
		}
	}

	/**
	 * Only calls that are counted by a version that does not settle calls make a bucket
	 * forget its newest takes.
	 */
	@StoreTest
	void peeksAndDenialsOfVersionsWithoutSettlingForgetNoTakes(StoreUnderTest store) {
		RateLimitRule settles = AlgorithmOnStore.settledRule(BUCKET);
		RateLimitRule other = AlgorithmOnStore.rule(BUCKET);
		for (long cost : new long[] { 0, 100, 101 }) {
			String key = AlgorithmOnStore.freshKey();
			store.setClock(BEGINNING);
			acquire(store, new Demand(settles, key, 60));
			store.setClock(BEGINNING + SECOND / 10);
			acquire(store, new Demand(settles, key, 40));
			store.setClock(BEGINNING + SECOND / 5);
			acquire(store, new Demand(settles, key, 10));
			store.setClock(BEGINNING + SECOND / 2);
			assertThat(acquire(store, new Demand(other, key, cost)).admitted()).isEqualTo(cost == 0);
			store.peek(new Demand(other, key, 1));
			store.correct(List.of(Correction.refund(new Demand(settles, key, 40), BEGINNING + SECOND / 10)));
			assertThat(acquire(store, new Demand(settles, key, 0)).remaining()).isEqualTo(80);
		}
	}

	private static LimitOutcome acquire(StoreUnderTest store, Demand demand) {
		return store.acquire(List.of(demand)).get(0);
	}

	private static Limit limit(Algorithm algorithm, long max, long millis) {
		return Limit.of(max, Duration.ofMillis(millis)).withAlgorithm(algorithm);
	}

	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource("io.github.ratelimit.store.tck.AlgorithmOnStore#admittingUnitByUnitInStep")
	void refundsGiveBackNothingThatDoesNotCount(AlgorithmOnStore on, long seed) {
		walks(on, seed, true, false);
	}

	/**
	 * Sliding and weighted windows count a debt by the time of its call in the present
	 * windows. The units of the call may have moved to later ones.
	 */
	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource("io.github.ratelimit.store.tck.AlgorithmOnStore#admittingUnitByUnitInStep")
	void debtsCountWhileTheirCallsDo(AlgorithmOnStore on, long seed) {
		if (on.algorithm().algorithm().hasDebt()) {
			walks(on, seed, false, true);
			walks(on, seed, true, true);
		}
	}

	private static void walks(AlgorithmOnStore on, long seed, boolean refunds, boolean debts) {
		Random random = new Random(seed);
		for (int i = 0; i < WALKS; i++) {
			Walk walk = new Walk(on, random);
			for (int step = 0; step < STEPS_PER_WALK; step++) {
				walk.next(refunds, debts);
				if (!debts || !movesUnits(on.algorithm())) {
					walk.check("seed " + seed + ", walk " + i + ", step " + step);
				}
			}
		}
	}

	private static boolean movesUnits(AlgorithmUnderTest algorithm) {
		return algorithm == AlgorithmUnderTest.SLIDING_WINDOW || algorithm == AlgorithmUnderTest.WEIGHTED_WINDOW;
	}

	/**
	 * Call by some numbers.
	 */
	private record Call(Limit limit, long millis, long cost) {

	}

	/**
	 * Calls by different numbers, and what remains for the last one.
	 */
	private record Change(String title, Limit limit, List<Call> calls, long remaining) {

		/**
		 * Check that a correction of the first call changes nothing.
		 */
		void check(StoreUnderTest store, Consumer<Counter> correction) {
			Counter counter = new Counter(store, this.limit, BEGINNING);
			for (Call call : this.calls) {
				counter.setClock(BEGINNING + call.millis * 1_000).change(call.limit).take(call.cost);
			}
			Limit last = counter.limit();
			correction.accept(counter.change(this.limit));
			assertThat(counter.change(last).peek().remaining()).isEqualTo(this.remaining);
		}

		boolean isOfBucket() {
			return this.limit == BUCKET || this.limit == LEAKY;
		}

		@Override
		public String toString() {
			return this.limit + ": " + this.title;
		}

	}

	/**
	 * Calls of one key by two or three versions of a limit.
	 */
	private static final class Walk {

		private final ReplayedCalls replayed = new ReplayedCalls();

		private final List<ReplayedCalls.Call> running = new ArrayList<>();

		private final List<String> corrections = new ArrayList<>();

		private final AlgorithmUnderTest algorithm;

		private final Random random;

		private final Limit[] versions;

		private final Counter counter;

		Walk(AlgorithmOnStore on, Random random) {
			this.algorithm = on.algorithm();
			this.random = random;
			this.versions = new Limit[2 + random.nextInt(2)];
			long millis = 1 + random.nextInt(100_000);
			for (int i = 0; i < this.versions.length; i++) {
				long own = Math.max(1, millis * (1 + random.nextInt(12)) / (1 + random.nextInt(6)));
				this.versions[i] = vary(this.algorithm.limitUpTo(1 + random.nextInt(20), Duration.ofMillis(own)));
			}
			this.counter = on.counter(this.versions[0]);
		}

		private Limit vary(Limit limit) {
			return switch (this.algorithm) {
				case SLIDING_WINDOW -> limit.withSegments(2 + this.random.nextInt(10));
				case TOKEN_BUCKET, LEAKY_BUCKET -> limit.withBurst(1 + this.random.nextInt(20));
				default -> limit;
			};
		}

		void next(boolean refunds, boolean debts) {
			Limit limit = this.versions[this.random.nextInt(this.versions.length)];
			int kind = this.random.nextInt(4);
			if (kind == 0 && refunds && !this.running.isEmpty()) {
				refund(any());
			}
			else if (kind == 1 && debts && !this.running.isEmpty()) {
				owe(any());
			}
			else {
				acquire(limit);
			}
			this.counter.advance(switch (this.random.nextInt(6)) {
				case 0 -> this.random.nextLong(limit.periodMicros());
				case 1 -> this.random.nextLong(2 * limit.periodMicros());
				case 2, 3 -> 1 + this.random.nextLong(limit.periodMicros() / 8);
				default -> 1;
			});
		}

		private ReplayedCalls.Call any() {
			return this.running.remove(this.random.nextInt(this.running.size()));
		}

		private void acquire(Limit limit) {
			long cost = 1 + this.random.nextInt((int) limit.capacity());
			if (this.algorithm.isBucket() && !this.counter.change(limit).peek(cost).admitted()) {
				return;
			}
			boolean admitted = this.counter.change(limit).acquire(cost).admitted();
			ReplayedCalls.Call call = this.replayed.add(limit, cost, this.counter.now(), admitted);
			if (admitted) {
				this.running.add(call);
			}
		}

		private void refund(ReplayedCalls.Call call) {
			long most = call.cost() - ((this.algorithm == AlgorithmUnderTest.FIXED_WINDOW_FROM_FIRST_REQUEST) ? 1 : 0);
			if (most == 0) {
				return;
			}
			long units = 1 + this.random.nextLong(most);
			this.corrections.add("\n%d less at %d for %d".formatted(units, this.counter.now(), call.time()));
			this.counter.change(call.limit()).refund(units, call.time());
			call.settle(call.cost() - units);
		}

		private void owe(ReplayedCalls.Call call) {
			long units = 1 + this.random.nextInt(20);
			this.corrections.add("\n%d more at %d for %d".formatted(units, this.counter.now(), call.time()));
			long[] before = counted();
			if (this.algorithm.isBucket() && this.replayed.wasUnusedSince(call, this.counter.now())) {
				return;
			}
			this.counter.change(call.limit()).owe(units, call.time(), false);
			long[] less = replayed();
			call.settle(call.cost() + 1_000);
			if (!this.algorithm.isBucket() && Arrays.equals(less, replayed())) {
				assertThat(counted()).as(() -> "owed for a call that does not count: " + this).isEqualTo(before);
			}
			call.settle(call.cost() - 1_000 + units);
		}

		void check(String description) {
			long[] counted = counted();
			long[] replayed = replayed();
			for (int i = 0; i < counted.length; i++) {
				assertThat(counted[i]).as("%s, %s: %s", description, this.versions[i], this)
					.isGreaterThanOrEqualTo(replayed[i]);
			}
		}

		/**
		 * Return the units that count for each version.
		 */
		private long[] counted() {
			long[] counted = new long[this.versions.length];
			for (int i = 0; i < counted.length; i++) {
				Limit limit = wide(this.versions[i]);
				counted[i] = limit.capacity() - this.counter.change(limit).peek().remaining();
			}
			return counted;
		}

		private long[] replayed() {
			long[] used = new long[this.versions.length];
			for (int i = 0; i < used.length; i++) {
				used[i] = this.replayed.used(wide(this.versions[i]), this.counter.now());
			}
			return used;
		}

		/**
		 * Return the limit with room for all units, of the same rate.
		 */
		private static Limit wide(Limit limit) {
			return switch (limit.algorithm()) {
				case TOKEN_BUCKET, LEAKY_BUCKET -> limit.withBurst(10_000);
				default -> limit.withMax(10_000);
			};
		}

		@Override
		public String toString() {
			return this.replayed + "\n" + this.corrections + " now " + this.counter.now();
		}

	}

}
