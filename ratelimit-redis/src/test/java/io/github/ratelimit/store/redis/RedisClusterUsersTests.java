package io.github.ratelimit.store.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.exceptions.JedisClusterOperationException;

import org.springframework.data.redis.connection.RedisClusterConfiguration;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.redis.process.RedisBinary;
import io.github.ratelimit.redis.process.RedisCluster;
import io.github.ratelimit.redis.process.RedisOptions;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.redis.process.SlotMigration;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.StoreException;
import io.github.ratelimit.store.tck.AlgorithmOnStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * A cluster whose nodes have users. The user that the documentation describes has all
 * permissions that each client needs there, also while a hash slot moves, and no others.
 */
class RedisClusterUsersTests {

	private static final String IN_A_CLUSTER = "In a [cluster]";

	/** Commands in a sentence, each perhaps with the only client that needs it. */
	private static final Pattern COMMAND = Pattern.compile("`(\\+[a-z|]+)`(?: \\((\\w+)\\))?");

	private static final RedisKeys KEYS = RedisUnderTest.keys("ratelimit");

	private static final RateLimitRule RULE = RateLimitRule.named("rule")
		.limit(5, Duration.ofDays(1))
		.algorithm(Algorithm.TOKEN_BUCKET)
		.build();

	@ParameterizedTest
	@MethodSource("io.github.ratelimit.redis.process.RedisBinary#all")
	void documentedUserCanDoEverythingThatIsNeeded(RedisBinary redis) {
		try (RedisCluster cluster = RedisCluster.start(RedisOptions.none().withBinary(redis))) {
			for (RunnerUnderTest client : RunnerUnderTest.values()) {
				permit(cluster, documentedCommands(client));
				assertThatCode(() -> useEverything(client, cluster)).as("%s", client).doesNotThrowAnyException();
			}
		}
	}

	@ParameterizedTest
	@MethodSource("io.github.ratelimit.redis.process.RedisBinary#all")
	void withoutOneOfTheCommandsForAClusterCallsFail(RedisBinary redis) {
		try (RedisCluster cluster = RedisCluster.start(RedisOptions.none().withBinary(redis))) {
			for (RunnerUnderTest client : RunnerUnderTest.values()) {
				List<String> commands = documentedCommands(client);
				assertThat(commands).hasSize(2).contains("+asking");
				for (String missing : commands) {
					permit(cluster, commands.stream().filter((command) -> !command.equals(missing)).toList());
					assertThat(catchThrowable(() -> useEverything(client, cluster)))
						.as("%s without %s", client, missing)
						.isInstanceOfAny(StoreException.class, JedisClusterOperationException.class);
				}
			}
		}
	}

	private static void permit(RedisCluster cluster, List<String> commands) {
		String[] user = Stream.concat(Stream.of(RedisUsersTests.documentedUser()), commands.stream())
			.toArray(String[]::new);
		cluster.nodes().forEach((node) -> node.command(user));
	}

	private static void useEverything(RunnerUnderTest client, RedisCluster cluster) {
		RedisClusterConfiguration nodes = new RedisClusterConfiguration(
				cluster.nodes().stream().map((node) -> node.host() + ":" + node.port()).toList());
		nodes.setUsername("ratelimit");
		nodes.setPassword("secret");
		RedisUsersTests.withStore(client.connections(nodes), (store) -> {
			store.connect();
			RedisUsersTests.useEverything(store);
			assertThatCallsFollowASlotThatMoves(store, cluster);
		});
	}

	private static void assertThatCallsFollowASlotThatMoves(RedisRateLimitStore store, RedisCluster cluster) {
		Demand demand = new Demand(RULE, AlgorithmOnStore.freshKey(), 1);
		assertThat(remaining(store, demand)).isEqualTo(4);
		String counter = new String(KEYS.counters(demand.counts()).of(demand.key())[0]);
		RedisProcess source = cluster.masterOf(counter);
		SlotMigration migration = cluster.beginMigration(cluster.slotOf(counter),
				cluster.masters().stream().filter((master) -> master != source).findFirst().orElseThrow());
		try {
			migration.moveKeys();
			assertThat(remaining(store, demand)).as("ASK").isEqualTo(3);
		}
		finally {
			migration.end();
		}
		assertThat(remaining(store, demand)).as("MOVED").isEqualTo(2);
	}

	private static long remaining(RedisRateLimitStore store, Demand demand) {
		return store.acquire(demand).get(0).outcomes().get(0).remaining();
	}

	private static List<String> documentedCommands(RunnerUnderTest client) {
		try (Stream<String> lines = Files.lines(Path.of("../docs/redis.md"))) {
			String sentence = lines.filter((line) -> line.startsWith(IN_A_CLUSTER)).findFirst().orElseThrow();
			return COMMAND.matcher(sentence)
				.results()
				.filter((command) -> command.group(2) == null || command.group(2).equalsIgnoreCase(client.name()))
				.map((command) -> command.group(1))
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
