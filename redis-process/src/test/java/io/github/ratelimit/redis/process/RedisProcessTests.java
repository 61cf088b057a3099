package io.github.ratelimit.redis.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for {@link RedisProcess}.
 */
@Tag("in-ci")
@Timeout(120)
class RedisProcessTests {

	@Test
	void answersPing() {
		try (RedisProcess redis = RedisProcess.start()) {
			assertThat(redis.command("PING")).isEqualTo("PONG");
		}
	}

	@Test
	void passesMoreArguments() {
		try (RedisProcess redis = RedisProcess.start("--maxmemory", "3mb")) {
			assertThat(redis.command("CONFIG", "GET", "maxmemory")).isEqualTo(List.of("maxmemory", "3145728"));
		}
	}

	@Test
	void startsWithPassword() {
		try (RedisProcess redis = RedisProcess.start("--requirepass", "secret");
				RespConnection connection = redis.connect(Duration.ofSeconds(5))) {
			assertThat(connection.command("AUTH", "secret")).isEqualTo("OK");
			assertThat(connection.command("PING")).isEqualTo("PONG");
		}
	}

	@Test
	void startsAsNodeOfCluster() {
		try (RedisProcess redis = RedisProcess.start("--cluster-enabled", "yes")) {
			assertThat(redis.command("CLUSTER", "INFO")).asString().contains("cluster_known_nodes:1");
		}
	}

	@Test
	void listensOnLoopbackOnly() {
		try (RedisProcess redis = RedisProcess.start()) {
			assertThat(redis.command("CONFIG", "GET", "bind")).isEqualTo(List.of("bind", "127.0.0.1"));
		}
	}

	@Test
	void describesItself() {
		try (RedisProcess redis = RedisProcess.start()) {
			assertThat(redis.toString())
				.matches("redis-server \\d+\\.\\d+\\.\\d+ \\(.+\\) on 127\\.0\\.0\\.1:" + redis.port());
		}
	}

	@Test
	void twoServersShareNothing() {
		try (RedisProcess one = RedisProcess.start(); RedisProcess other = RedisProcess.start()) {
			one.command("SET", "key", "value");
			assertThat(one.command("GET", "key")).isEqualTo("value");
			assertThat(other.command("GET", "key")).isNull();
		}
	}

	@Test
	void frozenServerDoesNotAnswerUntilItResumes() {
		try (RedisProcess redis = RedisProcess.start()) {
			redis.command("SET", "key", "value");
			redis.freeze();
			try (RespConnection connection = redis.connect(Duration.ofMillis(500))) {
				assertThatThrownBy(() -> connection.command("PING")).isInstanceOf(UncheckedIOException.class)
					.hasCauseInstanceOf(SocketTimeoutException.class);
			}
			redis.resume();
			assertThat(redis.command("GET", "key")).isEqualTo("value");
		}
	}

	@Test
	void killedServerRefusesConnections() {
		try (RedisProcess redis = RedisProcess.start()) {
			long pid = redis.pid();
			redis.kill();
			assertThatThrownBy(() -> redis.command("PING")).isInstanceOf(UncheckedIOException.class)
				.hasCauseInstanceOf(ConnectException.class);
			assertThat(isAlive(pid)).isFalse();
			assertThatIllegalStateException().isThrownBy(redis::kill).withMessageEndingWith("is not running");
		}
	}

	@Test
	void restartedServerIsEmptyAndOnTheSamePort() {
		try (RedisProcess redis = RedisProcess.start()) {
			int port = redis.port();
			redis.command("SET", "key", "value");
			redis.restart();
			assertThat(redis.command("DBSIZE")).isEqualTo(0L);
			redis.command("SET", "key", "value");
			redis.kill();
			redis.restart();
			assertThat(redis.command("DBSIZE")).isEqualTo(0L);
			assertThat(redis.port()).isEqualTo(port);
		}
	}

	@Test
	void closeEndsFrozenServer() {
		RedisProcess redis = RedisProcess.start();
		redis.freeze();
		redis.close();
		assertThat(isAlive(redis.pid())).isFalse();
	}

	@Test
	void closedServerStaysClosed() {
		RedisProcess redis = RedisProcess.start();
		redis.close();
		redis.close();
		assertThatIllegalStateException().isThrownBy(redis::restart).withMessageEndingWith("is closed");
		assertThatIllegalStateException().isThrownBy(redis::freeze).withMessageEndingWith("is not running");
	}

	@Test
	void takesAnotherPortWhenSomeoneWasFaster() throws IOException {
		try (ServerSocket someone = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
				RedisProcess otherRedis = RedisProcess.start()) {
			int free = FreePort.find();
			PrimitiveIterator.OfInt ports = IntStream.of(someone.getLocalPort(), otherRedis.port(), free).iterator();
			try (RedisProcess redis = RedisProcess.start(ports::nextInt, RedisOptions.none())) {
				assertThat(redis.port()).isEqualTo(free);
				assertThat(redis.pid()).isNotEqualTo(otherRedis.pid());
				assertThat(redis.command("PING")).isEqualTo("PONG");
			}
		}
	}

	@Test
	void failureToStartHoldsTheOutputOfTheServer() {
		assertThatIllegalStateException().isThrownBy(() -> RedisProcess.start("--maxmemory", "plenty"))
			.withMessageContaining("redis-server")
			.withMessageContaining("maxmemory \"plenty\"");
	}

	private static boolean isAlive(long pid) {
		return ProcessHandle.of(pid).isPresent();
	}

}
