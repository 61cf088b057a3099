package io.github.ratelimit.store.local;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.concurrency.Interleavings;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RateLimitStore.PlainRule;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoredKey;

/**
 * Operations of the local store by several threads are those of a plain model, one after
 * the other. The clock stands still, or is set by an operation.
 */
@Tag("in-ci")
@Tag("concurrency")
public class LocalStoreConcurrencyTests {

	private static final long NOW = 1_700_000_000_000_000L;

	private static final int MAX = 3;

	private static final int CAPACITY = 4;

	private static final long SECOND = 1_000_000;

	@Test
	void bucketsThatAreChangedWithoutALockCountEveryCallOnce() {
		Interleavings.check(BucketCalls.class, CallsOfTheModel.class);
	}

	@Test
	void countsUnderTheLockCountEveryCallOnce() {
		Interleavings.check(WindowCalls.class, CallsOfTheModel.class);
	}

	@Test
	void noMoreKeysAreKeptThanMayBeAndAllAreFound() {
		Interleavings.check(EvictingCalls.class);
	}

	@Test
	void bucketsRefillByTheClock() {
		Interleavings.check(BucketInTime.class, BucketInTimeOfTheModel.class);
	}

	@Test
	void logsExpireByTheClock() {
		Interleavings.check(LogInTime.class, LogInTimeOfTheModel.class);
	}

	@Test
	void slotsAreHeldUntilTheirCallsEnd() {
		Interleavings.check(SlotCalls.class, SlotsOfTheModel.class);
	}

	private static RuleCounts rule(Limit limit) {
		return RuleCounts.of(RateLimitRule.named("rule").limit(limit).build());
	}

	private static String text(boolean allowed, long remaining) {
		return (allowed ? "admitted, " : "denied, ") + remaining + " left";
	}

	private static String text(long retryAfter, long remaining, long resetAfter) {
		return remaining + " left, retry after " + retryAfter + ", reset after " + resetAfter;
	}

	private static String text(LimitOutcome outcome) {
		return text(outcome.retryAfter(), outcome.remaining(), outcome.resetAfter());
	}

	private static String text(Decision decision) {
		return text(micros(decision.retryAfter()), decision.remaining(), micros(decision.resetAfter()));
	}

	private static long micros(Duration time) {
		return time.equals(Decision.NEVER) ? LimitOutcome.NEVER : time.toNanos() / 1000;
	}

	/**
	 * All operations, at a time that stands still.
	 */
	@Param(name = "key", gen = IntGen.class, conf = "0:1")
	@Param(name = "cost", gen = IntGen.class, conf = "1:2")
	public abstract static class Calls {

		final RuleCounts counts;

		final LocalRateLimitStore store = new LocalRateLimitStore(100, () -> NOW);

		private final PlainRule plain;

		Calls(Limit limit) {
			this.counts = rule(limit);
			this.plain = this.store.plain(this.counts);
		}

		private Demand demand(int key, int cost) {
			return new Demand(this.counts, "key-" + key, cost);
		}

		@Operation(params = { "key", "cost" })
		public String call(int key, int cost) {
			Decision decision = this.plain.decide("key-" + key, cost);
			return text(decision.allowed(), decision.remaining());
		}

		@Operation(params = { "key", "cost" })
		public String reserve(int key, int cost) {
			StoreAnswer answer = this.store.acquire(demand(key, cost));
			return text(answer.isAdmitted(), answer.get(0).outcome(0).remaining());
		}

		@Operation(params = "cost")
		public boolean reserveBoth(int cost) {
			return this.store.acquire(Demands.of(demand(0, cost), demand(1, cost))).isAdmitted();
		}

		@Operation(params = { "key", "cost" })
		public void refund(int key, int cost) {
			this.store.correct(List.of(Correction.refund(demand(key, cost), Correction.NEWEST)));
		}

		@Operation(params = { "key", "cost" })
		public void settle(int key, int cost) {
			this.store.correct(List.of(Correction.debt(demand(key, cost), NOW, NOW)));
		}

		@Operation(params = "key")
		public long peek(int key) {
			return this.store.peek(demand(key, 0)).outcome(0).remaining();
		}

		@Operation(params = "key")
		public void reset(int key) {
			this.store.reset(this.counts, StoredKey.of("key-" + key));
		}

	}

	/**
	 * Buckets, which plain calls change by compare-and-set.
	 */
	public static class BucketCalls extends Calls {

		public BucketCalls() {
			super(Limit.of(MAX, Duration.ofDays(1)).withAlgorithm(Algorithm.TOKEN_BUCKET));
		}

	}

