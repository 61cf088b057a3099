package io.github.ratelimit.benchmarks.lane;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.benchmarks.measure.Heap;
import io.github.ratelimit.benchmarks.measure.Machine;
import io.github.ratelimit.benchmarks.measure.Report;
import io.github.ratelimit.benchmarks.measure.Table;
import io.github.ratelimit.benchmarks.measure.Threads;
import io.github.ratelimit.benchmarks.peer.Application;
import io.github.ratelimit.redis.process.RedisProcess;

/**
 * Memory and the slowest answers where an application has very much of something: keys,
 * rules, overrides, long keys, calls that wait.
 */
public final class Bounds {

	private static final int CALLS = 20_000;

	private static final int MAX_PENDING = 10_000;

	private static final Map<String, Object> PROPERTIES = Map.of("ratelimit.local.max-keys", 2_000_000,
			"ratelimit.redis.timeout", "30s", "ratelimit.redis.max-pending", MAX_PENDING);

	private static final Map<String, Object> RULE = Map.of("algorithm", "token-bucket", "max", 1_000, "period", "1d");

	private static final int WAITERS = 1_000;

	private static final Duration DAY = Duration.ofDays(1);

	private final Table table = new Table(List.of("what", "memory", "median answer, µs", "99.9 %, µs", "longest, µs"));

	private Bounds() {
	}

	/**
	 * Run the benchmark.
	 * @param arguments none
	 */
	public static void main(String[] arguments) throws InterruptedException {
		new Bounds().run();
		System.exit(0);
	}

	private void run() throws InterruptedException {
		try (RedisProcess redis = RedisProcess.start();
				Application local = Application.local(RULE, PROPERTIES);
				Application remote = Application.redis(redis, RULE, PROPERTIES)) {
			for (int i = 0; i < 5; i++) {
				times(CALLS, (call) -> local.limiter().tryAcquire("key-" + call));
				times(CALLS, (call) -> remote.limiter().tryAcquire("key-" + call));
			}
			thousandRules(local);
			hundredRules(local, "a call of 100 rules, local");
			hundredRules(remote, "a call of 100 rules, Redis");
			manyKeys(local, "long", "keys of 64 KiB, local", longKeys(), 2_000);
			manyKeys(remote, "long", "keys of 64 KiB, Redis", longKeys(), 2_000);
			manyKeys(local, "colliding", "10,000 keys of one hash code, local", collidingKeys(), CALLS);
			manyKeys(remote, "colliding", "10,000 keys of one hash code, Redis", collidingKeys(), CALLS);
			overrides(remote);
			fullQueue(remote, redis);
			interruptedWaiters(local, "1,000 waiting threads interrupted at once, local");
			interruptedWaiters(remote, "1,000 waiting threads interrupted at once, Redis");
			manyKeys(local, "million", "1,000,000 keys, local", keys(1_000_000), CALLS);
			millionKeys(remote, redis);
		}
		new Report("Bounds").table(this.table).paragraph("Measured on %s.", Machine.description()).print();
	}

	private void manyKeys(Application application, String rule, String name, String[] keys, int calls) {
		RateLimiter limiter = application.limiter(rule(rule));
		Heap heap = Heap.now();
		times(keys.length, (call) -> limiter.tryAcquire(keys[call]));
		String memory = heap.perUnit(keys.length, "key");
		row(name, memory, times(calls, (call) -> limiter.tryAcquire(keys[call * 31 % keys.length])));
	}

	private static String[] longKeys() {
		return keys(100, (i) -> i + "x".repeat(65_536));
	}

	private void millionKeys(Application remote, RedisProcess redis) {
		RateLimiter limiter = remote.limiter(rule("million"));
		String[] keys = keys(1_000_000);
		long before = usedMemory(redis);
		for (int i = 0; i < keys.length; i += 1_000) {
			int first = i;
			List<CompletionStage<Decision>> decisions = IntStream.range(first, first + 1_000)
				.mapToObj((call) -> limiter.tryAcquireAsync(keys[call]))
				.toList();
			decisions.forEach((decision) -> decision.toCompletableFuture().join());
		}
		String memory = "%d bytes of Redis per key".formatted((usedMemory(redis) - before) / keys.length);
		row("1,000,000 keys, Redis", memory, times(CALLS, (call) -> limiter.tryAcquire(keys[call * 31 % keys.length])));
	}

	private void thousandRules(Application local) {
		Heap heap = Heap.now();
		List<RateLimiter> limiters = IntStream.range(0, 1_000)
			.mapToObj((i) -> local.limiter(rule("rule-" + i)))
			.toList();
		String memory = heap.perUnit(limiters.size(), "rule");
		row("1,000 rules, local", memory, times(CALLS, (call) -> limiters.get(call * 31 % 1_000).tryAcquire("key")));
	}

