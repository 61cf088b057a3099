package io.github.ratelimit.benchmarks.soak;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.redis.process.RedisProcess;

/**
 * Three instances under load for ten minutes, or for the {@code SOAK_DURATION}
 * ({@code PT1M}), while their Redis meets a {@link Fault} every few seconds. Every
 * admission is recorded, and no key may get more than the faults explain. The run prints
 * a seed; {@code SOAK_SEED} repeats its faults. The exit code is 1 if a bound was
 * exceeded.
 */
public final class Soak {

	private static final Duration TIMEOUT = Duration.ofMillis(100);

	private static final Duration SLACK = Duration.ofMillis(50);

	private static final int INSTANCES = 3;

	private static final int THREADS_PER_INSTANCE = 10;

	private static final int KEYS = 20;

	private static final long MAX = 10;

	/**
	 * Time until keys are replaced by new ones.
	 */
	private static final Duration GENERATION = Duration.ofSeconds(5);

	private final long seed;

	private final Duration duration;

	private final List<RateLimitRule> rules;

	private final Map<String, Ledger> ledgers = new ConcurrentHashMap<>();

	private volatile Latencies latencies = new Latencies();

	private final AtomicLong losses = new AtomicLong();

	private final AtomicLong outages = new AtomicLong(1);

	private final Map<Fault, Integer> faults = new EnumMap<>(Fault.class);

	private volatile boolean ended;

	private Soak(long seed, Duration duration) {
		this.seed = seed;
		this.duration = duration;
		this.rules = Arrays.stream(Algorithm.values())
			.filter((algorithm) -> algorithm != Algorithm.DEFAULT && algorithm != Algorithm.WARM_UP
					&& algorithm != Algorithm.CONCURRENCY)
			.map((algorithm) -> RateLimitRule.named(algorithm.yamlName()).limit(limit(algorithm)).build())
			.toList();
	}

	private static Limit limit(Algorithm algorithm) {
		Limit limit = Limit.of(MAX, Duration.ofDays(366)).withAlgorithm(algorithm);
		return (algorithm == Algorithm.LEAKY_BUCKET) ? limit.withBurst(MAX) : limit;
	}

	/**
	 * Run the soak test.
	 * @param arguments none
	 */
	public static void main(String[] arguments) throws InterruptedException {
		String seed = System.getenv("SOAK_SEED");
		String duration = System.getenv().getOrDefault("SOAK_DURATION", "PT10M");
		Soak soak = new Soak((seed != null) ? Long.parseLong(seed) : new Random().nextLong(), Duration.parse(duration));
		System.exit(soak.run() ? 0 : 1);
	}

	private boolean run() throws InterruptedException {
		try (RedisProcess redis = RedisProcess.start()) {
			System.out.printf("%s, seed %d, %s%n", redis, this.seed, this.duration);
			List<Instance> instances = new ArrayList<>();
			List<Thread> threads = new ArrayList<>();
			for (int i = 0; i < INSTANCES; i++) {
				int number = i;
				Instance instance = new Instance(redis, TIMEOUT, this.rules);
				instances.add(instance);
				for (int j = 0; j < THREADS_PER_INSTANCE; j++) {
					Random random = new Random(this.seed + threads.size());
					threads.add(new Thread(() -> call(instance, number, random)));
				}
			}
			threads.forEach(Thread::start);
			warmUp(redis);
			injectFaults(redis);
			this.ended = true;
			for (Thread thread : threads) {
				thread.join();
			}
			instances.forEach(Instance::close);
		}
		return report();
	}

	/**
	 * Run outages that are not timed, since the code has not run before.
	 */
	private void warmUp(RedisProcess redis) throws InterruptedException {
		for (int i = 0; i < 5; i++) {
			Thread.sleep(2_000);
			this.outages.incrementAndGet();
			redis.freeze();
			Thread.sleep(1_000);
			redis.resume();
		}
		Thread.sleep(2_000);
		this.latencies = new Latencies();
	}

	private void injectFaults(RedisProcess redis) throws InterruptedException {
		Random random = new Random(this.seed);
		Instant end = Instant.now().plus(this.duration);
		Thread.sleep(1_000);
		while (Instant.now().isBefore(end)) {
			Fault fault = Fault.values()[random.nextInt(Fault.values().length)];
			this.faults.merge(fault, 1, Integer::sum);
			this.outages.incrementAndGet();
			if (fault.isLosingCounts()) {
				this.losses.incrementAndGet();
			}
			fault.happen(redis, random);
			Thread.sleep(random.nextInt(500, 5_000));
		}
	}

	private void call(Instance instance, int number, Random random) {
		while (!this.ended) {
			RateLimitRule rule = this.rules.get(random.nextInt(this.rules.size()));
			String key = System.currentTimeMillis() / GENERATION.toMillis() + "-" + random.nextInt(KEYS);
			Ledger ledger = this.ledgers.computeIfAbsent(rule.name() + '/' + key,
					(name) -> new Ledger(MAX, INSTANCES, this.losses.get()));
			RateLimiter limiter = instance.limiter(rule);
			Latencies measured = this.latencies;
			long start = System.nanoTime();
			Decision decision = limiter.tryAcquire(key);
			measured.add(System.nanoTime() - start);
			if (decision.allowed()) {
				ledger.admitted(number, decision.origin());
			}
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
		}
	}

	private boolean report() {
		List<String> broken = this.ledgers.entrySet()
			.stream()
			.map((entry) -> Map.entry(entry.getKey(), entry.getValue().verdict(this.losses.get(), this.outages.get())))
			.filter((entry) -> !entry.getValue().isEmpty())
			.map((entry) -> entry.getKey() + ": " + entry.getValue())
			.toList();
		long beyond = this.ledgers.values().stream().mapToLong(Ledger::beyond).sum();
		long keysBeyond = this.ledgers.values().stream().filter((ledger) -> ledger.beyond() > 0).count();
		long most = this.ledgers.values().stream().mapToLong(Ledger::all).max().orElse(0);
		System.out.printf("faults: %s%n", this.faults);
		System.out.printf("keys: %d of %d units each; %d got more, at most %d, %d units beyond in all%n",
				this.ledgers.size(), MAX, keysBeyond, most, beyond);
		System.out.printf("calls: %d; median %s, 99.9 %% %s, longest %s; longer than half the time-out: %d%n",
				this.latencies.calls(), millis(this.latencies.percentile(0.5)),
				millis(this.latencies.percentile(0.999)), millis(this.latencies.longest()),
				this.latencies.slowerThan(TIMEOUT.dividedBy(2)));
		boolean inTime = this.latencies.longest().compareTo(TIMEOUT.plus(SLACK)) <= 0;
		if (!inTime) {
			System.out.printf("%d calls took longer than %s%n", this.latencies.slowerThan(TIMEOUT.plus(SLACK)),
					millis(TIMEOUT.plus(SLACK)));
		}
		broken.forEach(System.out::println);
		System.out.println(
				broken.isEmpty() ? "no key got more than the faults explain" : broken.size() + " keys got too much");
		return broken.isEmpty() && inTime;
	}

	private static String millis(Duration duration) {
		return duration.toNanos() / 100_000 / 10.0 + " ms";
	}

}
