package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.ratelimit.engine.RecordedLog;
import io.github.ratelimit.override.OverrideChanges;
import io.github.ratelimit.override.OverrideStore.Result;
import io.github.ratelimit.override.OverrideText;
import io.github.ratelimit.override.OverrideStore;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.store.StoreException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Overrides of keys, kept in Redis.
 */
class RedisKeyOverridesTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private static final OverrideText MAX = new OverrideText("max=9");

	@ParameterizedTest
	@EnumSource
	void keepsOneTextPerKeyAndReturnsChangedKeys(RunnerUnderTest client) {
		onOwnStore(client.connections(RedisUnderTest.process()), RedisKeyOverridesTests::assertKeeps);
	}

	@ParameterizedTest
	@EnumSource
	void keepsThemOnACluster(RunnerUnderTest client) {
		onOwnStore(client.connections(ClusterUnderTest.cluster()), RedisKeyOverridesTests::assertKeeps);
	}

	static void assertKeeps(OverrideStore store) {
		OverrideChanges first = store.changes("");
		assertThat(first.keys()).as("Redis may have lost the list of changes").isNull();
		assertThat(store.changes(first.keysVersion()).keys()).isEmpty();
		assertThat(store.replace("search", "老:k b", null, MAX, "ann")).isEqualTo(Result.DONE);
		assertThat(store.replace("search", "", "", MAX, "ann")).isEqualTo(Result.DONE);
		assertThat(store.replace("search", "", "max=8", MAX, "ann")).isEqualTo(Result.CONFLICT);
		assertThat(store.replace("sms", "a", null, MAX, "ann")).isEqualTo(Result.DONE);
		assertThat(store.replace("sms", "b", null, null, "ann")).isEqualTo(Result.ABSENT);
		OverrideChanges all = store.changes("");
		assertThat(all.keys()).isNull();
		assertThat(store.read("search")).isEqualTo(Map.of("老:k b", "max=9", "", "max=9"));
		assertThat(store.changes(all.keysVersion()).keys()).isEmpty();
		assertThat(store.replace("search", "", "max=9", null, "ann")).isEqualTo(Result.DONE);
		assertThat(store.replace("search", "老:k b", null, new OverrideText("blocked"), "ann")).isEqualTo(Result.DONE);
		OverrideChanges changed = store.changes(all.keysVersion());
		assertThat(changed.keys()).isEqualTo(Map.of("search", Set.of("", "老:k b")));
		assertThat(store.read("search", Set.of("", "老:k b"))).isEqualTo(Map.of("老:k b", "blocked"));
		assertThat(store.changes(changed.keysVersion()).keys()).isEmpty();
		assertThat(store.changes("lost by a failover").keys()).isNull();
		assertThat(store.isShared()).isTrue();
	}

	@Test
	void endIsMeasuredByTheClockOfRedis() {
		AtomicLong clock = new AtomicLong(1_795_248_000_123_456L);
		onStore(RedisUnderTest.connections(), clock, (store) -> {
			assertThat(store.changes("").time()).isEqualTo(clock.get());
			store.replace("search", "acme", null, new OverrideText("max=9", Duration.ofDays(366), null), "ann");
			store.replace("search", "other", null, new OverrideText("max=9"), "ann");
			assertThat(store.read("search")).containsEntry("acme",
					"until=" + (1_795_248_000_123L + Duration.ofDays(366).toMillis()) + " max=9");
			clock.addAndGet(Duration.ofDays(366).toMillis() * 1000 - 1_000);
			store.removeEnded("search", Set.of("acme", "other", "none"));
			assertThat(store.read("search")).containsOnlyKeys("acme", "other");
			clock.addAndGet(1_000);
			store.removeEnded("search", Set.of("acme", "other", "none"));
			assertThat(store.read("search")).containsOnlyKeys("other");
		});
	}

	@Test
	void overrideThatHasEndedIsNeitherRemovedByAnybodyNorPartOfAChange() {
		AtomicLong clock = new AtomicLong(1_795_248_000_123_456L);
		onStore(RedisUnderTest.connections(), clock, (store) -> {
			OverrideText lasting = new OverrideText("blocked", Duration.ofSeconds(9), null);
			store.replace("search", "acme", null, lasting, "ann");
			clock.addAndGet(Duration.ofSeconds(9).toMillis() * 1000);
			String over = store.read("search").get("acme");
			assertThat(store.replace("search", "acme", over, lasting, "ann")).isEqualTo(Result.DONE);
			assertThat(store.latestChanges()).extracting("from").startsWith("", "");
			clock.addAndGet(Duration.ofSeconds(9).toMillis() * 1000 - 1_000);
			assertThat(store.replace("search", "acme", null, lasting, "ann")).isEqualTo(Result.DONE);
			int changes = store.latestChanges().size();
			assertThat(store.latestChanges().get(0).from()).endsWith(" blocked");
			clock.addAndGet(Duration.ofSeconds(9).toMillis() * 1000);
			assertThat(store.replace("search", "acme", null, null, "ann")).isEqualTo(Result.ABSENT);
			assertThat(store.latestChanges()).hasSize(changes);
			assertThat(store.read("search")).isEmpty();
		});
	}

	@Test
	void realClockIsThatOfTheServer() {
		onStore(RedisUnderTest.connections(), (store) -> {
			long before = serverMicros();
			long time = store.changes("").time();
			assertThat(time).isBetween(before, serverMicros());
			store.replace("search", "acme", null, new OverrideText("max=9", Duration.ofSeconds(9), null), "ann");
			assertThat(OverrideText.end(store.read("search").get("acme"))).isBetween(before / 1000 + 9_000,
					serverMicros() / 1000 + 9_000);
		});
	}

	@Test
	void overrideThatEndsByTheClockOfTheServerIsRemoved() {
		onStore(RedisUnderTest.connections(), (store) -> {
			store.replace("search", "acme", null, new OverrideText("max=9", Duration.ofMillis(20), null), "ann");
			store.replace("search", "other", null, new OverrideText("max=9", Duration.ofHours(1), null), "ann");
			long end = OverrideText.end(store.read("search").get("acme"));
			await().atMost(PATIENCE).until(() -> serverMicros() / 1000 > end);
			store.removeEnded("search", Set.of("acme", "other"));
			assertThat(store.read("search")).containsOnlyKeys("other");
		});
	}

	private static long serverMicros() {
		List<?> time = (List<?>) RedisUnderTest.process().command("TIME");
		return Long.parseLong(String.valueOf(time.get(0))) * 1_000_000 + Long.parseLong(String.valueOf(time.get(1)));
	}

	@Test
	void tenThousandOverridesAreReadInPagesAndNoMoreAreKept() {
		onStore(RedisUnderTest.connections(), (store) -> {
			for (int i = 0; i < OverrideStore.MOST_PER_RULE; i++) {
				assertThat(store.replace("search", "key " + i, null, MAX, "ann")).isEqualTo(Result.DONE);
			}
			assertThat(store.replace("search", "another", null, MAX, "ann")).isEqualTo(Result.FULL);
			assertThat(store.replace("search", "key 1", null, MAX, "ann")).isEqualTo(Result.DONE);
			assertThat(store.replace("sms", "another", null, MAX, "ann")).isEqualTo(Result.DONE);
			assertThat(store.read("search")).hasSize(OverrideStore.MOST_PER_RULE);
			List<String> keys = new ArrayList<>(store.read("search").keySet());
			assertThat(store.read("search", keys)).hasSize(OverrideStore.MOST_PER_RULE);
			OverrideChanges changes = store.changes("");
			assertThat(changes.keys()).isNull();
			for (int i = 0; i < 999; i++) {
				store.replace("search", "key " + i, null, null, "ann");
			}
			assertThat(store.changes(changes.keysVersion()).keys()).containsOnlyKeys("search")
				.extractingByKey("search")
				.asInstanceOf(InstanceOfAssertFactories.collection(String.class))
				.hasSize(999);
			store.replace("search", "key 1", null, MAX, "ann");
			assertThat(store.changes(changes.keysVersion()).keys()).isNull();
		});
	}

	@Test
	void whatRedisForgetsIsNotKeptAnyMore() {
		try (RedisProcess redis = RedisProcess.start()) {
			onOwnStore(RedisUnderTest.connectionsTo(redis), (store) -> {
				store.replace("search", "acme", null, MAX, "ann");
				OverrideChanges known = store.changes("");
				redis.command("FLUSHALL");
				OverrideChanges changes = store.changes(known.keysVersion());
				assertThat(changes.keys()).isNull();
				assertThat(store.changes(changes.keysVersion()).keys()).isEmpty();
			});
		}
	}

	@ParameterizedTest
	@EnumSource
	void changesAreAnnounced(RunnerUnderTest client) {
		RedisConnectionFactory connections = client.connections(RedisUnderTest.process());
		String prefix = UUID.randomUUID().toString();
		try (RedisRateLimitStore store = new RedisRateLimitStore(connections, prefix, PATIENCE);
				OverrideStore overrides = store.overrides(connections)) {
			await().atMost(PATIENCE).ignoreExceptionsInstanceOf(StoreException.class).untilAsserted(store::connect);
			AtomicInteger notified = new AtomicInteger();
			overrides.listen(notified::incrementAndGet);
			await().atMost(PATIENCE).until(() -> {
				overrides.replace("search", "acme", null, MAX, "ann");
				return notified.get() > 0;
			});
		}
		finally {
			RunnerUnderTest.destroy(connections);
		}
	}

	@Test
	void userThatMayNotPublishIsWarnedOnceAndStoresOverrides() {
		try (RedisProcess redis = RedisProcess.start(); RecordedLog log = new RecordedLog(RedisOverrideStore.class)) {
			redis.command("ACL", "SETUSER", "default", "resetchannels");
			onOwnStore(RedisUnderTest.connectionsTo(redis), (store) -> {
				assertThat(store.replace("search", "acme", null, MAX, "ann")).isEqualTo(Result.DONE);
				assertThat(store.replace("search", "other", null, MAX, "ann")).isEqualTo(Result.DONE);
				assertThat(store.read("search")).hasSize(2);
			});
			assertThat(log.lines()).singleElement()
				.asString()
				.startsWith("WARNING Redis stores changes at run time, but does not publish them (")
				.contains("docs/redis.md");
		}
	}

	/**
	 * Run a test on a store whose connections are closed afterwards.
	 */
	private static void onOwnStore(RedisConnectionFactory connections, Consumer<OverrideStore> test) {
		try {
			onStore(connections, test);
		}
		finally {
			RunnerUnderTest.destroy(connections);
		}
	}

	private static void onStore(RedisConnectionFactory connections, Consumer<OverrideStore> test) {
		onStore(connections, new AtomicLong(), test);
	}

	private static void onStore(RedisConnectionFactory connections, AtomicLong clock, Consumer<OverrideStore> test) {
		try (RedisRateLimitStore store = RedisUnderTest.store(connections, UUID.randomUUID().toString(), PATIENCE,
				clock::get)) {
			await().atMost(PATIENCE).ignoreExceptionsInstanceOf(StoreException.class).untilAsserted(store::connect);
			test.accept(store.overrides(connections));
		}
	}

}
