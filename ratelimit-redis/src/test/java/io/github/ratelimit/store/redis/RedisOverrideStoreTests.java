package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

import io.github.ratelimit.engine.RecordedLog;
import io.github.ratelimit.override.KeyOverrideText;
import io.github.ratelimit.override.OverrideStore;
import io.github.ratelimit.override.RecordedChange;
import io.github.ratelimit.override.StoredOverrides;
import io.github.ratelimit.redis.process.RedisProcess;

import static io.github.ratelimit.BusyMachine.awaitStore;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Overrides of rules, kept in Redis.
 */
class RedisOverrideStoreTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	@ParameterizedTest
	@EnumSource
	void keepsOneTextPerRuleAndAnotherVersionWithEveryChange(RunnerUnderTest client) {
		try (RedisProcess redis = RedisProcess.start()) {
			onStore(client, redis, RedisOverrideStoreTests::assertKeeps);
			assertThat(redis.command("HGET", "ratelimit:{rules}", "reply")).isEqualTo("max=老");
			assertThat(redis.command("TTL", "ratelimit:{rules}")).isEqualTo(-1L);
		}
	}

	@ParameterizedTest
	@EnumSource
	void keepsThemOnACluster(RunnerUnderTest client) {
		ClusterUnderTest.cluster().masters().forEach((master) -> master.command("FLUSHALL"));
		RedisConnectionFactory connections = client.connections(ClusterUnderTest.cluster());
		try (RedisRateLimitStore store = new RedisRateLimitStore(connections, "overrides", PATIENCE);
				OverrideStore overrides = store.overrides(connections)) {
			awaitStore().untilAsserted(store::connect);
			assertKeeps(overrides);
			assertIsNotified(overrides);
		}
		finally {
			RunnerUnderTest.destroy(connections);
		}
	}

	@ParameterizedTest
	@EnumSource
	void latestHundredChangesAreRecordedWithTheirAuthorsForAllInstances(RunnerUnderTest client) {
		RedisConnectionFactory connections = client.connections(ClusterUnderTest.cluster());
		ClusterUnderTest.cluster().masters().forEach((master) -> master.command("FLUSHALL"));
		try (RedisRateLimitStore store = new RedisRateLimitStore(connections, "history", PATIENCE);
				RedisRateLimitStore other = new RedisRateLimitStore(connections, "history", PATIENCE);
				OverrideStore overrides = store.overrides(connections);
				OverrideStore there = other.overrides(connections)) {
			awaitStore().untilAsserted(store::connect);
			assertThat(overrides.latestChanges()).isEmpty();
			overrides.replace("reply", null, "max=5", "ann\nkey=x");
			overrides.replace("reply", "max=4", "max=6", "refused");
			overrides.replace("reply", "max=5", null, "bob");
			other.keyOverrides().replace("sms", "a\nto=9\n老", null, new KeyOverrideText("max=9", null, null), "老钱");
			List<RecordedChange> changes = there.latestChanges();
			assertThat(changes)
				.extracting((each) -> new RecordedChange(Instant.EPOCH, each.by(), each.rule(), each.key(), each.from(),
						each.to()))
				.containsExactly(new RecordedChange(Instant.EPOCH, "老钱", "sms", "a\nto=9\n老", "", "max=9"),
						new RecordedChange(Instant.EPOCH, "bob", "reply", null, "max=5", ""),
						new RecordedChange(Instant.EPOCH, "ann key=x", "reply", null, "", "max=5"));
			assertThat(changes).allMatch((each) -> Duration.between(each.at(), Instant.now()).abs().toMinutes() < 5);
			for (int i = 0; i < 120; i++) {
				overrides.replace("reply", (i > 0) ? "max=" + i : null, "max=" + (i + 1), "ann");
			}
			assertThat(there.latestChanges()).hasSize(RecordedChange.KEPT)
				.first()
				.extracting("to")
				.isEqualTo("max=120");
		}
		finally {
			RunnerUnderTest.destroy(connections);
		}
	}

	private static void assertKeeps(OverrideStore store) {
		assertThat(store.read("")).isNull();
		assertThat(store.replace("reply", null, "max=5", "ann")).isTrue();
		assertThat(store.replace("sms", null, "", "ann")).isTrue();
		StoredOverrides first = store.read("");
		assertThat(first.texts()).isEqualTo(Map.of("reply", "max=5"));
		assertThat(store.read(first.version())).isNull();
		assertThat(store.replace("reply", null, "max=6", "ann")).isFalse();
		assertThat(store.replace("reply", "max=7", null, "ann")).isFalse();
		assertThat(store.read(first.version())).isNull();
		assertThat(store.replace("reply", "max=5", "max=老", "ann")).isTrue();
		assertThat(store.replace("other", null, "mode=off", "ann")).isTrue();
		assertThat(store.read(first.version()).texts()).isEqualTo(Map.of("reply", "max=老", "other", "mode=off"));
		assertThat(store.replace("other", "mode=off", null, "ann")).isTrue();
		assertThat(store.read(first.version()).texts()).isEqualTo(Map.of("reply", "max=老"));
	}

	@ParameterizedTest
	@EnumSource
	void overridesLostByRedisAreNotKept(RunnerUnderTest client) {
		try (RedisProcess redis = RedisProcess.start()) {
			onStore(client, redis, (store) -> {
				store.replace("reply", null, "max=5", "ann");
				String version = store.read("").version();
				redis.command("FLUSHALL");
				assertThat(store.read(version)).isEqualTo(new StoredOverrides("", Map.of()));
			});
		}
	}

	@ParameterizedTest
	@EnumSource
	void overrideThatIsNotUtf8CanBeReplacedAndRemoved(RunnerUnderTest client) {
		try (RedisProcess redis = RedisProcess.start()) {
			onStore(client, redis, (store) -> {
				store.replace("other", null, "max=5", "ann");
				redis.command("EVAL", "redis.call('HSET', KEYS[1], 'reply', 'max=\\233', 'sms', 'max=\\195\\169')", "1",
						"ratelimit:{rules}");
				Map<String, String> texts = store.read("").texts();
				assertThat(texts).containsEntry("reply", "max=\u00e9").containsEntry("sms", "max=\u00e9");
				assertThat(store.replace("reply", "max=?", null, "ann")).isFalse();
				assertThat(store.replace("reply", texts.get("reply"), "max=6", "ann")).isTrue();
				assertThat(store.replace("sms", texts.get("sms"), null, "ann")).isTrue();
				assertThat(store.read("").texts()).isEqualTo(Map.of("other", "max=5", "reply", "max=6"));
			});
		}
	}

	@ParameterizedTest
	@EnumSource
	void foreignTextWithoutAVersionIsReadAndCanBeRemoved(RunnerUnderTest client) {
		try (RedisProcess redis = RedisProcess.start()) {
			onStore(client, redis, (store) -> {
				redis.command("HSET", "ratelimit:{rules}", "reply", "max=5");
				StoredOverrides written = store.read("");
				assertThat(written.texts()).isEqualTo(Map.of("reply", "max=5"));
				assertThat(store.read(written.version())).isNull();
				redis.command("HSET", "ratelimit:{rules}", "reply", "max=6");
				assertThat(store.read(written.version()).texts()).isEqualTo(Map.of("reply", "max=6"));
				assertThat(store.replace("reply", "max=6", null, "ann")).isTrue();
				assertThat(store.read(written.version()).texts()).isEmpty();
			});
		}
	}

	@ParameterizedTest
	@EnumSource
	void notifiesListenersAfterALostConnection(RunnerUnderTest client) {
		try (RedisProcess redis = RedisProcess.start()) {
			onStore(client, redis, (store) -> {
				assertIsNotified(store);
				redis.command("CLIENT", "KILL", "TYPE", "pubsub");
				assertIsNotified(store);
			});
		}
	}

	private static void assertIsNotified(OverrideStore store) {
		AtomicInteger notified = new AtomicInteger();
		store.listen(notified::incrementAndGet);
		AtomicInteger version = new AtomicInteger();
		await().atMost(PATIENCE).until(() -> {
			store.replace("changed", (version.get() == 0) ? null : "max=" + version.get(),
					"max=" + version.incrementAndGet(), "ann");
			return notified.get() > 0;
		});
		store.replace("changed", "max=" + version.get(), null, "ann");
	}

	@ParameterizedTest
	@EnumSource
	void userThatMayNeitherPublishNorListenIsWarnedOnceAndStoresChanges(RunnerUnderTest client) {
		try (RedisProcess redis = RedisProcess.start();
				RecordedLog publishing = new RecordedLog(RedisOverrideStore.class);
				RecordedLog listening = new RecordedLog(RedisAnnouncements.class)) {
			redis.command("ACL", "SETUSER", "default", "resetchannels");
			onStore(client, redis, (store) -> {
				assertThat(store.replace("reply", null, "max=5", "ann")).isTrue();
				assertThat(store.replace("reply", "max=5", "max=6", "ann")).isTrue();
				assertThat(store.read("").texts()).isEqualTo(Map.of("reply", "max=6"));
				store.listen(() -> {
				});
				await().atMost(PATIENCE)
					.until(() -> listening.lines().stream().anyMatch((line) -> line.startsWith("WARNING")));
			});
			assertThat(publishing.lines()).singleElement()
				.asString()
				.startsWith("WARNING Redis stores changes of rate limit rules, but does not publish them (")
				.contains("docs/redis.md");
			assertThat(listening.lines()).filteredOn((line) -> line.startsWith("WARNING"))
				.singleElement()
				.asString()
				.contains("it may not listen to the channel \"ratelimit:{rules}\"", "docs/redis.md");
		}
	}

	private static void onStore(RunnerUnderTest client, RedisProcess redis, Consumer<OverrideStore> test) {
		RedisConnectionFactory connections = client
			.connections(new RedisStandaloneConfiguration(redis.host(), redis.port()));
		try (RedisRateLimitStore store = new RedisRateLimitStore(connections, "ratelimit", PATIENCE);
				OverrideStore overrides = store.overrides(connections)) {
			awaitStore().untilAsserted(store::connect);
			test.accept(overrides);
		}
		finally {
			RunnerUnderTest.destroy(connections);
		}
	}

}
