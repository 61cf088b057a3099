package io.github.ratelimit.store.tck;

import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
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
 * Calls that are settled while others run, in any order and however late: the state
 * equals that of the actual costs taken at the times of the calls, computed anew from all
 * calls each time. Windows are exact. A bucket is exact if it records its takes, or if
 * each call is settled before the next one, and never has more left otherwise.
 */
class DebtOracleTests {

	private static final int CALLS = Seeds.steps(3_000);

	private static final int CALLS_PER_KEY = 30;

	private static final long MAX = 20;

	private static final long PERIOD = 1_000_000;

	private static final int SEGMENTS = 5;

	private static final long BEGINNING = 1_700_000_000_000_123L;

	@ParameterizedTest(name = "{0}, {1}, seed {2}")
	@MethodSource
	void windowsAreExact(StoreUnderTest store, Window window, long seed) {
		Random random = new Random(seed);
		for (int key = 0; key < CALLS / CALLS_PER_KEY; key++) {
			Settled calls = new Settled(random, store, AlgorithmOnStore.rule(window.limit), Integer.MAX_VALUE);
			for (int i = 0; i < CALLS_PER_KEY; i++) {
				calls.next();
				long expected = Math.max(0, MAX - window.used.apply(calls.all, calls.now));
				assertThat(calls.remaining()).as(() -> "seed " + seed + ": " + calls.all).isEqualTo(expected);
			}
		}
	}

	static Stream<Arguments> windowsAreExact() {
		return forAll(List.of(new Window(limit(Algorithm.FIXED_WINDOW), DebtOracleTests::inWindow),
				new Window(limit(Algorithm.WEIGHTED_WINDOW), DebtOracleTests::byWeight),
				new Window(limit(Algorithm.SLIDING_WINDOW).withSegments(SEGMENTS), DebtOracleTests::inSegments)));
	}

	@ParameterizedTest(name = "{0}, running: {1}, seed {2}")
	@MethodSource
	void bucketHasNeverMoreLeft(StoreUnderTest store, int running, long seed) {
		Random random = new Random(seed);
		for (int key = 0; key < CALLS / CALLS_PER_KEY; key++) {
			Settled calls = new Settled(random, store, AlgorithmOnStore.rule(limit(Algorithm.TOKEN_BUCKET)), running);
			for (int i = 0; i < CALLS_PER_KEY; i++) {
				calls.next();
				long expected = Math.max(0, MAX - missing(calls.all, calls.now));
				if (running == 1) {
					assertThat(calls.remaining()).as(() -> "seed " + seed + ": " + calls.all).isEqualTo(expected);
				}
				else {
					assertThat(calls.remaining()).as(() -> "seed " + seed + ": " + calls.all)
						.isLessThanOrEqualTo(expected);
				}
			}
		}
	}

	static Stream<Arguments> bucketHasNeverMoreLeft() {
		return forAll(List.of(1, 5));
	}

	@ParameterizedTest(name = "{0}, whole units: {1}, seed {2}")
	@MethodSource
	void bucketThatRecordsItsTakesIsExact(StoreUnderTest store, boolean wholeUnits, long seed) {
		Random random = new Random(seed);
		for (int key = 0; key < CALLS / CALLS_PER_KEY; key++) {
			SettledBucket calls = new SettledBucket(random, store, wholeUnits ? PERIOD / MAX : 1);
			for (int i = 0; i < CALLS_PER_KEY; i++) {
				calls.next();
				long expected = Math.max(0, MAX - missing(calls.all, calls.now));
				assertThat(calls.remaining()).as(() -> "seed " + seed + ": " + calls.all).isEqualTo(expected);
			}
		}
	}

	static Stream<Arguments> bucketThatRecordsItsTakesIsExact() {
		return forAll(List.of(true, false));
	}

	private static Stream<Arguments> forAll(List<?> cases) {
		return AlgorithmOnStore.STORES.stream()
			.flatMap((store) -> cases.stream()
				.flatMap((each) -> Seeds.seeds().mapToObj((seed) -> Arguments.of(store, each, seed))));
	}

	private static Limit limit(Algorithm algorithm) {
		return Limit.of(MAX, Duration.ofSeconds(1)).withAlgorithm(algorithm);
	}

	private static long inWindow(List<Call> calls, long now) {
		return sum(calls, now / PERIOD, PERIOD);
	}

	private static long byWeight(List<Call> calls, long now) {
		long previous = sum(calls, now / PERIOD - 1, PERIOD);
		return inWindow(calls, now) - Math.floorDiv(-previous * (PERIOD - now % PERIOD), PERIOD);
	}

	private static long inSegments(List<Call> calls, long now) {
		long length = PERIOD / SEGMENTS;
		long used = 0;
		for (long number = now / length - SEGMENTS; number <= now / length; number++) {
			used += sum(calls, number, length);
		}
		return used;
	}

	private static long sum(List<Call> calls, long number, long length) {
		return calls.stream().filter((call) -> call.time / length == number).mapToLong((call) -> call.counted).sum();
	}

	/**
	 * Return the whole units that a bucket lacks. It refills 20 units in 1,000,000 µs.
	 */
	private static long missing(List<Call> calls, long now) {
		BigInteger parts = BigInteger.ZERO;
		long time = 0;
		for (Call call : calls) {
			parts = refilled(parts, call.time - time).add(BigInteger.valueOf(call.counted * PERIOD));
			time = call.time;
		}
		return -Math.floorDiv(-refilled(parts, now - time).longValueExact(), PERIOD);
	}

