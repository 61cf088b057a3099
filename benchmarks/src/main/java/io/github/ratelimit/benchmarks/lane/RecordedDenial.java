package io.github.ratelimit.benchmarks.lane;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.adaptive.LoadAdaptation;
import io.github.ratelimit.benchmarks.measure.JmhLane;
import io.github.ratelimit.benchmarks.measure.Keys;
import io.github.ratelimit.benchmarks.measure.Settings;
import io.github.ratelimit.engine.DenyCache;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RemoteStore;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.local.LocalFallbackStore;
import io.github.ratelimit.store.local.LocalRateLimitStore;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Cost of recording the keys with most denials: a decision that is made in the process,
 * with and without a record.
 */
public class RecordedDenial {

	/**
	 * Run the benchmark.
	 * @param arguments none
	 */
	public static void main(String[] arguments) {
		JmhLane lane = new JmhLane("Recorded denial", RecordedDenial.class, Settings.read(2, 3));
		for (Scene scene : Scene.values()) {
			for (Recorded recorded : Recorded.values()) {
				lane.row(scene.title + ", " + recorded.title, "scene", scene.name(), "recorded", recorded.name());
			}
		}
		lane.run("");
	}

	/**
	 * Measure a decision.
	 */
	@Benchmark
	public Decision decide(Limiter limiter, Caller caller) {
		return limiter.limiter.tryAcquire(caller.next());
	}

	/**
	 * Calls.
	 */
	public enum Scene {

		/**
		 * Remembered denials of one key.
		 */
		REMEMBERED("remembered denial of one key", true, 1, 1),

		/**
		 * Remembered denials of many keys in turn, most of which have no counter.
		 */
		REMEMBERED_MANY("remembered denials of 10,000 keys", true, 1, 10_000),

		/**
		 * Denials of the store in this process.
		 */
		LOCAL_DENIED("local denial of one key", false, 1, 1),

		/**
		 * Admitted calls of the store in this process.
		 */
		LOCAL_ADMITTED("local admission of one key", false, 1_000_000_000, 1),

		/**
		 * Admitted calls of many keys.
		 */
		LOCAL_ADMITTED_MANY("local admissions of 10,000 keys", false, 1_000_000_000, 10_000);

		private final String title;

		private final boolean remembered;

		private final long max;

		private final int keys;

		Scene(String title, boolean remembered, long max, int keys) {
			this.title = title;
			this.remembered = remembered;
			this.max = max;
			this.keys = keys;
		}

	}

	/**
	 * What is recorded.
	 */
	public enum Recorded {

		/**
		 * Nothing.
		 */
		NOTHING("nothing recorded", 0, false),

		/**
		 * Denials.
		 */
		DENIALS("denials recorded", 100, false),

		/**
		 * Denials and all calls.
		 */
		CALLS("calls recorded", 100, true);

		private final String title;

		private final int size;

		private final boolean calls;

		Recorded(String title, int size, boolean calls) {
			this.title = title;
			this.size = size;
			this.calls = calls;
		}

	}

	/**
	 * Limiter under test.
	 */
	@State(Scope.Benchmark)
	public static class Limiter {

		/**
		 * Calls to decide.
		 */
		@Param("REMEMBERED")
		public Scene scene;

		/**
		 * What is recorded.
		 */
		@Param("DENIALS")
		public Recorded recorded;

		private RateLimiter limiter;

		/**
		 * Create the limiter, and use up the units of every key.
		 */
		@Setup(Level.Trial)
		public void open() {
			RateLimitStore local = new LocalRateLimitStore(100_000);
			RateLimitEngine engine = new RateLimitEngine(this.scene.remembered ? new Remote(local) : local,
					() -> OnStoreFailure.LOCAL, new LocalFallbackStore(100, 1),
					new LoadAdaptation(Map.of(), Duration.ofSeconds(1)),
					this.scene.remembered ? new DenyCache(100_000, Duration.ofHours(1)) : null);
			engine.recordTopTalkers(this.recorded.size, this.recorded.calls);
			RuleRegistry registry = new RuleRegistry(engine, Algorithm.TOKEN_BUCKET, List.of());
			registry.register(RateLimitRule.named("rule").limit(this.scene.max, Duration.ofDays(1)).build());
			this.limiter = registry.limiter("rule");
			Keys.all(this.scene.keys).forEach((key) -> {
				this.limiter.tryAcquire(key);
				this.limiter.tryAcquire(key);
			});
		}

	}

	/**
	 * Keys of one caller.
	 */
	@State(Scope.Thread)
	public static class Caller {

		private static final AtomicLong STARTED = new AtomicLong();

		private String[] keys;

		private int at;

		/**
		 * Begin at another key than other callers.
		 */
		@Setup(Level.Trial)
		public void begin(Limiter limiter) {
			this.keys = Keys.all(limiter.scene.keys).toArray(String[]::new);
			this.at = (int) (STARTED.getAndIncrement() * 31 % this.keys.length);
		}

		private String next() {
			int next = this.at + 1;
			this.at = (next < this.keys.length) ? next : 0;
			return this.keys[this.at];
		}

	}

	/**
	 * Store that is taken for one outside of this process.
	 */
	private record Remote(RateLimitStore delegate) implements RemoteStore {

		@Override
		public StoreAnswer acquire(Demands demands) {
			return this.delegate.acquire(demands);
		}

		@Override
		public CompletionStage<List<long[]>> correct(List<Correction> corrections) {
			return this.delegate.correct(corrections);
		}

		@Override
		public void reset(RuleCounts counts, StoredKey key) {
			this.delegate.reset(counts, key);
		}

		@Override
		public Decision.Origin origin() {
			return Decision.Origin.REDIS;
		}

	}

}
