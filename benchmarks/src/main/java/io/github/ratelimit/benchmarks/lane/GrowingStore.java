package io.github.ratelimit.benchmarks.lane;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.benchmarks.measure.RedisCpu;
import io.github.ratelimit.benchmarks.measure.Threads;
import io.github.ratelimit.benchmarks.peer.Application;
import io.github.ratelimit.redis.process.RedisProcess;
import org.jspecify.annotations.Nullable;

/**
 * Store whose cost per decision is measured: the caller's time in nanoseconds for the
 * local store, processor time in microseconds for Redis.
 *
 * @param redis {@code null} for the local store
 * @param calls the number of calls per measurement
 */
record GrowingStore(@Nullable RedisProcess redis, int calls) {

	/**
	 * Number of concurrent callers. Redis is never idle, and without batching each call
	 * is a command of its own.
	 */
	private static final int CALLERS = 16;

	String unit() {
		return (this.redis != null) ? "Redis, µs" : "local, ns";
	}

	Application open(Map<String, Object> rule) {
		Map<String, Object> properties = new HashMap<>();
		properties.put("ratelimit.local.max-keys", 2_000_000);
		properties.put("ratelimit.redis.timeout", "5s");
		properties.put("ratelimit.store", (this.redis != null) ? "redis" : "local");
		return (this.redis != null) ? Application.redis(this.redis, rule, properties)
				: Application.local(rule, properties);
	}

	/**
	 * Delete all counts.
	 */
	void clear() {
		if (this.redis != null) {
			this.redis.command("FLUSHALL");
		}
	}

	/**
	 * Return the cost of a decision.
	 * @param keys the keys, used in turn
	 */
	double cost(RateLimiter limiter, String[] keys) {
		long micros = (this.redis != null) ? RedisCpu.micros(this.redis) : 0;
		long start = System.nanoTime();
		run(this.calls, (call) -> limiter.tryAcquire(keys[call % keys.length]));
		return ((this.redis != null) ? RedisCpu.micros(this.redis) - micros : System.nanoTime() - start)
				/ (double) this.calls;
	}

	/**
	 * Make calls, sequentially for the local store.
	 */
	void run(int count, IntConsumer call) {
		if (this.redis == null) {
			IntStream.range(0, count).forEach(call);
			return;
		}
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < CALLERS; i++) {
			int first = i;
			threads.add(new Thread(() -> {
				for (int number = first; number < count; number += CALLERS) {
					call.accept(number);
				}
			}));
			threads.get(i).start();
		}
		Threads.join(threads);
	}

}