	private static BigInteger refilled(BigInteger parts, long elapsed) {
		return parts.subtract(BigInteger.valueOf(elapsed).multiply(BigInteger.valueOf(MAX))).max(BigInteger.ZERO);
	}

	/**
	 * Limit, and the units that count by the times of all calls.
	 */
	private record Window(Limit limit, BiFunction<List<Call>, Long, Long> used) {

		@Override
		public String toString() {
			return this.limit.algorithm().toString();
		}

	}

	/**
	 * Admitted call and the units of it that count: its estimate until it is settled.
	 */
	private static final class Call {

		private final long time;

		private final long estimate;

		private long counted;

		Call(long time, long counted) {
			this.time = time;
			this.estimate = counted;
			this.counted = counted;
		}

		@Override
		public String toString() {
			return this.counted + " at " + (this.time - BEGINNING);
		}

	}

	/**
	 * Calls of one key, of which some run.
	 */
	private static class Settled {

		private final String key = AlgorithmOnStore.freshKey();

		final List<Call> all = new ArrayList<>();

		private final List<Call> running = new ArrayList<>();

		final Random random;

		final StoreUnderTest store;

		private final RateLimitRule rule;

		private final int most;

		long now = BEGINNING;

		Settled(Random random, StoreUnderTest store, RateLimitRule rule, int most) {
			this.random = random;
			this.store = store;
			this.rule = rule;
			this.most = most;
		}

		/**
		 * Settle some call, or make another one.
		 */
		void next() {
			this.now += this.random.nextInt(4) * gap();
			this.store.setClock(this.now);
			if (this.running.size() < this.most && this.random.nextInt(3) > 0) {
				acquire(this.random.nextInt(8));
			}
			else if (!this.running.isEmpty()) {
				settle(this.running.remove(this.random.nextInt(this.running.size())), this.random.nextInt(16));
			}
		}

		long gap() {
			return this.random.nextInt((int) PERIOD / 5);
		}

		void acquire(long cost) {
			if (this.store.acquire(List.of(demand(cost))).get(0).admitted()) {
				Call call = new Call(this.now, cost);
				this.all.add(call);
				this.running.add(call);
			}
		}

		/**
		 * Nothing changes after a bucket has been full since the call. If the call took
		 * nothing, all of its units would count now.
		 */
		void settle(Call call, long actual) {
			boolean isFull = isBucket() && missing(this.all, this.now) == 0;
			boolean wasFull = isBucket() && hasBeenFullSince(call);
			long more = actual - call.counted;
			if (more < 0) {
				this.store.correct(List.of(Correction.refund(demand(-more), call.time)));
			}
			else if (more > 0 && !(isFull && call.counted == 0)) {
				this.store.correct(List.of(AlgorithmOnStore.debt(demand(more), call.time, call.counted == 0)));
			}
			call.counted = wasFull ? call.counted : actual;
		}

		/**
		 * Return whether the bucket was full just before a later call, or is full now.
		 */
		boolean hasBeenFullSince(Call call) {
			boolean wasFull = missing(this.all, this.now) == 0;
			for (Call later : this.all) {
				wasFull |= later.time > call.time && later.estimate > 0
						&& missing(firstAt(later.time), later.time) == 0;
			}
			return wasFull;
		}

		private List<Call> firstAt(long time) {
			return this.all.stream().filter((call) -> call.time < time).toList();
		}

		private boolean isBucket() {
			return this.rule.limits().get(0).algorithm() == Algorithm.TOKEN_BUCKET;
		}

		Demand demand(long cost) {
			return new Demand(this.rule, this.key, cost);
		}

		long remaining() {
			return this.store.acquire(List.of(demand(0))).get(0).remaining();
		}

	}

	/**
	 * Calls of one key of a bucket that records its takes.
	 */
	private static final class SettledBucket extends Settled {

		private final long step;

		SettledBucket(Random random, StoreUnderTest store, long step) {
			super(random, store, AlgorithmOnStore.settledRule(limit(Algorithm.TOKEN_BUCKET)), Integer.MAX_VALUE);
			this.step = step;
		}

		@Override
		long gap() {
			return this.step * this.random.nextInt((int) (PERIOD / 5 / this.step));
		}

		/**
		 * A call that takes nothing is settled as if it began then. Units that others owe
		 * count unless the bucket was full just before a later call, or is full now.
		 */
		@Override
		void settle(Call call, long actual) {
			if (call.estimate == 0) {
				begin(actual);
				return;
			}
			boolean wasFull = hasBeenFullSince(call);
			long more = actual - call.counted;
			if (more < 0) {
				this.store.correct(List.of(Correction.refund(demand(-more), call.time)));
			}
			else if (more > 0) {
				this.store.correct(List.of(AlgorithmOnStore.debt(demand(more), call.time, false)));
			}
			call.counted = (more > 0 && wasFull) ? call.counted : actual;
		}

		private void begin(long actual) {
			if (actual > 0) {
				this.store.correct(List.of(AlgorithmOnStore.debt(demand(actual), this.now, true)));
				this.all.add(new Call(this.now, actual));
			}
		}

	}

}