	/**
	 * Windows, which all calls change under a lock.
	 */
	public static class WindowCalls extends Calls {

		public WindowCalls() {
			super(Limit.of(MAX, Duration.ofDays(1)).withAlgorithm(Algorithm.FIXED_WINDOW));
		}

	}

	/**
	 * Units used of each key.
	 */
	public static class CallsOfTheModel {

		private final long[] used = new long[2];

		public String call(int key, int cost) {
			boolean fits = this.used[key] + cost <= MAX;
			this.used[key] += fits ? cost : 0;
			return text(fits, peek(key));
		}

		public String reserve(int key, int cost) {
			return call(key, cost);
		}

		public boolean reserveBoth(int cost) {
			boolean fit = Math.max(this.used[0], this.used[1]) + cost <= MAX;
			this.used[0] += fit ? cost : 0;
			this.used[1] += fit ? cost : 0;
			return fit;
		}

		public void refund(int key, int cost) {
			this.used[key] -= Math.min(cost, this.used[key]);
		}

		public void settle(int key, int cost) {
			this.used[key] += (this.used[key] > 0) ? cost : 0;
		}

		public long peek(int key) {
			return Math.max(0, MAX - this.used[key]);
		}

		public void reset(int key) {
			this.used[key] = 0;
		}

	}

	/**
	 * Store that keeps two keys. Which ones is not exact: a call that finds its entry
	 * evicted adds it once more.
	 */
	@Param(name = "key", gen = IntGen.class, conf = "0:3")
	public static class EvictingCalls {

		private static final int KEPT = 2;

		private final RuleCounts counts = rule(Limit.of(MAX, Duration.ofDays(1)).withAlgorithm(Algorithm.TOKEN_BUCKET));

		private final LocalRateLimitStore store = new LocalRateLimitStore(KEPT, () -> NOW);

		private final PlainRule plain = this.store.plain(this.counts);

		@Operation(params = "key")
		public void call(int key) {
			this.plain.decide("key-" + key, 1);
		}

		@Operation(params = "key")
		public void reserve(int key) {
			this.store.acquire(new Demand(this.counts, "key-" + key, 1));
		}

		@Operation
		public void clear() {
			this.store.clear();
		}

		@Validate
		public void keepsWhatItFinds() {
			List<String> kept = this.store.counted().stream().map(Entry::key).sorted().toList();
			List<String> found = IntStream.range(0, 4)
				.mapToObj((key) -> "key-" + key)
				.filter((key) -> this.store.known(this.counts, StoredKey.of(key)) != null)
				.toList();
			if (kept.size() > KEPT || !kept.equals(found)) {
				throw new IllegalStateException("Kept " + kept + ", found " + found);
			}
			for (String key : found) {
				long before = this.store.peek(new Demand(this.counts, key, 0)).outcome(0).remaining();
				boolean admitted = this.plain.decide(key, 1).allowed();
				if (admitted != before > 0) {
					throw new IllegalStateException(key + " has " + before + " units left, admitted " + admitted);
				}
			}
		}

	}

	/**
	 * Operations of one key by a clock that one of them sets.
	 */
	@Param(name = "cost", gen = IntGen.class, conf = "1:2")
	@Param(name = "quarters", gen = IntGen.class, conf = "1:6")
	public abstract static class CallsInTime {

		private final RuleCounts counts;

		private volatile long now = NOW;

		private final LocalRateLimitStore store = new LocalRateLimitStore(100, () -> this.now);

		private final PlainRule plain;

		CallsInTime(Limit limit) {
			this.counts = rule(limit);
			this.plain = this.store.plain(this.counts);
		}

		@Operation(params = "cost")
		public String call(int cost) {
			return text(this.plain.decide("key", cost));
		}

		private Demand demand(int cost) {
			return new Demand(this.counts, "key", cost);
		}

		@Operation(params = "cost")
		public String reserve(int cost) {
			return text(this.store.acquire(demand(cost)).get(0).outcome(0));
		}

		@Operation(params = "cost")
		public void refund(int cost) {
			this.store.correct(List.of(Correction.refund(demand(cost), Correction.NEWEST)));
		}

		/**
		 * Count units of a call that had taken none.
		 */
		@Operation(params = "cost")
		public void settle(int cost) {
			this.store.correct(List.of(Correction.debt(demand(cost), NOW, Correction.NEWEST)));
		}

		@Operation
		public String peek() {
			return text(this.store.peek(demand(0)).outcome(0));
		}

		@Operation
		public void reset() {
			this.store.reset(this.counts, StoredKey.of("key"));
		}

