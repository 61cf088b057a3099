package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Units left of a portion that ends while Redis is silent.
 */
@Tag("every-redis")
class LateReturnTests {

	private static final long MAX = 1_000;

	private static final Duration PREFETCH = Duration.ofMillis(20);

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private final RuleCounts rule = RuleCounts.of(RateLimitRule.named("rule")
		.limit(Limit.of(MAX, Duration.ofHours(1)).withAlgorithm(Algorithm.SLIDING_LOG))
		.prefetch(PREFETCH)
		.build());

	private final Demand demand = new Demand(this.rule, StoredKey.of(AlgorithmOnStore.freshKey()), 1, 0);

	private final Gate redis = new Gate(new RedisStoreUnderTest.LongLived());

	private final List<CompletableFuture<byte[]>> unanswered = new ArrayList<>();

	private final Queue<Runnable> tasks = new ArrayDeque<>();

	private boolean isSilent;

	private long now = AlgorithmOnStore.NOW;

	private final RedisRateLimitStore store = new RedisRateLimitStore(new RedisSetup((call) -> {
		if (this.isSilent) {
			this.unanswered.add(new CompletableFuture<>());
			return this.unanswered.get(this.unanswered.size() - 1);
		}
		return this.redis.run(call);
	}, "late", PATIENCE, RedisSharding.NONE, () -> this.now, CallerClock.of(() -> this.now), () -> this.now * 1_000,
			(task, nanoseconds) -> this.tasks.add(task)));

	@Test
	void comeBackWhenRedisAnswersAgain() {
		holdOneUnit();
		this.isSilent = true;
		for (int i = 0; i < SentCalls.UNDER_WAY; i++) {
			acquireAsync(0);
		}
		this.now += 2 * PREFETCH.toNanos() / 1_000;
		runTasks();
		assertThat(this.unanswered).as("the return waits").hasSize(SentCalls.UNDER_WAY);
		this.unanswered.get(0).completeExceptionally(new TimeoutException());
		this.isSilent = false;
		runTasks();
		assertThat(remaining()).isEqualTo(MAX - 2);
	}

	/** Let a call fetch a unit for others, since another one is under way. */
	private void holdOneUnit() {
		this.redis.shut();
		CompletableFuture<?> first = acquireAsync(1);
		CompletableFuture<?> second = acquireAsync(1);
		this.redis.open();
		CompletableFuture.allOf(first, second).join();
		assertThat(remaining()).isEqualTo(MAX - 3);
	}

	private CompletableFuture<?> acquireAsync(long cost) {
		return this.store.acquireAsync(this.demand.withCost(cost)).toCompletableFuture();
	}

	private long remaining() {
		return this.store.peek(this.demand).outcome(0).remaining();
	}

	private void runTasks() {
		for (Runnable task = this.tasks.poll(); task != null; task = this.tasks.poll()) {
			task.run();
		}
	}

}
