package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.BusyMachine;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleVariants;
import io.github.ratelimit.store.StoredKey;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Prefetching for a key whose calls come under several plans. An instance holds units for
 * one of them at a time, and decides the other calls one by one.
 */
class PrefetchUnderPlansTests {

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private static final Duration HOUR = Duration.ofHours(1);

	private final LettuceConnectionFactory connection = RedisUnderTest.connectionsTo(RedisUnderTest.process());

	private final RedisRateLimitStore store = new RedisRateLimitStore(this.connection, "test", PATIENCE);

	private final String key = AlgorithmOnStore.freshKey();

	@AfterEach
	void stop() {
		this.store.close();
		this.connection.destroy();
	}

	@Test
	void exactlyTheLargestPlanIsAdmitted() throws InterruptedException {
		RuleCounts own = rule(500, 300);
		RuleCounts small = RuleVariants.of(own).under("small");
		AtomicInteger admitted = new AtomicInteger();
		Queue<Integer> beforeSmall = new ConcurrentLinkedQueue<>();
		run(4, BusyMachine.PATIENCE, (i) -> {
			RuleCounts plan = (i % 2 == 0) ? own : small;
			int before = admitted.get();
			if (acquire(plan)) {
				admitted.incrementAndGet();
				if (plan == small) {
					beforeSmall.add(before);
				}
			}
		}, () -> admitted.get() >= 500);
		assertThat(admitted).hasValue(500);
		assertThat(acquire(own)).isFalse();
		assertThat(acquire(small)).isFalse();
		assertThat(beforeSmall).isNotEmpty().allSatisfy((before) -> assertThat(before).isLessThan(300));
	}

	private boolean acquire(RuleCounts plan) {
		return this.store.acquire(new Demand(plan, StoredKey.of(this.key), 1, 0)).isAdmitted();
	}

	private static RuleCounts rule(long own, long small) {
		return RuleCounts.of(RateLimitRule.named("rule")
			.limit(Limit.of(own, HOUR))
			.algorithm(Algorithm.SLIDING_WINDOW)
			.plan("small", Limit.of(small, HOUR))
			.prefetch(Duration.ofMillis(20))
			.build());
	}

	private static void run(int threads, Duration longest, IntConsumer call, BooleanSupplier enough)
			throws InterruptedException {
		long end = System.nanoTime() + longest.toNanos();
		List<Thread> all = Stream.generate(() -> new Thread(() -> {
			for (int i = 0; System.nanoTime() < end && !enough.getAsBoolean(); i++) {
				call.accept(i);
			}
		})).limit(threads).toList();
		all.forEach(Thread::start);
		for (Thread thread : all) {
			thread.join();
		}
	}

}
