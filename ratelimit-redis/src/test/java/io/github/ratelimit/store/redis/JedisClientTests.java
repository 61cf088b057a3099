package io.github.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPoolConfig;
import redis.clients.jedis.Protocol.Command;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.tck.AlgorithmUnderTest;
import io.github.ratelimit.override.OverrideStore;
import io.github.ratelimit.redis.process.RedisCluster;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.StoreException;

import static io.github.ratelimit.BusyMachine.durationOf;
import static io.github.ratelimit.BusyMachine.shortest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Connections of Jedis that the limiter shares with the application.
 */
class JedisClientTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private static final byte[] NAME = bytes("name");

	private final Demand demand = new Demand(
			RateLimitRule.named("rule").limit(AlgorithmUnderTest.SLIDING_LOG.limit(5, Duration.ofMinutes(1))).build(),
			"someone", 1);

	/**
	 * Redis confirms the end of each subscription, also of those that there are not, and
	 * Jedis reads one reply.
	 */
	@Test
	void connectionOutOfStepIsClosedAndTheCallFails() {
		closesAConnectionOutOfStep((application) -> application.execute("UNSUBSCRIBE", bytes("one"), bytes("another")));
	}

	@Test
	void textThatAnotherCommandLeftUnreadIsNoReplyOfAScript() {
		closesAConnectionOutOfStep((application) -> ((Jedis) application.getNativeConnection()).getConnection()
			.sendCommand(Command.ECHO, "longer than the number of a call"));
	}

	private void closesAConnectionOutOfStep(Consumer<RedisConnection> leavesAReplyUnread) {
		try (RedisProcess redis = RedisProcess.start()) {
			JedisConnectionFactory connections = poolOfOne(redis);
			RunnerUnderTest.withStore(connections, "ratelimit", PATIENCE, (store) -> {
				store.connect();
				try (RedisConnection application = connections.getConnection()) {
					application.stringCommands().set(NAME, NAME);
				}
				try (RedisConnection application = connections.getConnection()) {
					leavesAReplyUnread.accept(application);
				}
				assertThatExceptionOfType(StoreException.class).isThrownBy(() -> store.acquire(this.demand))
					.withMessageContaining("the reply is that of another command")
					.satisfies((failure) -> assertThat(failure.reason()).isEqualTo("connection"));
				assertThat(store.acquire(this.demand).isAdmitted()).isTrue();
				try (RedisConnection application = connections.getConnection()) {
					assertThat(application.stringCommands().get(NAME)).isEqualTo(NAME);
				}
			});
		}
	}

	@Test
	void listeningThreadEndsAlthoughRedisHangs() {
		List<Thread> others = listening();
		try (RedisProcess redis = RedisProcess.start()) {
			JedisConnectionFactory connections = start(
					new JedisConnectionFactory(new RedisStandaloneConfiguration(redis.host(), redis.port())));
			RunnerUnderTest.withStore(connections, "ratelimit", PATIENCE, (store) -> {
				store.connect();
				OverrideStore overrides = store.overrides(connections);
				overrides.listen(() -> {
				});
				await().atMost(PATIENCE).until(() -> String.valueOf(redis.command("PUBSUB", "CHANNELS")).length() > 2);
				List<Thread> listening = listening().stream().filter((thread) -> !others.contains(thread)).toList();
				assertThat(listening).isNotEmpty();
				redis.freeze();
				overrides.close();
				await().atMost(PATIENCE).until(() -> listening.stream().noneMatch(Thread::isAlive));
				redis.resume();
			});
		}
	}

	private static List<Thread> listening() {
		Thread[] threads = new Thread[Thread.activeCount() + 100];
		return Arrays.asList(threads)
			.subList(0, Thread.enumerate(threads))
			.stream()
			.filter((thread) -> thread.getName().equals(RedisAnnouncements.NAME))
			.toList();
	}

	@Test
	void callOfAClusterWhoseReplyIsLateIsNotRepeated() {
		Duration timeout = Duration.ofMillis(200);
		Duration repeated = timeout.multipliedBy(2);
		try (RedisCluster cluster = RedisCluster.start()) {
			JedisConnectionFactory connections = start(new JedisConnectionFactory(
					new RedisClusterConfiguration(
							cluster.nodes().stream().map((node) -> node.host() + ":" + node.port()).toList()),
					JedisClientConfiguration.builder().readTimeout(timeout).build()));
			RunnerUnderTest.withStore(connections, "ratelimit", PATIENCE, (store) -> {
				assertThat(store.acquire(this.demand).isAdmitted()).isTrue();
				RedisProcess master = cluster.masters()
					.stream()
					.filter((server) -> Long.valueOf(1).equals(server.command("DBSIZE")))
					.findAny()
					.orElseThrow();
				master.command("CLIENT", "PAUSE", "600000", "WRITE");
				assertThat(shortest(repeated, () -> durationOf(() -> assertThatExceptionOfType(StoreException.class)
					.isThrownBy(() -> store.acquire(this.demand))))).isBetween(timeout, repeated);
			});
		}
	}

	/**
	 * The pool replaces a broken connection that others wait for, and cannot connect.
	 */
	@Test
	void connectionThatOthersWaitForIsClosedWithoutAnExceptionWhileRedisHangs() {
		JedisPoolConfig pool = new JedisPoolConfig();
		pool.setMaxTotal(1);
		try (RedisCluster cluster = RedisCluster.start()) {
			JedisConnectionFactory connections = start(new JedisConnectionFactory(
					new RedisClusterConfiguration(
							cluster.nodes().stream().map((node) -> node.host() + ":" + node.port()).toList()),
					JedisClientConfiguration.builder()
						.readTimeout(Duration.ofMillis(200))
						.usePooling()
						.poolConfig(pool)
						.build()));
			RedisConnection listener;
			try (RedisConnection application = connections.getConnection()) {
				listener = JedisClient.behind(application).listener();
			}
			List<Thread> waiting = Stream.generate(() -> new Thread(() -> readFromEachServer(connections)))
				.limit(3)
				.toList();
			waiting.forEach(Thread::start);
			await().atMost(PATIENCE)
				.until(() -> waiting.stream().allMatch((thread) -> thread.getState() == Thread.State.WAITING));
			cluster.nodes().forEach(RedisProcess::freeze);
			assertThatCode(listener::close).doesNotThrowAnyException();
			cluster.nodes().forEach(RedisProcess::resume);
			waiting.forEach(Thread::interrupt);
			connections.destroy();
		}
	}

	private static void readFromEachServer(JedisConnectionFactory connections) {
		try (RedisConnection application = connections.getConnection()) {
			for (int i = 0; i < 100; i++) {
				application.stringCommands().get(bytes("name-" + i));
			}
		}
		catch (RuntimeException ex) {
			// interrupted
		}
	}

	private static JedisConnectionFactory poolOfOne(RedisProcess redis) {
		JedisPoolConfig pool = new JedisPoolConfig();
		pool.setMaxTotal(1);
		return start(new JedisConnectionFactory(new RedisStandaloneConfiguration(redis.host(), redis.port()),
				JedisClientConfiguration.builder().usePooling().poolConfig(pool).build()));
	}

	private static JedisConnectionFactory start(JedisConnectionFactory connections) {
		connections.afterPropertiesSet();
		connections.start();
		return connections;
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
