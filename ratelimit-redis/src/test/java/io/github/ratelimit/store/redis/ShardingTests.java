package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.lettuce.core.RedisCommandExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.store.StoreException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Sharding}.
 */
class ShardingTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private final ScriptRunner redis = new SynchronousScriptRunner(RedisUnderTest.process());

	@Test
	void serverThatEvictsProbesIsOneServer() {
		Sharding sharding = sharding((script) -> {
			CompletableFuture<byte[]> reply = script.get();
			RedisUnderTest.process()
				.command("EVAL", "for _, key in ipairs(redis.call('KEYS', ARGV[1])) do redis.call('DEL', key) end", "0",
						"sharding:probe:*");
			return reply;
		});
		sharding.find().join();
		assertThat(sharding.reach()).isEqualTo(ScriptReach.ALL_KEYS);
	}

	@Test
	void proxyThatRefusesSeveralKeysGetsOneRuleAndKeyAtATime() {
		AtomicInteger refused = new AtomicInteger();
		Sharding sharding = sharding((script) -> (refused.getAndIncrement() == 0)
				? CompletableFuture.failedFuture(new RedisCommandExecutionException("ERR only one key"))
				: script.get());
		sharding.find().join();
		assertThat(sharding.reach()).isEqualTo(ScriptReach.RULE_AND_KEY);
	}

	@Test
	void searchThatFailsIsRepeated() {
		AtomicInteger calls = new AtomicInteger();
		Sharding sharding = sharding((script) -> (calls.getAndIncrement() == 0)
				? CompletableFuture.failedFuture(new RedisCommandExecutionException("LOADING")) : script.get());
		assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> sharding.find().join());
		assertThat(sharding.isKnown()).isFalse();
		sharding.find().join();
		assertThat(sharding.isKnown()).isTrue();
		int sent = calls.get();
		sharding.find().join();
		assertThat(calls).hasValue(sent);
	}

	@Test
	void searchThatThrowsAnErrorIsRepeated() {
		AtomicInteger calls = new AtomicInteger();
		Sharding sharding = sharding((script) -> {
			if (calls.getAndIncrement() == 0) {
				throw new OutOfMemoryError("no thread");
			}
			return script.get();
		});
		assertThat(sharding.find()).failsWithin(PATIENCE)
			.withThrowableThat()
			.withCauseInstanceOf(OutOfMemoryError.class);
		assertThat(sharding.find()).succeedsWithin(PATIENCE);
		assertThat(sharding.isKnown()).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "AUTO, false,", "NONE, false, ALL_KEYS", "CLUSTER, false, HASH_SLOT", "PROXY, false, RULE_AND_KEY",
			"AUTO, true, HASH_SLOT", "NONE, true, HASH_SLOT", "CLUSTER, true, HASH_SLOT", "PROXY, true, RULE_AND_KEY" })
	void clientOfAClusterSendsNoKeysOfDifferentSlotsTogether(RedisSharding configured, boolean cluster,
			ScriptReach reach) {
		assertThat(Sharding.reach(configured, cluster)).isEqualTo(reach);
	}

	@ParameterizedTest
	@EnumSource
	void serverThatHasOnlySomeOfTheKeysIsRefusedWithTheSettingToWrite(RunnerUnderTest client) {
		RedisProcess node = ClusterUnderTest.cluster().masters().get(0);
		RunnerUnderTest.withStore(client.connections(node), "sharding", PATIENCE, (store) -> {
			assertThatExceptionOfType(StoreException.class).isThrownBy(store::connect).satisfies((failure) -> {
				assertThat(failure.reason()).isEqualTo("moved");
				assertThat(failure.isOutage()).isTrue();
				assertThat(failure.remedy()).contains("set spring.data.redis.cluster.nodes");
			});
		});
	}

	private Sharding sharding(Sender sender) {
		return new Sharding((call) -> sender.send(() -> this.redis.run(call)), "sharding", RedisSharding.AUTO);
	}

	/**
	 * Sender of scripts.
	 */
	private interface Sender {

		CompletableFuture<byte[]> send(Supplier<CompletableFuture<byte[]>> script);

	}

}
