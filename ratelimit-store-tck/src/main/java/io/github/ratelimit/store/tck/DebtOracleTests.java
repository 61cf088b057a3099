package io.github.ratelimit.store.tck;

import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;

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
		walks(seed, true, (random) -> new Settled(random, store, window.limit, Integer.MAX_VALUE), window.used);
	}

	static Stream<Arguments> windowsAreExact() {
		return forAll(List.of(new Window(limit(Algorithm.FIXED_WINDOW), DebtOracleTests::inWindow),
				new Window(limit(Algorithm.WEIGHTED_WINDOW), DebtOracleTests::byWeight),
				new Window(limit(Algorithm.SLIDING_WINDOW).withSegments(SEGMENTS), DebtOracleTests::inSegments)));
	}

	@ParameterizedTest(name = "{0}, running: {1}, seed {2}")
	@MethodSource
	void bucketHasNeverMoreLeft(StoreUnderTest store, int running, long seed) {
		walks(seed, running == 1, (random) -> new Settled(random, store, limit(Algorithm.TOKEN_BUCKET), running),
				DebtOracleTests::missing);
	}

	static Stream<Arguments> bucketHasNeverMoreLeft() {
		return forAll(List.of(1, 5));
	}

	@ParameterizedTest(name = "{0}, whole units: {1}, seed {2}")
	@MethodSource
	void bucketThatRecordsItsTakesIsExact(StoreUnderTest store, boolean wholeUnits, long seed) {
		walks(seed, true, (random) -> new SettledBucket(random, store, wholeUnits ? PERIOD / MAX : 1),
				DebtOracleTests::missing);
	}

	static Stream<Arguments> bucketThatRecordsItsTakesIsExact() {
		return forAll(List.of(true, false));
	}

	private static Stream<Arguments> forAll(List<?> cases) {
		return AlgorithmOnStore.STORES.stream()
			.flatMap((store) -> cases.stream()
				.flatMap((each) -> Seeds.seeds().mapToObj((seed) -> Arguments.of(store, each, seed))));
	}

	private static void walks(long seed, boolean exact, Function<Random, Settled> begun,
			BiFunction<List<Call>, Long, Long> used) {
		Random random = new Random(seed);
		for (int key = 0; key < CALLS / CALLS_PER_KEY; key++) {
			Settled calls = begun.apply(random);
			for (int i = 0; i < CALLS_PER_KEY; i++) {
				calls.next();
				long expected = Math.max(0, MAX - used.apply(calls.all, calls.counter.now()));
				assertThat(calls.counter.peek().remaining()).as(() -> "seed " + seed + ": " + calls.all)
					.isBetween(exact ? expected : 0, expected);
			}
		}
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

		final List<Call> all = new ArrayList<>();

		private final List<Call> running = new ArrayList<>();

		final Random random;

		final Counter counter;

		private final int most;

		Settled(Random random, StoreUnderTest store, Limit limit, int most) {
			this.random = random;
			this.counter = new Counter(store, limit, BEGINNING);
			this.most = most;
		}

		/**
		 * Settle some call, or make another one.
		 */
		void next() {
			this.counter.advance(this.random.nextInt(4) * gap());
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
			if (this.counter.acquire(cost).admitted()) {
				Call call = new Call(this.counter.now(), cost);
				this.all.add(call);
				this.running.add(call);
			}
		}

		/**
		 * Nothing changes after a bucket has been full since the call. If the call took
		 * nothing, all of its units would count now.
		 */
		void settle(Call call, long actual) {
			boolean isFull = isBucket() && missing(this.all, this.counter.now()) == 0;
			boolean wasFull = isBucket() && hasBeenFullSince(call);
			if (!isFull || call.counted > 0) {
				correct(call, actual - call.counted);
			}
			call.counted = wasFull ? call.counted : actual;
		}

		void correct(Call call, long more) {
			if (more < 0) {
				this.counter.refund(-more, call.time);
			}
			else if (more > 0) {
				this.counter.owe(more, call.time, call.counted == 0);
			}
		}

		/**
		 * Return whether the bucket was full just before a later call, or is full now.
		 */
		boolean hasBeenFullSince(Call call) {
			boolean wasFull = missing(this.all, this.counter.now()) == 0;
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
			return this.counter.limit().algorithm() == Algorithm.TOKEN_BUCKET;
		}

	}

	/**
	 * Calls of one key of a bucket that records its takes.
	 */
	private static final class SettledBucket extends Settled {

		private final long step;

		SettledBucket(Random random, StoreUnderTest store, long step) {
			super(random, store, limit(Algorithm.TOKEN_BUCKET), Integer.MAX_VALUE);
			this.counter.by(AlgorithmOnStore::settledRule);
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
			correct(call, more);
			call.counted = (more > 0 && wasFull) ? call.counted : actual;
		}

		private void begin(long actual) {
			if (actual > 0) {
				this.counter.owe(actual, this.counter.now(), true);
				this.all.add(new Call(this.counter.now(), actual));
			}
		}

	}

}
