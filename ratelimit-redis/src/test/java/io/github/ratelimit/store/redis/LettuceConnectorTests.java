package io.github.ratelimit.store.redis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

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
			long start = System.nanoTime();
			for (int i = 0; i < ATTEMPTS; i++) {
				assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> connector.connect().join());
			}
			int seconds = (int) Duration.ofNanos(System.nanoTime() - start).toSeconds();
			int asked = accepted.get();
			assertThat(asked).isBetween(1, 2 + seconds);
			await().until(() -> {
				connector.connect().exceptionally((failure) -> null).join();
				return accepted.get() > asked;
			});
			connections.destroy();
		}
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
