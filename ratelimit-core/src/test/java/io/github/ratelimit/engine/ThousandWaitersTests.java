package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.store.local.LocalFallbackStore;
import io.github.ratelimit.store.local.LocalStores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A thousand threads that wait for their turns and are interrupted at once.
 */
class ThousandWaitersTests {

	private static final int WAITERS = 1_000;

	/**
	 * So long that no turn comes while the threads start.
	 */
	private static final Duration HOUR = Duration.ofHours(1);

	private static final Duration LONGER_THAN_THE_QUEUE = HOUR.multipliedBy(2 * WAITERS);

	private static final RateLimitRule RULE = RateLimitRule.named("queue")
		.limit(Limit.of(1, HOUR).withAlgorithm(Algorithm.LEAKY_BUCKET))
		.maxWait(LONGER_THAN_THE_QUEUE)
		.build();

	private final AtomicLong micros = new AtomicLong(1_700_000_000_000_000L);

	@Test
	void allGiveUpAndTheQueueIsNoLongerThanBefore() throws InterruptedException {
		try (RateLimitEngine engine = new RateLimitEngine(LocalStores.store(this.micros::get),
				() -> OnStoreFailure.DENY, new LocalFallbackStore(1, 1))) {
			RateLimiter limiter = new RuleRegistry(engine, Algorithm.SLIDING_LOG, List.of()).register(RULE);
			assertThat(limiter.tryAcquire("key").delay()).isZero();
			Queue<Throwable> givenUp = new ConcurrentLinkedQueue<>();
			List<Thread> waiters = IntStream.range(0, WAITERS)
				.mapToObj((i) -> new Thread(() -> waitForTurn(limiter, givenUp)))
				.toList();
			waiters.forEach(Thread::start);
			await().until(() -> waiters.stream().allMatch((thread) -> thread.getState() == Thread.State.TIMED_WAITING));
			waiters.forEach(Thread::interrupt);
			for (Thread waiter : waiters) {
				waiter.join();
			}
			assertThat(givenUp).hasSize(WAITERS).hasOnlyElementsOfType(InterruptedException.class);
			Decision next = limiter.tryAcquire("key");
			assertThat(next.delay()).isBetween(HOUR, HOUR.multipliedBy(WAITERS));
			this.micros.addAndGet(next.delay().plus(HOUR).toNanos() / 1000);
			assertThat(limiter.tryAcquire("key").delay()).isZero();
		}
	}

	private static void waitForTurn(RateLimiter limiter, Queue<Throwable> givenUp) {
		try {
			limiter.acquire("key", 1, LONGER_THAN_THE_QUEUE);
		}
		catch (InterruptedException ex) {
			givenUp.add(ex);
		}
	}

}
