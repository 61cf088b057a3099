package io.github.ratelimit.benchmarks.lane;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

import io.github.ratelimit.benchmarks.measure.JmhLane;
import io.github.ratelimit.benchmarks.measure.Keys;
import io.github.ratelimit.benchmarks.measure.Quota;
import io.github.ratelimit.benchmarks.measure.Settings;
import io.github.ratelimit.benchmarks.peer.LocalContender;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Decision inside the process: for one key with units left, for one without, and for
 * 10,000 keys.
 */
public class LocalDecision {

	/**
	 * Run the benchmark.
	 * @param arguments none
	 */
	public static void main(String[] arguments) {
		JmhLane lane = new JmhLane("Local decision", LocalDecision.class, Settings.read(2, 3));
		for (Scene scene : Scene.values()) {
			for (LocalContender contender : LocalContender.values()) {
				if (contender != LocalContender.CLOCK || scene == Scene.HOT_ALLOWED) {
					lane.row(contender.title() + ", " + scene.title, "contender", contender.name(), "scene",
							scene.name());
				}
			}
		}
		lane.run(LocalContender.versions());
	}

	/**
	 * Measure a decision.
	 */
	@Benchmark
	public boolean decide(Decider decider, Caller caller) {
		return decider.decides.test(caller.next());
	}

	/**
	 * Keys and quota of the calls.
	 */
	public enum Scene {

		/**
		 * One key with units left.
		 */
		HOT_ALLOWED("hot key, allowed", Quota.PLENTY, Keys.all(1)),

		/**
		 * One key without units.
		 */
		HOT_DENIED("hot key, denied", Quota.EXHAUSTED, Keys.all(1)),

		/**
		 * Many keys in turn, in a random order per caller.
		 */
		MANY_KEYS("10,000 keys", Quota.PLENTY, Keys.all(10_000));

		private final String title;

		private final Quota quota;

		private final List<String> keys;

		Scene(String title, Quota quota, List<String> keys) {
			this.title = title;
			this.quota = quota;
			this.keys = keys;
		}

	}

	/**
	 * Limiter under test.
	 */
	@State(Scope.Benchmark)
	public static class Decider {

		/**
		 * Contender that decides.
		 */
		@Param("TOKEN_BUCKET")
		public LocalContender contender;

		/**
		 * Calls to decide.
		 */
		@Param("MANY_KEYS")
		public Scene scene;

		private Predicate<String> decides;

		/**
		 * Create the limiter, and use every key once.
		 */
		@Setup(Level.Trial)
		public void open() {
			this.decides = this.contender.open(this.scene.quota);
			this.scene.keys.forEach(this.decides::test);
		}

	}

	/**
	 * Keys of one caller.
	 */
	@State(Scope.Thread)
	public static class Caller {

		private static final AtomicLong SEED = new AtomicLong();

		private String[] keys;

		private int at;

		/**
		 * Choose a random order of keys.
		 */
		@Setup(Level.Trial)
		public void shuffle(Decider decider) {
			List<String> shuffled = new ArrayList<>(decider.scene.keys);
			Collections.shuffle(shuffled, new Random(SEED.getAndIncrement()));
			this.keys = shuffled.toArray(String[]::new);
		}

		private String next() {
			int next = this.at + 1;
			this.at = (next < this.keys.length) ? next : 0;
			return this.keys[this.at];
		}

	}

}
