package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.adaptive.LoadAdaptation;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.local.LocalFallbackStore;
import io.github.ratelimit.store.local.LocalStores;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.tck.Seeds;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls of instances that share a store, by a clock of the test. In the walks, calls and
 * charges fail at random before they are counted, and the test adds up what each instance
 * and the store have admitted.
 */
class FallbackModelTests {

	private static final int WALKS = Seeds.steps(2_000) / 20;

	private static final int STEPS = 200;

	private static final long PERIOD = 60_000_000;

	private static final int MAX = 5;

	private static final int KEYS = 30_000;

	private static final RateLimitRule RULE = RateLimitRule.named("rule")
		.limit(MAX, Duration.ofSeconds(60))
		.algorithm(Algorithm.SLIDING_LOG)
		.build();

	private static final StoreException LOST = new StoreException("lost", null, "timeout", true, null);

	@AutoClose
	private final RecordedLog log = new RecordedLog(StoreReport.class);

	private final List<Long> admitted = new ArrayList<>();

	private long now;

	private RateLimitStore store;

	/**
	 * Each call is charged before the next one, so max is exceeded only by calls of an
	 * instance that could not know that the store had nothing left. Each instance admits
	 * at most max of them.
	 */
	@ParameterizedTest(name = "seed {0}")
	@MethodSource("io.github.ratelimit.store.tck.Seeds#seeds")
	void callsThatFailNowAndThenGrantAtMostOneFurtherQuotaPerInstance(long seed) {
		for (int walk = 0; walk < WALKS; walk++) {
			Random random = new Random(seed + walk);
			List<Instance> instances = start(1 + walk % 2);
			List<Long> beyond = new ArrayList<>();
			for (int step = 0; step < STEPS; step++) {
				this.now += random.nextInt(4_000_000);
				Instance instance = instances.get(random.nextInt(instances.size()));
				instance.shared.failure = (random.nextInt(3) == 0) ? LOST : null;
				long left = left("key");
				boolean fallback = instance.shared.failure != null;
				if (instance.call() && fallback && left == 0) {
					beyond.add(this.now);
				}
				instance.shared.failure = null;
				instance.work(random, 0);
				int more = (int) beyond.stream().filter((time) -> time > this.now - PERIOD).count();
				assertThat(admittedLately()).as("seed %d, walk %d, step %d", seed, walk, step)
					.isLessThanOrEqualTo(MAX + more);
				assertThat(instance.admittedLately()).as("seed %d, walk %d, step %d", seed, walk, step)
					.isLessThanOrEqualTo(MAX);
			}
		}
	}

	/**
	 * Whatever fails and for however long, an instance admits no more than max by itself,
	 * and nothing is charged twice.
	 */
	@ParameterizedTest(name = "seed {0}")
	@MethodSource("io.github.ratelimit.store.tck.Seeds#seeds")
	void chargesThatFailGrantAndCountNothingTwice(long seed) {
		for (int walk = 0; walk < WALKS; walk++) {
			Random random = new Random(seed + walk);
			List<Instance> instances = start(2);
			int failing = 1 + random.nextInt(9);
			for (int step = 0; step < STEPS; step++) {
				this.now += random.nextInt(4_000_000);
				Instance instance = instances.get(random.nextInt(instances.size()));
				instance.shared.failure = (random.nextInt(10) < failing) ? LOST : null;
				instance.call();
				instance.work(random, failing);
				String description = "seed %d, walk %d, step %d".formatted(seed, walk, step);
				assertThat(instance.admittedLately()).as(description).isLessThanOrEqualTo(MAX);
				assertThat(instance.shared.units).as(description).isLessThanOrEqualTo(instance.admitted.size());
			}
			long before = left("key");
			long due = 0;
			for (Instance instance : instances) {
				due += instance.uncharged();
				instance.shared.failure = null;
				instance.work(random, 0);
			}
			assertThat(left("key")).as("seed %d, walk %d", seed, walk).isEqualTo(Math.max(0, before - due));
		}
	}

