package io.github.ratelimit.store.redis;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.autoconfigure.LimitedApplication;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Applications whose Redis is not a single server, although they are configured for one.
 */
class TopologyContextTests {

	private static final int KEYS = 40;

	private static final int CALLS = 40;

	static Stream<Arguments> topologies() {
		return Stream
			.of(TopologyUnderTest.CLUSTER_OF_ONE_NODE, TopologyUnderTest.ENDPOINT_BEFORE_A_CLUSTER,
					TopologyUnderTest.PROXY_THAT_HASHES_TAGS)
			.flatMap((topology) -> Stream.of("lettuce", "jedis").map((client) -> Arguments.of(topology, client)));
	}

	@ParameterizedTest
	@MethodSource("topologies")
	void concurrentCallsAreCountedThereExactlyAndNeverByTheFallback(TopologyUnderTest topology, String client)
			throws Exception {
		Map<Decision.Origin, Long> origins = new ConcurrentHashMap<>();
		Map<String, Long> admitted = new ConcurrentHashMap<>();
		ExecutorService threads = Executors.newFixedThreadPool(32);
		try (TopologyUnderTest.Endpoint redis = topology.start()) {
			LimitedApplication.runner(RedisAutoConfiguration.class)
				.withPropertyValues("spring.data.redis.client-type=" + client, "spring.data.redis.host=" + redis.host(),
						"spring.data.redis.port=" + redis.port(), "ratelimit.key-prefix=topology-" + UUID.randomUUID(),
						"ratelimit.redis.timeout=20s", "ratelimit.rules.reply.max=5", "ratelimit.rules.reply.period=1d")
				.withBean(Replies.class)
				.run((context) -> {
					assertThat(context).hasNotFailed();
					Replies replies = context.getBean(Replies.class);
					CompletableFuture
						.allOf(IntStream.range(0, KEYS * CALLS)
							.mapToObj((i) -> "key-" + i % KEYS)
							.map((key) -> CompletableFuture.runAsync(() -> call(replies, key, admitted, origins),
									threads))
							.toArray(CompletableFuture[]::new))
						.join();
					assertThat(context.getBean(RateLimiterRegistry.class).limiter("reply").peek("key-0").remaining())
						.isZero();
				});
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(admitted).hasSize(KEYS).allSatisfy((key, calls) -> assertThat(calls).isEqualTo(5));
		assertThat(List.of(Decision.Origin.REDIS, Decision.Origin.DENY_CACHE)).containsAll(origins.keySet());
	}

	private static void call(Replies replies, String key, Map<String, Long> admitted,
			Map<Decision.Origin, Long> origins) {
		try {
			replies.reply(key);
			admitted.merge(key, 1L, Long::sum);
		}
		catch (RateLimitExceededException ex) {
			origins.merge(ex.decision().origin(), 1L, Long::sum);
		}
	}

	/**
	 * Bean with a call of two rules.
	 */
	static class Replies {

		@RateLimited(name = "all", max = 1_000_000, period = 60, algorithm = Algorithm.TOKEN_BUCKET)
		@RateLimited(name = "reply", key = "#user", max = 5, period = 60)
		public void reply(String user) {
		}

	}

}