		@Operation(params = "quarters", nonParallelGroup = "clock")
		public void advance(int quarters) {
			this.now += quarters * SECOND / 4;
		}

	}

	/**
	 * Bucket that refills one unit per second.
	 */
	public static class BucketInTime extends CallsInTime {

		public BucketInTime() {
			super(Limit.of(CAPACITY, Duration.ofSeconds(CAPACITY)).withAlgorithm(Algorithm.TOKEN_BUCKET));
		}

	}

	/**
	 * Time at which the bucket is full again.
	 */
	public static class BucketInTimeOfTheModel {

		private long now = NOW;

		private long full = NOW;

		public String call(int cost) {
			long taken = Math.max(this.full, this.now) + cost * SECOND;
			long wait = Math.max(0, taken - this.now - CAPACITY * SECOND);
			this.full = (wait == 0) ? taken : this.full;
			return answer(wait);
		}

		private String answer(long retryAfter) {
			long missing = Math.max(0, this.full - this.now);
			return text(retryAfter, Math.max(0, CAPACITY * SECOND - missing) / SECOND, missing);
		}

		public String reserve(int cost) {
			return call(cost);
		}

		public void refund(int cost) {
			this.full -= cost * SECOND;
		}

		public void settle(int cost) {
			this.full = Math.max(this.full, this.now) + cost * SECOND;
		}

		public String peek() {
			return answer(0);
		}

		public void reset() {
			this.full = this.now;
		}

		public void advance(int quarters) {
			this.now += quarters * SECOND / 4;
		}

	}

	/**
	 * Log of a second.
	 */
	public static class LogInTime extends CallsInTime {

		public LogInTime() {
			super(Limit.of(2, Duration.ofSeconds(1)).withAlgorithm(Algorithm.SLIDING_LOG));
		}

	}

	/**
	 * Times of the units.
	 */
	public static class LogInTimeOfTheModel {

		private long now = NOW;

		private final List<Long> times = new ArrayList<>();

		public String call(int cost) {
			expire();
			int excess = this.times.size() + cost - 2;
			for (int i = 0; excess <= 0 && i < cost; i++) {
				this.times.add(this.now);
			}
			return text((excess <= 0) ? 0 : this.times.get(excess - 1) + SECOND - this.now, 2 - this.times.size(),
					this.times.isEmpty() ? 0 : this.times.get(this.times.size() - 1) + SECOND - this.now);
		}

		private void expire() {
			this.times.removeIf((time) -> time <= this.now - SECOND);
		}

		public String reserve(int cost) {
			return call(cost);
		}

		public void refund(int cost) {
			expire();
			this.times.subList(Math.max(0, this.times.size() - cost), this.times.size()).clear();
		}

		/**
		 * A log has no debts.
		 */
		public void settle(int cost) {
		}

		public String peek() {
			return call(0);
		}

		public void reset() {
			this.times.clear();
		}

		public void advance(int quarters) {
			this.now += quarters * SECOND / 4;
		}

	}

	/**
	 * Calls that hold slots, some of which are repeated.
	 */
	@Param(name = "call", gen = IntGen.class, conf = "1:4")
	public static class SlotCalls {

		private final RuleCounts counts = rule(Limit.ofConcurrency(2));

		private final LocalRateLimitStore store = new LocalRateLimitStore(1, () -> NOW);

		private Demand demand(int call) {
			return new Demand(this.counts, StoredKey.of("key-" + call % 2), 1, 0, call, null);
		}

		@Operation(params = "call")
		public boolean begin(int call) {
			return this.store.acquire(demand(call)).isAdmitted();
		}

		@Operation(params = "call")
		public void end(int call) {
			this.store.correct(List.of(Correction.refund(demand(call), NOW)));
		}

		@Operation(params = "call")
		public long peek(int call) {
			return this.store.peek(demand(call).withCost(0)).outcome(0).remaining();
		}

	}

	/**
	 * Units of each call, which a call that is repeated holds once. Entries that hold
	 * slots are never evicted.
	 */
	public static class SlotsOfTheModel {

		private final Map<Integer, Integer> units = new TreeMap<>();

		private long held(int call) {
			return this.units.entrySet()
				.stream()
				.filter((each) -> each.getKey() % 2 == call % 2)
				.mapToInt(Map.Entry::getValue)
				.sum();
		}

		public boolean begin(int call) {
			boolean fits = this.units.containsKey(call) || held(call) < 2;
			if (fits) {
				this.units.put(call, 1);
			}
			return fits;
		}

		public void end(int call) {
			this.units.remove(call);
		}

		public long peek(int call) {
			return 2 - held(call);
		}

	}

}
