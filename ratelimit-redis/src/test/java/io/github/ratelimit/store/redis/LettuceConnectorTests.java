package io.github.ratelimit.store.redis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.ratelimit.redis.process.RedisProcess;

import static io.github.ratelimit.BusyMachine.durationOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Attempts to connect with Lettuce.
 */
class LettuceConnectorTests {

	private static final int ATTEMPTS = 50;

	/**
	 * Lettuce warns of each server that it does not reach.
	 */
	@Test
	void clusterThatIsDownIsAskedForItsTopologyOncePerSecond() throws IOException {
		AtomicInteger accepted = new AtomicInteger();
		try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
			new Thread(() -> closeEachConnection(server, accepted)).start();
			LettuceConnectionFactory connections = new LettuceConnectionFactory(
					new RedisClusterConfiguration(List.of("127.0.0.1:" + server.getLocalPort())));
			connections.afterPropertiesSet();
			connections.start();
			LettuceConnector connector = new LettuceConnector(connections, Duration.ofSeconds(10));
			long seconds = durationOf(() -> {
				for (int i = 0; i < ATTEMPTS; i++) {
					assertThatExceptionOfType(CompletionException.class)
						.isThrownBy(() -> connector.connect(null).join());
				}
			}).toSeconds();
			int asked = accepted.get();
			assertThat(asked).isBetween(1, 2 + (int) seconds);
			await().until(() -> {
				connector.connect(null).exceptionally((failure) -> null).join();
				return accepted.get() > asked;
			});
			connections.destroy();
		}
	}

	/**
	 * A server that is dead may stay so, and is part of the topology.
	 */
	@Test
	void connectedClusterIsAskedForItsTopologyOncePerSecond() {
		RedisProcess node = ClusterUnderTest.cluster().nodes().get(0);
		RedisConnectionFactory connections = RunnerUnderTest.LETTUCE.connections(ClusterUnderTest.cluster());
		Duration longest = Duration.ofSeconds(10);
		LettuceLink link = new LettuceLink(
				new LettuceConnector((LettuceConnectionFactory) connections, longest)::connect, longest,
				Duration.ofSeconds(1), () -> {
				}, (task) -> Scheduler.onNewThread(task, "connect"));
		await().untilAsserted(() -> assertThat(link.open()).succeedsWithin(Duration.ofSeconds(20)));
		LettuceChannel channel = link.channel();
		long before = connectionsReceivedBy(node);
		long seconds = durationOf(() -> {
			for (int i = 0; i < ATTEMPTS; i++) {
				link.open().join();
			}
		}).toSeconds();
		assertThat(connectionsReceivedBy(node) - before).isLessThanOrEqualTo(3 + seconds);
		assertThat(link.channel()).isSameAs(channel);
		link.close();
		RunnerUnderTest.destroy(connections);
	}

	/**
	 * A charge that was given up is repeated: Redis would count it twice.
	 */
	@Test
	void callWhoseEffectMattersMoreThanItsReplyWaitsForTheConnection() throws IOException {
		assertThat(failureWithoutAConnection(Duration.ofMillis(500))).isNotInstanceOf(TimeoutException.class);
	}

	/**
	 * Attempts to connect take up to two seconds. A charge that was given up is repeated:
	 * if a later connection sent it, Redis would count it twice.
	 */
	@Test
	void callWhoseEffectMattersMoreThanItsReplyIsGivenUpBeforeALaterConnection() throws IOException {
		assertThat(failureWithoutAConnection(Duration.ofMillis(10))).isInstanceOf(TimeoutException.class);
	}

	private static Throwable failureWithoutAConnection(Duration timeout) throws IOException {
		try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
			LettuceConnectionFactory connections = new LettuceConnectionFactory(
					new RedisStandaloneConfiguration("127.0.0.1", silent.getLocalPort()));
			connections.afterPropertiesSet();
			connections.start();
			ScriptRunner runner = new LettuceScriptRunner(connections, timeout);
			ScriptCall call = new ScriptCall(Script.of("return ''"), new byte[0][], new byte[0][], (late) -> {
			}, false);
			Throwable failure = runner.run(call).handle((reply, thrown) -> thrown).join();
			runner.close();
			connections.destroy();
			return failure;
		}
	}

	private static long connectionsReceivedBy(RedisProcess node) {
		Matcher received = Pattern.compile("total_connections_received:(\\d+)")
			.matcher(String.valueOf(node.command("INFO", "stats")));
		assertThat(received.find()).isTrue();
		return Long.parseLong(received.group(1));
	}

	private static void closeEachConnection(ServerSocket server, AtomicInteger accepted) {
		try {
			while (true) {
				Socket client = server.accept();
				accepted.incrementAndGet();
				client.close();
			}
		}
		catch (IOException ex) {
			// closed
		}
	}

}