	/**
	 * A store that answers again, but slowly, gets a hundred keys at a time. It would
	 * admit each of them anew until the key is charged.
	 */
	@Test
	void keysThatASlowStoreTakesOverGetNoSecondQuotaMeanwhile() {
		Instance instance = start(1).get(0);
		instance.shared.failure = LOST;
		assertThat(IntStream.range(0, KEYS)).allMatch((key) -> instance.admitted(String.valueOf(key)) == MAX);
		Random random = new Random(0);
		List<Correction> charges = instance.shared.charged;
		while (charges.size() < KEYS) {
			int before = charges.size();
			CompletableFuture<Void> answer = new CompletableFuture<>();
			instance.shared.charging = answer;
			instance.work(random, 0);
			this.now += 10_000;
			List<String> keys = new ArrayList<>();
			charges.subList(before, charges.size()).forEach((charge) -> keys.add(charge.demand().key().text()));
			assertThat(keys).hasSize(100).allMatch((key) -> left(key) == MAX);
			random.ints(100, 0, KEYS).mapToObj(String::valueOf).forEach(keys::add);
			assertThat(keys).allMatch((key) -> instance.admitted(key) == 0);
			answer.complete(null);
		}
		instance.work(random, 0);
		assertThat(instance.fallback.uncharged()).isEmpty();
		assertThat(IntStream.range(0, KEYS).mapToObj(String::valueOf))
			.allMatch((key) -> left(key) == 0 && instance.admitted(key) == 0);
	}

	private List<Instance> start(int number) {
		this.now = AlgorithmOnStore.NOW;
		this.admitted.clear();
		this.store = LocalStores.store(() -> this.now);
		List<Instance> instances = new ArrayList<>();
		for (int i = 0; i < number; i++) {
			instances.add(new Instance());
		}
		return instances;
	}

	private long left(String key) {
		return this.store.peek(demand(key)).outcomes().get(0).remaining();
	}

	private long admittedLately() {
		return this.admitted.stream().filter((time) -> time > this.now - PERIOD).count();
	}

	private static Demand demand(String key) {
		return new Demand(RULE, key, 1);
	}

	private final class Instance {

		private final FailingStore shared = new FailingStore(FallbackModelTests.this.store);

		private final LocalFallbackStore fallback = LocalStores.fallback(() -> FallbackModelTests.this.now, 1);

		private final Queue<Runnable> work = new ArrayDeque<>();

		private final Queue<Runnable> pauses = new ArrayDeque<>();

		private final Listeners listeners = new Listeners();

		private final StoreRecovery recovery = new StoreRecovery(this.shared, this.fallback,
				new StoreReport(System::nanoTime, "local", this.listeners), this.work::add,
				ManuallyRepeated.in(this.pauses));

		private final Decider decider = new Decider(new GuardedStore(this.shared, this.listeners, this.recovery),
				this.recovery.fallback(() -> OnStoreFailure.LOCAL), CallDelay.REAL_TIME, null,
				new DecisionReport(this.listeners),
				new RulesInForce(() -> new LoadAdaptation(Map.of(), Duration.ofSeconds(1)), new VerdictSource(() -> {
				}, (rule) -> {
				})));

		/**
		 * Times at which the fallback has admitted a unit.
		 */
		private final List<Long> admitted = new ArrayList<>();

		Decision decide(String key) {
			return this.decider.decidePlain(demand(key));
		}

		/**
		 * Call as often as a key has units.
		 * @return how many calls were admitted
		 */
		long admitted(String key) {
			return IntStream.range(0, MAX).filter((call) -> decide(key).allowed()).count();
		}

		/**
		 * Decide a call. The fallback does so until all that it counts is charged.
		 */
		boolean call() {
			boolean isCharged = this.fallback.uncharged().isEmpty() || admittedLately() == 0;
			Decision decision = decide("key");
			boolean byFallback = decision.origin() == Decision.Origin.FALLBACK;
			assertThat(byFallback || isCharged).as("charged before the store decides").isTrue();
			if (decision.allowed()) {
				FallbackModelTests.this.admitted.add(FallbackModelTests.this.now);
			}
			if (decision.allowed() && byFallback) {
				this.admitted.add(FallbackModelTests.this.now);
			}
			return decision.allowed();
		}

		/**
		 * Run charges and probes, some of which fail.
		 * @param failing how many of ten charges or probes fail
		 */
		void work(Random random, int failing) {
			for (int rounds = (failing > 0) ? random.nextInt(4) : 12; rounds > 0; rounds--) {
				this.shared.failure = (random.nextInt(10) < failing) ? LOST : null;
				for (Runnable next = this.work.poll(); next != null; next = this.work.poll()) {
					next.run();
				}
				for (int pending = this.pauses.size(); pending > 0; pending--) {
					this.pauses.remove().run();
				}
			}
		}

		long admittedLately() {
			return this.admitted.stream().filter((time) -> time > FallbackModelTests.this.now - PERIOD).count();
		}

		long uncharged() {
			return this.fallback.uncharged().stream().mapToLong((uncharged) -> {
				Correction charge = uncharged.begin();
				uncharged.failed();
				return (charge != null) ? charge.charged().get(0) : 0;
			}).sum();
		}

	}

}