	private void hundredRules(Application application, String name) {
		IntConsumer call = application.call(IntStream.range(0, 100).mapToObj((i) -> rule("joint-" + i)).toList());
		times(2_000, call);
		row(name, "", times(500, call));
	}

	private void overrides(Application remote) {
		RateLimiter limiter = remote.limiter(rule("overridden"));
		String[] keys = keys(10_000);
		Heap heap = Heap.now();
		Arrays.stream(keys).forEach((key) -> limiter.override(key, KeyOverride.max(900)));
		String memory = heap.perUnit(keys.length, "override");
		row("10,000 overrides of keys, Redis", memory,
				times(CALLS, (call) -> limiter.tryAcquire(keys[call * 31 % keys.length])));
	}

	/**
	 * Keys as an attacker chooses them for slow maps: "Aa" and "BB" have the same hash
	 * code, and so have all their concatenations of equal length.
	 */
	private static String[] collidingKeys() {
		return keys(10_000, (i) -> Integer.toBinaryString(1 << 14 | i).replace("0", "Aa").replace("1", "BB"));
	}

	/**
	 * Calls beyond {@code ratelimit.redis.max-pending} while Redis hangs.
	 */
	private void fullQueue(Application remote, RedisProcess redis) {
		RateLimiter limiter = remote.limiter(rule("full"));
		String[] keys = keys(MAX_PENDING);
		Heap heap = Heap.now();
		redis.freeze();
		List<CompletionStage<Decision>> pending = Arrays.stream(keys).map(limiter::tryAcquireAsync).toList();
		String memory = heap.perUnit(keys.length, "call");
		row("calls beyond 10,000 pending ones", memory, times(CALLS, (call) -> limiter.tryAcquire("beyond-" + call)));
		redis.resume();
		pending.forEach((decision) -> decision.toCompletableFuture().join());
	}

	/**
	 * The time from the interruption until a thread has refunded its turn.
	 */
	private void interruptedWaiters(Application application, String name) throws InterruptedException {
		RateLimiter limiter = application.limiter(RateLimitRule.named("queue")
			.limit(Limit.of(1, Duration.ofSeconds(1)).withAlgorithm(Algorithm.LEAKY_BUCKET))
			.maxWait(DAY)
			.build());
		long[] ended = new long[WAITERS];
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < WAITERS; i++) {
			int number = i;
			threads.add(new Thread(() -> {
				try {
					limiter.acquire("key", 1, DAY);
				}
				catch (InterruptedException ex) {
					ended[number] = System.nanoTime();
				}
			}));
		}
		threads.forEach(Thread::start);
		Thread.sleep(2_000);
		long interrupted = System.nanoTime();
		threads.forEach(Thread::interrupt);
		Threads.join(threads);
		row(name, "",
				Arrays.stream(ended).filter((time) -> time != 0).map((time) -> time - interrupted).sorted().toArray());
	}

	private void row(String name, String memory, long[] nanos) {
		this.table.row(name, List.of(memory, micros(nanos, 0.5), micros(nanos, 0.999), micros(nanos, 1)));
	}

	private static String micros(long[] sorted, double part) {
		return Table.number(sorted[(int) Math.min(sorted.length - 1, sorted.length * part)] / 1e3);
	}

	/**
	 * Return the times of calls one after the other, sorted.
	 */
	private static long[] times(int count, IntConsumer call) {
		long[] nanos = new long[count];
		for (int i = 0; i < count; i++) {
			long begun = System.nanoTime();
			call.accept(i);
			nanos[i] = System.nanoTime() - begun;
		}
		Arrays.sort(nanos);
		return nanos;
	}

	private static RateLimitRule rule(String name) {
		return RateLimitRule.named(name).limit(Limit.of(1_000, DAY).withAlgorithm(Algorithm.TOKEN_BUCKET)).build();
	}

	private static String[] keys(int count) {
		return keys(count, (i) -> "key-" + i);
	}

	private static String[] keys(int count, IntFunction<String> name) {
		return IntStream.range(0, count).mapToObj(name).toArray(String[]::new);
	}

	private static long usedMemory(RedisProcess redis) {
		String line = String.valueOf(redis.command("INFO", "memory"))
			.lines()
			.filter((each) -> each.startsWith("used_memory:"))
			.findFirst()
			.orElseThrow();
		return Long.parseLong(line.substring(line.indexOf(':') + 1).strip());
	}

}
