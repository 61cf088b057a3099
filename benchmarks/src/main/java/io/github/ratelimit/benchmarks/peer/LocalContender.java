package io.github.ratelimit.benchmarks.peer;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Predicate;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.common.util.concurrent.RateLimiter;
import io.github.bucket4j.Bucket;
import io.github.ratelimit.benchmarks.measure.Machine;
import io.github.ratelimit.benchmarks.measure.Quota;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;

/**
 * Contenders that decide inside the process.
 */
@SuppressWarnings("UnstableApiUsage") // Guava's RateLimiter has been in beta for years
public enum LocalContender {

	/**
	 * This library with the algorithm of the peers.
	 */
	TOKEN_BUCKET("**this library**, `token-bucket`", (quota) -> ours("token-bucket", quota)),

	/**
	 * This library with its default algorithm.
	 */
	SLIDING_LOG("this library, `sliding-log`",
			(quota) -> ours("sliding-log",
					quota.equals(Quota.PLENTY) ? new Quota(10_000, Duration.ofMillis(1)) : quota)),

	/**
	 * Guava, in an unbounded map.
	 */
	GUAVA("Guava `RateLimiter` in a `ConcurrentHashMap`", (quota) -> {
		double rate = quota.max() * 1e9 / quota.period().toNanos();
		return inMap((key) -> RateLimiter.create(rate), RateLimiter::tryAcquire);
	}),

	/**
	 * resilience4j, in its own unbounded registry.
	 */
	RESILIENCE4J("resilience4j, in its registry", (quota) -> {
		RateLimiterRegistry registry = RateLimiterRegistry.of(config(quota));
		return (key) -> registry.rateLimiter(key).acquirePermission();
	}),

	/**
	 * resilience4j, in an unbounded map, as Guava.
	 */
	RESILIENCE4J_IN_MAP("resilience4j, in a `ConcurrentHashMap`", (quota) -> {
		RateLimiterConfig config = config(quota);
		return inMap((key) -> io.github.resilience4j.ratelimiter.RateLimiter.of(key, config),
				io.github.resilience4j.ratelimiter.RateLimiter::acquirePermission);
	}),

	/**
	 * bucket4j, in a bounded cache.
	 */
	BUCKET4J("bucket4j on Caffeine", (quota) -> {
		Cache<String, Bucket> buckets = Caffeine.newBuilder()
			.maximumSize(100_000)
			.expireAfterAccess(Duration.ofMinutes(10))
			.build();
		return (key) -> buckets.get(key, (unknown) -> bucket(quota)).tryConsume(1);
	}),

	/**
	 * bucket4j, in an unbounded map, as Guava.
	 */
	BUCKET4J_IN_MAP("bucket4j in a `ConcurrentHashMap`",
			(quota) -> inMap((key) -> bucket(quota), (bucket) -> bucket.tryConsume(1))),

	/**
	 * Least work of a limiter per key: reading the time, finding the key and one
	 * compare-and-set.
	 */
	FLOOR("the clock, a look-up and a compare-and-set",
			(quota) -> inMap((key) -> new AtomicLong(), LocalContender::advance)),

	/**
	 * Cost of reading the time.
	 */
	CLOCK("`System.nanoTime()`", (quota) -> (key) -> System.nanoTime() != 0);

	private final String title;

	private final Function<Quota, Predicate<String>> open;

	LocalContender(String title, Function<Quota, Predicate<String>> open) {
		this.title = title;
		this.open = open;
	}

	private static Predicate<String> ours(String algorithm, Quota quota) {
		io.github.ratelimit.RateLimiter limiter = Application
			.local(Application.rule(algorithm, quota), Map.of("ratelimit.store", "local"))
			.limiter();
		return (key) -> limiter.tryAcquire(key).allowed();
	}

	private static RateLimiterConfig config(Quota quota) {
		return RateLimiterConfig.custom()
			.limitForPeriod(Math.toIntExact(quota.max()))
			.limitRefreshPeriod(quota.period())
			.timeoutDuration(Duration.ZERO)
			.build();
	}

	private static Bucket bucket(Quota quota) {
		return Bucket.builder().addLimit(Bucket4j.bandwidth(quota)).build();
	}

	private static boolean advance(AtomicLong time) {
		long now = System.nanoTime();
		for (;;) {
			long last = time.get();
			if (time.compareAndSet(last, Math.max(last + 1, now))) {
				return last < now;
			}
		}
	}

	/**
	 * Keep a limiter per key. The look-up goes first, because {@code computeIfAbsent}
	 * locks.
	 */
	private static <L> Predicate<String> inMap(Function<String, L> create, Predicate<L> decide) {
		ConcurrentMap<String, L> limiters = new ConcurrentHashMap<>();
		return (key) -> {
			L limiter = limiters.get(key);
			return decide.test((limiter != null) ? limiter : limiters.computeIfAbsent(key, create));
		};
	}

	/**
	 * Return the name in tables.
	 */
	public String title() {
		return this.title;
	}

	/**
	 * Create the limiter.
	 */
	public Predicate<String> open(Quota quota) {
		return this.open.apply(quota);
	}

	/**
	 * Return the versions of the contenders.
	 */
	public static String versions() {
		return Machine.versions(RateLimiter.class, RateLimiterRegistry.class, Bucket.class, Caffeine.class);
	}

}
