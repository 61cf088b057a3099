package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/**
 * Store that is closed while Redis is silent: it waits for a short time only.
 */
@Tag("every-redis")
class SilentClosingTests {

	private static final Duration PATIENCE = Duration.ofMillis(250);

	private final String key = AlgorithmOnStore.freshKey();

	private final Gate redis = new Gate(new RedisStoreUnderTest.LongLived());

	private boolean isSilent;

	private int unanswered;

	private final RedisRateLimitStore store = new RedisRateLimitStore(new RedisSetup((call) -> {
		if (this.isSilent) {
			this.unanswered++;
			return call.reply();
		}
		return this.redis.run(call);
	}, "silent", PATIENCE, RedisSharding.NONE, () -> 0));

	@Test
	void storeThatHoldsUnitsIsClosed() {
		Demand demand = new Demand(RateLimitRule.named("units")
			.limit(Limit.of(1_000, Duration.ofHours(1)).withAlgorithm(Algorithm.SLIDING_LOG))
			.prefetch(Duration.ofSeconds(1))
			.build(), this.key, 1);
		this.redis.shut();
		CompletableFuture<?> first = this.store.acquireAsync(demand).toCompletableFuture();
		CompletableFuture<?> second = this.store.acquireAsync(demand).toCompletableFuture();
		this.redis.open();
		CompletableFuture.allOf(first, second).join();
		closes();
	}

	@Test
	void storeThatHoldsSlotsIsClosed() {
		Demand demand = new Demand(RateLimitRule.named("slots").limit(Limit.ofConcurrency(1)).build(), this.key, 1);
		assertThat(this.store.acquire(demand).isAdmitted()).isTrue();
		closes();
	}

	private void closes() {
		this.isSilent = true;
		assertTimeoutPreemptively(Duration.ofSeconds(5), this.store::close);
		assertThat(this.unanswered).isEqualTo(1);
	}

}
