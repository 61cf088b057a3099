package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.redis.process.RedisSentinel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A store that is paused with its application, and listens to sentinels otherwise.
 */
class PausedSentinelsTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	@ParameterizedTest
	@EnumSource
	void pausedStoreHasNoThreadsAndNoConnectionsToSentinels(RunnerUnderTest client) {
		Set<Thread> ofOthers = threads();
		try (RedisSentinel redis = RedisSentinel.start()) {
			RunnerUnderTest.withStore(client.connections(redis), "paused", PATIENCE, (store) -> {
				store.connect();
				awaitSubscriptions(redis, 1);
				assertThat(threads()).anyMatch((thread) -> !ofOthers.contains(thread));
				store.pause();
				awaitSubscriptions(redis, 0);
				await().atMost(PATIENCE).untilAsserted(() -> assertThat(threads()).isSubsetOf(ofOthers));
				store.resume();
				store.connect();
				awaitSubscriptions(redis, 1);
			});
		}
	}

	private static void awaitSubscriptions(RedisSentinel redis, int each) {
		await().atMost(PATIENCE)
			.untilAsserted(() -> assertThat(redis.sentinels()).extracting(PausedSentinelsTests::subscriptions)
				.isEqualTo(List.of(each, each, each)));
	}

	/** Return how many clients of a sentinel listen to all events of a failover. */
	private static int subscriptions(RedisProcess sentinel) {
		return (int) String.valueOf(sentinel.command("CLIENT", "LIST"))
			.lines()
			.filter((client) -> client.contains(" sub=3 "))
			.count();
	}

	private static Set<Thread> threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals(RedisAnnouncements.NAME)
					|| thread.getName().startsWith("ratelimit-redis-"))
			.collect(Collectors.toSet());
	}

}
