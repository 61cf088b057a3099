package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.redis.process.RespConnection;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.StoreException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/**
 * Meaning of each error of Redis, as each real version returns it to each client.
 */
class RedisErrorTests {

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private static final String NOWHERE = "1";

	private static final Demand DEMAND = new Demand(RateLimitRule.named("rule")
		.limit(Limit.of(5, Duration.ofDays(1)).withAlgorithm(Algorithm.SLIDING_LOG))
		.build(), "laoqian", 1);

	private static final String NAME = "errors:{rule:laoqian}:times";

	private static final List<Provoked> TABLE = List.of(
			outage("readonly", (redis) -> redis.command("REPLICAOF", "127.0.0.1", NOWHERE)),
			outage("masterdown", (redis) -> {
				redis.command("CONFIG", "SET", "replica-serve-stale-data", "no");
				redis.command("REPLICAOF", "127.0.0.1", NOWHERE);
			}), outage("noreplicas", (redis) -> redis.command("CONFIG", "SET", "min-replicas-to-write", "1")),
			outage("oom", (redis) -> redis.command("CONFIG", "SET", "maxmemory", "1")),
			outage("busy", RedisErrorTests::runAnEndlessScript), outage("loading", RedisErrorTests::loadSlowly),
			mistake("wrongtype", "ratelimit.key-prefix", (redis) -> redis.command("LPUSH", NAME, "not a string")),
			mistake("state", "delete the keys of the rule", (redis) -> redis.command("SET", NAME, "x")));

	static Stream<Arguments> everythingOnEverything() {
		return ClientOnRedis.all().flatMap((on) -> TABLE.stream().map((provoked) -> Arguments.of(provoked, on)));
	}

	@ParameterizedTest(name = "{0}, {1}")
	@MethodSource("everythingOnEverything")
	void hasReasonOutageAndRemedy(Provoked provoked, ClientOnRedis on) {
		boolean debugForbidden = !on.redis().version().startsWith("6.");
		try (RedisProcess redis = on
			.start(debugForbidden ? new String[] { "--enable-debug-command", "yes" } : new String[0])) {
			withStore(on, redis, (store) -> {
				store.acquire(DEMAND);
				redis.command("DEL", NAME);
				provoked.provoke().accept(redis);
				provoked.assertReportedBy(store);
			});
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "ERR The user executing the script can't run this command or subcommand script: 1",
			"ERR The user executing the script can't access at least one of the keys mentioned in the command arguments",
			"ERR ACL failure in script: User ratelimit has no permissions to run the 'get' command",
			"ERR ACL failure in script: No permissions to access a key",
			"NOPERM this user has no permissions to run the 'evalsha' command" })
	void missingPermissionIsAMistakeInTheWordsOfEachVersion(String reply) {
		assertThat(RedisError.of(new ScriptFailure(reply))).isEqualTo(RedisError.NOPERM);
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "upstream failure", "no upstream host", "ERR Connection refused", "ERR Connection timed out" })
	void serverThatDoesNotAnswerAProxyIsAnOutage(String reply) {
		assertThat(RedisError.of(new ScriptFailure(reply))).isEqualTo(RedisError.UPSTREAM)
			.matches(RedisError::isOutage);
	}

	@ParameterizedTest
	@MethodSource("io.github.ratelimit.store.redis.ClientOnRedis#all")
	@EnabledOnOs(OS.LINUX)
	void failureToSaveIsAnOutage(ClientOnRedis on) {
		// no files can be written there
		try (RedisProcess redis = on.start("--dir", "/proc")) {
			withStore(on, redis, (store) -> {
				redis.command("CONFIG", "SET", "save", "3600 1000000");
				redis.command("BGSAVE");
				outage("misconf", (none) -> {
				}).assertReportedBy(store);
			});
		}
	}

	@ParameterizedTest
	@MethodSource("io.github.ratelimit.store.redis.ClientOnRedis#all")
	void commandThatWasTakenAwayIsAMistake(ClientOnRedis on) {
		try (RedisProcess redis = on.start("--rename-command", "EVALSHA", "")) {
			withStore(on, redis, (store) -> mistake("nocommand", "docs/redis.md", (none) -> {
			}).assertReportedBy(store));
		}
	}

	@ParameterizedTest
	@MethodSource("io.github.ratelimit.store.redis.ClientOnRedis#all")
	void tooManyClientsAreAnOutage(ClientOnRedis on) {
		try (RedisProcess redis = on.start()) {
			withStore(on, redis, (store) -> {
				RespConnection only = redis.connect(PATIENCE);
				only.command("CONFIG", "SET", "maxclients", "1");
				assertThatThrownBy(() -> store.acquire(DEMAND)).isInstanceOfSatisfying(StoreException.class,
						(failure) -> {
							// the connection may end before its error is read
							assertThat(failure.reason()).isIn("maxclients", "connection");
							assertThat(failure.isOutage()).isTrue();
							assertThat(failure.remedy()).isNull();
						});
				only.close();
			});
		}
	}

	private static void runAnEndlessScript(RedisProcess redis) {
		redis.command("CONFIG", "SET", "lua-time-limit", "20");
		CompletableFuture.runAsync(() -> redis.command("EVAL", "while true do end", "0"));
	}

	private static void loadSlowly(RedisProcess redis) {
		redis.command("CONFIG", "SET", "rdbcompression", "no");
		redis.command("DEBUG", "POPULATE", "40", "large", "1000000");
		redis.command("CONFIG", "SET", "key-load-delay", "100000");
		CompletableFuture.runAsync(() -> redis.command("DEBUG", "RELOAD"));
	}

	private static Provoked outage(String reason, Consumer<RedisProcess> provoke) {
		return new Provoked(reason, true, null, provoke);
	}

	private static Provoked mistake(String reason, String remedy, Consumer<RedisProcess> provoke) {
		return new Provoked(reason, false, remedy, provoke);
	}

	private static void withStore(ClientOnRedis on, RedisProcess redis, Consumer<RedisRateLimitStore> test) {
		RunnerUnderTest.withStore(on.client().connections(redis), "errors", PATIENCE, test);
	}

	/**
	 * Error, how to provoke it, and its expected translation.
	 */
	record Provoked(String reason, boolean outage, String remedy, Consumer<RedisProcess> provoke) {

		void assertReportedBy(RedisRateLimitStore store) {
			await().atMost(PATIENCE)
				.untilAsserted(() -> assertThatThrownBy(() -> store.acquire(DEMAND))
					.isInstanceOfSatisfying(StoreException.class, (failure) -> {
						assertThat(failure.reason()).as(failure.getMessage()).isEqualTo(this.reason);
						assertThat(failure.isOutage()).isEqualTo(this.outage);
						assertThat(failure.getMessage()).startsWith("Redis failed: ").doesNotContain("laoqian");
						if (this.remedy != null) {
							assertThat(failure.remedy()).contains(this.remedy);
						}
						else {
							assertThat(failure.remedy()).isNull();
						}
					}));
		}

		@Override
		public String toString() {
			return this.reason;
		}

	}

}
