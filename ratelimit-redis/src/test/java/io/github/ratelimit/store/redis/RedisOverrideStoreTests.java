package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.ratelimit.engine.RecordedLog;
import io.github.ratelimit.override.OverrideChanges;
import io.github.ratelimit.override.OverrideStore;
import io.github.ratelimit.override.OverrideStore.Result;
import io.github.ratelimit.override.OverrideText;
import io.github.ratelimit.override.RecordedChange;
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
			onStore(client.connections(redis), RedisOverrideStoreTests::assertKeeps);
			assertThat(redis.command("HGET", "ratelimit:{rules}", "reply")).isEqualTo("max=老");
			assertThat(redis.command("TTL", "ratelimit:{rules}")).isEqualTo(-1L);
		}
	}

	@ParameterizedTest
	@EnumSource
	void keepsThemOnACluster(RunnerUnderTest client) {
		ClusterUnderTest.cluster().masters().forEach((master) -> master.command("FLUSHALL"));
		onStore(client.connections(ClusterUnderTest.cluster()), (overrides) -> {
			assertKeeps(overrides);
			assertIsNotified(overrides);
		});
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
			replace(overrides, "reply", "", "max=5", "ann\nkey=x");
			replace(overrides, "reply", "max=4", "max=6", "refused");
			replace(overrides, "reply", "max=5", null, "bob");
			there.replace("sms", "a\nto=9\n老", null, new OverrideText("max=9"), "老钱");
			List<RecordedChange> changes = there.latestChanges();
			assertThat(changes)
				.extracting((each) -> new RecordedChange(Instant.EPOCH, each.by(), each.rule(), each.key(), each.from(),
						each.to()))
				.containsExactly(new RecordedChange(Instant.EPOCH, "老钱", "sms", "a\nto=9\n老", "", "max=9"),
						new RecordedChange(Instant.EPOCH, "bob", "reply", null, "max=5", ""),
						new RecordedChange(Instant.EPOCH, "ann key=x", "reply", null, "", "max=5"));
			assertThat(changes).allMatch((each) -> Duration.between(each.at(), Instant.now()).abs().toMinutes() < 5);
			for (int i = 0; i < 120; i++) {
				replace(overrides, "reply", (i > 0) ? "max=" + i : "", "max=" + (i + 1), "ann");
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

	private static Result replace(OverrideStore store, String rule, @Nullable String expected, @Nullable String text,
			String changedBy) {
		return store.replace(OverrideStore.RULES, rule, expected, (text != null) ? new OverrideText(text) : null,
				changedBy);
	}

	private static Map<String, String> texts(OverrideStore store) {
		return store.read(OverrideStore.RULES);
	}

	private static String version(OverrideStore store) {
		return store.changes("").rulesVersion();
	}

	private static void assertKeeps(OverrideStore store) {
		assertThat(version(store)).isEmpty();
		assertThat(replace(store, "reply", "", "max=5", "ann")).isEqualTo(Result.DONE);
		String made = version(store);
		assertThat(replace(store, "sms", null, null, "ann")).isEqualTo(Result.ABSENT);
		String first = version(store);
		assertThat(first).as("instances read again").isNotEqualTo(made);
		assertThat(texts(store)).isEqualTo(Map.of("reply", "max=5"));
		assertThat(replace(store, "reply", "", "max=6", "ann")).isEqualTo(Result.CONFLICT);
		assertThat(replace(store, "reply", "max=7", null, "ann")).isEqualTo(Result.CONFLICT);
		assertThat(version(store)).isNotEmpty().isEqualTo(first);
		assertThat(replace(store, "reply", "max=5", "max=老", "ann")).isEqualTo(Result.DONE);
		assertThat(replace(store, "other", "", "mode=off", "ann")).isEqualTo(Result.DONE);
		assertThat(version(store)).isNotEqualTo(first);
		assertThat(texts(store)).isEqualTo(Map.of("reply", "max=老", "other", "mode=off"));
		assertThat(store.read(OverrideStore.RULES, List.of("other", "sms"))).isEqualTo(Map.of("other", "mode=off"));
		assertThat(replace(store, "other", null, null, "ann")).isEqualTo(Result.DONE);
		assertThat(texts(store)).isEqualTo(Map.of("reply", "max=老"));
		assertThat(store.changes(store.changes("").keysVersion()).keys()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void overridesLostByRedisAreNotKept(RunnerUnderTest client) {
		try (RedisProcess redis = RedisProcess.start()) {
			onStore(client.connections(redis), (store) -> {
				replace(store, "reply", "", "max=5", "ann");
				redis.command("FLUSHALL");
				assertThat(version(store)).isEmpty();
				assertThat(texts(store)).isEmpty();
			});
		}
	}

	@ParameterizedTest
	@EnumSource
	void overrideThatIsNotUtf8CanBeReplacedAndRemoved(RunnerUnderTest client) {
		try (RedisProcess redis = RedisProcess.start()) {
			onStore(client.connections(redis), (store) -> {
				replace(store, "other", "", "max=5", "ann");
				redis.command("EVAL", "redis.call('HSET', KEYS[1], 'reply', 'max=\\233', 'sms', 'max=\\195\\169')", "1",
						"ratelimit:{rules}");
				Map<String, String> texts = texts(store);
				assertThat(texts).containsEntry("reply", "max=\u00e9").containsEntry("sms", "max=\u00e9");
				assertThat(replace(store, "reply", "max=?", null, "ann")).isEqualTo(Result.CONFLICT);
				assertThat(replace(store, "reply", texts.get("reply"), "max=6", "ann")).isEqualTo(Result.DONE);
				assertThat(replace(store, "sms", texts.get("sms"), null, "ann")).isEqualTo(Result.DONE);
				assertThat(texts(store)).isEqualTo(Map.of("other", "max=5", "reply", "max=6"));
			});
		}
	}

	@ParameterizedTest
	@EnumSource
	void foreignTextWithoutAVersionIsReadAndCanBeRemoved(RunnerUnderTest client) {
		try (RedisProcess redis = RedisProcess.start()) {
			onStore(client.connections(redis), (store) -> {
				redis.command("HSET", "ratelimit:{rules}", "reply", "max=5");
				String written = version(store);
				assertThat(written).isNotEmpty();
				assertThat(texts(store)).isEqualTo(Map.of("reply", "max=5"));
				redis.command("HSET", "ratelimit:{rules}", "reply", "max=6");
				assertThat(version(store)).isNotEqualTo(written);
				assertThat(texts(store)).isEqualTo(Map.of("reply", "max=6"));
				assertThat(replace(store, "reply", "max=6", null, "ann")).isEqualTo(Result.DONE);
				assertThat(texts(store)).isEmpty();
				assertThat(version(store)).as("is stored").isEqualTo(version(store));
			});
		}
	}

	@ParameterizedTest
	@EnumSource
	void storedFormsAreThoseOfFormerVersions(RunnerUnderTest client) {
		try (RedisProcess redis = RedisProcess.start()) {
			onStore(client.connections(redis), (store) -> {
				redis.command("HSET", "ratelimit:{rules}", ":version", "v1", "reply", "max=5");
				redis.command("HSET", "ratelimit:{rules}:keys:search", "acme", "max=9", "老:k", "blocked");
				redis.command("LPUSH", "ratelimit:{rules}:key-changes", "id1 search:acme");
				OverrideChanges written = store.changes("");
				assertThat(written).extracting("rulesVersion", "keysVersion").containsExactly("v1", "id1 search:acme");
				assertThat(texts(store)).isEqualTo(Map.of("reply", "max=5"));
				assertThat(store.read("search")).isEqualTo(Map.of("acme", "max=9", "老:k", "blocked"));
				redis.command("LPUSH", "ratelimit:{rules}:key-changes", "id2 search:老:k");
				assertThat(store.changes(written.keysVersion()).keys()).isEqualTo(Map.of("search", Set.of("老:k")));
				replace(store, "reply", "max=5", "max=6", "ann");
				assertThat(redis.command("HGET", "ratelimit:{rules}", "reply")).isEqualTo("max=6");
				assertThat(redis.command("HGET", "ratelimit:{rules}", ":version")).isNotNull().isNotEqualTo("v1");
				store.replace("search", "老:k", "blocked", new OverrideText("unlimited", null, Instant.EPOCH), "ann");
				assertThat(redis.command("HGET", "ratelimit:{rules}:keys:search", "老:k"))
					.isEqualTo("until=0 unlimited");
				assertThat(redis.command("LINDEX", "ratelimit:{rules}:key-changes", "0")).asString()
					.matches("[-0-9a-f]{36} search:老:k");
				assertThat(redis.command("LINDEX", "ratelimit:{rules}:history", "0")).asString()
					.matches("at=\\d+\nby=ann\nrule=search\nfrom=blocked\nto=until=0 unlimited\nkey=老:k");
			});
		}
	}

	@ParameterizedTest
	@EnumSource
	void notifiesListenersAfterALostConnection(RunnerUnderTest client) {
		try (RedisProcess redis = RedisProcess.start()) {
			onStore(client.connections(redis), (store) -> {
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
			replace(store, "changed", (version.get() == 0) ? "" : "max=" + version.get(),
					"max=" + version.incrementAndGet(), "ann");
			return notified.get() > 0;
		});
		replace(store, "changed", "max=" + version.get(), null, "ann");
	}

	@ParameterizedTest
	@EnumSource
	void userThatMayNeitherPublishNorListenIsWarnedOnceAndStoresChanges(RunnerUnderTest client) {
		try (RedisProcess redis = RedisProcess.start();
				RecordedLog publishing = new RecordedLog(RedisOverrideStore.class);
				RecordedLog listening = new RecordedLog(RedisAnnouncements.class)) {
			redis.command("ACL", "SETUSER", "default", "resetchannels");
			onStore(client.connections(redis), (store) -> {
				assertThat(replace(store, "reply", "", "max=5", "ann")).isEqualTo(Result.DONE);
				assertThat(replace(store, "reply", "max=5", "max=6", "ann")).isEqualTo(Result.DONE);
				assertThat(texts(store)).isEqualTo(Map.of("reply", "max=6"));
				store.listen(() -> {
				});
				await().atMost(PATIENCE)
					.until(() -> listening.lines().stream().anyMatch((line) -> line.startsWith("WARNING")));
			});
			assertThat(publishing.lines()).singleElement()
				.asString()
				.startsWith("WARNING Redis stores changes at run time, but does not publish them (")
				.contains("docs/redis.md");
			assertThat(listening.lines()).filteredOn((line) -> line.startsWith("WARNING"))
				.singleElement()
				.asString()
				.contains("it may not listen to the channel \"ratelimit:{rules}\"", "docs/redis.md");
		}
	}

	private static void onStore(RedisConnectionFactory connections, Consumer<OverrideStore> test) {
		RunnerUnderTest.withStore(connections, "ratelimit", PATIENCE, (store) -> {
			try (OverrideStore overrides = store.overrides(connections)) {
				awaitStore().untilAsserted(store::connect);
				test.accept(overrides);
			}
		});
	}

}
