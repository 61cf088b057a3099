package io.github.ratelimit.store.redis;

import java.io.IOException;
import java.time.Duration;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.FaultyProxy;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.StoreException;

import static io.github.ratelimit.BusyMachine.awaitStore;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A call that Redis counted, but whose reply was lost with the connection, is not
 * repeated.
 */
@Tag("every-redis")
class LostReplyTests {

	private static final RateLimitRule RULE = RateLimitRule.named("rule")
		.limit(Limit.of(5, Duration.ofDays(1)).withAlgorithm(Algorithm.SLIDING_LOG))
		.build();

	private final String key = AlgorithmOnStore.freshKey();

	@Test
	void isNotCountedTwice() throws IOException {
		try (FaultyProxy proxy = new FaultyProxy(RedisUnderTest.process().port())) {
			RedisConnectionFactory connections = RunnerUnderTest.LETTUCE.connections(proxy.host(), proxy.port());
			RunnerUnderTest.withStore(connections, "lost", Duration.ofSeconds(5), (store) -> {
				awaitStore().untilAsserted(store::connect);
				acquire(store, 1);
				proxy.loseNextReply();
				assertThatExceptionOfType(StoreException.class).isThrownBy(() -> acquire(store, 1))
					.withMessageContaining("the connection broke before the reply came");
				awaitStore().untilAsserted(() -> assertThat(acquire(store, 0)).isEqualTo(3));
			});
		}
	}

	private long acquire(RedisRateLimitStore store, long cost) {
		return store.acquire(new Demand(RULE, this.key, cost)).get(0).outcomes().get(0).remaining();
	}

}
